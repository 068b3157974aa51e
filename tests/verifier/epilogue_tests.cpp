// What PyTorch may finish of a candidate's work under `framework = epilogue`, and what it may not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/support/child_process.hpp"
#include "base/support/files.hpp"
#include "tests/verifier/by_hand.hpp"
#include "tests/verifier/candidates.hpp"
#include "verifier/answer/source.hpp"
#include "verifier/examination/epilogue.hpp"

// Other files of the folder, which are compiled with this one, have names such as `kernels`, too.
namespace trl::runtime::epilogue_tests {
namespace {

using candidates::judge;
using nlohmann::json;

using Named = std::vector<std::pair<std::string, json>>;

Task epilogue_task(const Named& dims, const Named& inputs, json value, json output, const std::string& key) {
  json tensors = json::array(), sizes = json::array();
  for (const auto& [name, size] : dims) sizes.push_back(json::array({name, size}));
  for (const auto& [name, shape] : inputs)
    tensors.push_back({{"name", name}, {"dtype", "f32"}, {"shape", shape}});
  return Task::parse({{"suite", "test"},
                      {"id", 1},
                      {"name", "test"},
                      {"doc", ""},
                      {"dims", std::move(sizes)},
                      {"inputs", std::move(tensors)},
                      {"value", std::move(value)},
                      {"output", {{"dtype", "f32"}, {"shape", std::move(output)}}},
                      {"key", key}});
}

json epilogue_node(const char* op, json args, json attributes = nullptr) {
  json made = {{"op", op}, {"args", std::move(args)}};
  if (!attributes.is_null()) made["attrs"] = std::move(attributes);
  return made;
}

const json x = {{"input", "x"}}, w = {{"input", "w"}}, b = {{"input", "b"}};

/// sum(x * x, 0) as one number for each column: f32[N], M = 64, N = 96.
Task column_energy() {
  return epilogue_task({{"M", 64}, {"N", 96}}, {{"x", json::array({"M", "N"})}},
                       epilogue_node("sum", json::array({epilogue_node("mul", json::array({x, x}))}),
                                     {{"axis", 0}, {"keepdim", false}}),
                       json::array({"N"}), "sum[axis=0,keepdim=false](mul(x0:f32[d0,d1],x0))");
}

/// sqrt(sum(x * x, 1)): f32[M].
Task row_norm() {
  return epilogue_task(
      {{"M", 64}, {"N", 96}}, {{"x", json::array({"M", "N"})}},
      epilogue_node(
          "sqrt", json::array({epilogue_node("sum", json::array({epilogue_node("mul", json::array({x, x}))}),
                                             {{"axis", 1}, {"keepdim", false}})})),
      json::array({"M"}), "sqrt(sum[axis=1,keepdim=false](mul(x0:f32[d0,d1],x0)))");
}

/// mean(x * x, 1): f32[M].
Task row_mean() {
  return epilogue_task({{"M", 64}, {"N", 96}}, {{"x", json::array({"M", "N"})}},
                       epilogue_node("mean", json::array({epilogue_node("mul", json::array({x, x}))}),
                                     {{"axis", 1}, {"keepdim", false}}),
                       json::array({"M"}), "mean[axis=1,keepdim=false](mul(x0:f32[d0,d1],x0))");
}

/// amax(x * x, 1): f32[M].
Task row_max() {
  return epilogue_task({{"M", 64}, {"N", 96}}, {{"x", json::array({"M", "N"})}},
                       epilogue_node("amax", json::array({epilogue_node("mul", json::array({x, x}))}),
                                     {{"axis", 1}, {"keepdim", false}}),
                       json::array({"M"}), "amax[axis=1,keepdim=false](mul(x0:f32[d0,d1],x0))");
}

/// x @ w + b: f32[M, N].
Task linear() {
  return epilogue_task(
      {{"M", 64}, {"K", 64}, {"N", 48}},
      {{"x", json::array({"M", "K"})}, {"w", json::array({"K", "N"})}, {"b", json::array({"N"})}},
      epilogue_node("add", json::array({epilogue_node("matmul", json::array({x, w})), b})),
      json::array({"M", "N"}), "add(matmul(x0:f32[d0,d1],x1:f32[d1,d2]),x2:f32[d2])");
}

/// sum(x @ w, 1): f32[M], which is x @ sum(w, 1), too.
Task product_sum() {
  return epilogue_task({{"M", 64}, {"K", 64}, {"N", 64}},
                       {{"x", json::array({"M", "K"})}, {"w", json::array({"K", "N"})}},
                       epilogue_node("sum", json::array({epilogue_node("matmul", json::array({x, w}))}),
                                     {{"axis", 1}, {"keepdim", false}}),
                       json::array({"M"}), "sum[axis=1,keepdim=false](matmul(x0:f32[d0,d1],x1:f32[d1,d2]))");
}

// Kernels that leave something small to be finished.
const std::string kernels = R"(
@triton.jit
def column_partials(x_ptr, part_ptr, M, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    # One program sums ROWS rows.
    column = tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), tl.float32)
    for i in range(ROWS):
        row = tl.program_id(0) * ROWS + i
        x = tl.load(x_ptr + row * N + column, mask=(column < N) & (row < M), other=0.0)
        total += x * x
    tl.store(part_ptr + tl.program_id(0) * N + column, total, mask=column < N)

@triton.jit
def row_partials(x_ptr, part_ptr, N, HALVES: tl.constexpr, BLOCK: tl.constexpr):
    # A program sums a row's block; `part` is [rows, HALVES].
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + i, mask=i < N, other=0.0)
    tl.store(part_ptr + tl.program_id(0) * HALVES + tl.program_id(1), tl.sum(x * x, 0))

@triton.jit
def row_maxima(x_ptr, part_ptr, N, HALVES: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + i, mask=i < N, other=0.0)
    tl.store(part_ptr + tl.program_id(0) * HALVES + tl.program_id(1), tl.max(x * x, 0))

@triton.jit
def product(x_ptr, w_ptr, y_ptr, M, K, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, 16):
        k = first + tl.arange(0, 16)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(x, w, total, input_precision="ieee")
    tl.store(y_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))

@triton.jit
def hand_on(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

@triton.jit
def square(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * x, mask=i < n)

class ModelNew(nn.Module):
    def columns(self, x):
        M, N = x.shape
        part = torch.empty((triton.cdiv(M, 16), N), device=x.device, dtype=torch.float32)
        column_partials[(part.shape[0],)](x, part, M, N, ROWS=16, COLUMNS=triton.next_power_of_2(N))
        return part

    def rows(self, x, kernel=row_partials):
        M, N = x.shape
        halves = triton.cdiv(N, 64)
        part = torch.empty((M, halves), device=x.device, dtype=torch.float32)
        kernel[(M, halves)](x, part, N, HALVES=halves, BLOCK=64)
        return part

    def matmul(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=torch.float32)
        product[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, y, M, K, N, BM=16, BN=16)
        return y

    def same(self, x):
        y = torch.empty_like(x)
        hand_on[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y

    def squares(self, x):
        y = torch.empty_like(x)
        square[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y

)";

std::string answer(const std::string& arguments, const std::string& body) {
  return kernels + "    def forward(self, " + arguments + "):\n" + body;
}

json training_spec(const char* framework) {
  json spec = {{"variations", {"original", "reseed", "resize(150%)"}},
               {"tiny", true},
               {"compile", "after_values"},
               {"limits", {{"seconds", 20}}}};
  if (framework != nullptr) spec["framework"] = framework;
  return spec;
}

Protocol epilogue() { return Protocol::parse(training_spec("epilogue")); }
Protocol without() { return Protocol::parse(training_spec(nullptr)); }

struct Case {
  const char* name;
  Task (*task)();
  const char *arguments, *body;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class EpilogueFinished : public testing::TestWithParam<Case> {};

TEST_P(EpilogueFinished, IsRightWithTheShareOfItsKernels) {
  const Case& one = GetParam();
  const Verdict verdict = judge(one.task(), answer(one.arguments, one.body), epilogue());
  ASSERT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  ASSERT_TRUE(verdict.kernel_share);
  EXPECT_GE(*verdict.kernel_share, 0.75);
  EXPECT_LT(*verdict.kernel_share, 1);
  EXPECT_EQ(verdict.to_json().at("kernel_share"), *verdict.kernel_share);
}

TEST_P(EpilogueFinished, IsRefusedWithoutThePolicy) {
  const Case& one = GetParam();
  const Verdict verdict = judge(one.task(), answer(one.arguments, one.body), without());
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.reason, "framework_compute") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("only kernels may compute"), std::string::npos) << verdict.message;
  EXPECT_FALSE(verdict.kernel_share);
  EXPECT_FALSE(verdict.to_json().contains("kernel_share"));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, EpilogueFinished,
    testing::Values(
        Case{"sum_of_partial_sums", column_energy, "x", "        return self.columns(x).sum(0)\n"},
        Case{"sum_of_a_transposed_view", column_energy, "x",
             "        return self.columns(x).t().sum(dim=-1)\n"},
        Case{"sum_kept_and_squeezed", column_energy, "x",
             "        return torch.sum(self.columns(x), dim=0, keepdim=True).squeeze(0)\n"},
        Case{"a_clone_of_partial_sums", column_energy, "x",
             "        return self.columns(x).clone().sum(0)\n"},
        Case{"root_of_a_sum", row_norm, "x", "        return self.rows(x).sum(1).sqrt()\n"},
        Case{"root_in_place", row_norm, "x", "        return torch.sqrt_(self.rows(x).sum(1))\n"},
        Case{"reciprocal_of_a_reciprocal_root", row_norm, "x",
             "        return 1 / torch.rsqrt(self.rows(x).sum(1))\n"},
        Case{"mean_by_a_sum_and_a_number", row_mean, "x",
             "        return self.rows(x).sum(1) / x.shape[1]\n"},
        Case{"mean_of_means", row_mean, "x",
             "        part = self.rows(x)\n        return part.mean(1) * (part.shape[1] / x.shape[1])\n"},
        Case{"signs_and_halves", row_mean, "x",
             "        half = self.rows(x).sum(1).neg_().div_(2.0 * x.shape[1])\n        return 0 - (half + "
             "half)\n"},
        Case{"a_number_on_the_host", row_mean, "x",
             "        return self.rows(x).sum(1) / torch.tensor(float(x.shape[1]))\n"},
        Case{"largest_of_maxima", row_max, "x", "        return self.rows(x, row_maxima).amax(1)\n"},
        Case{"smallest_of_the_negative", row_max, "x",
             "        return -torch.amin(-self.rows(x, row_maxima), 1)\n"},
        Case{"bias_in_place", linear, "x, w, b", "        return self.matmul(x, w).add_(b)\n"},
        Case{"bias_in_a_new_tensor", linear, "x, w, b", "        return self.matmul(x, w) + b\n"},
        Case{"bias_first", linear, "x, w, b", "        return b + self.matmul(x, w)\n"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Epilogue, AnAnswerOfKernelsAloneHasAWholeShare) {
  const Verdict verdict = judge(candidates::relu(), candidates::honest_relu, epilogue());
  ASSERT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.kernel_share, 1);
}

// 64 partial sums of 16 rows each, 4 * 96 elements: 4 bytes each and one addition, and 96 results.
TEST(Epilogue, TheShareIsThatOfTheReferencesWork) {
  const Verdict verdict =
      judge(column_energy(), answer("x", "        return self.columns(x).sum(0)\n"), epilogue());
  ASSERT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  const double elements = 64 * 96, finished = 4 * 4 * 96 + 4 * 96 + 4 * 96;
  const double product = 12 * elements + elements, sum = 4 * elements + 4 * 96 + elements;
  EXPECT_NEAR(*verdict.kernel_share, 1 - finished / (product + sum), 0.05);
}

class EpilogueRefused : public testing::TestWithParam<std::pair<Case, const char*>> {};

TEST_P(EpilogueRefused, EarnsNothing) {
  const auto& [one, message] = GetParam();
  const Verdict verdict = judge(one.task(), answer(one.arguments, one.body), epilogue());
  EXPECT_FALSE(verdict.correct);
  EXPECT_FALSE(verdict.tiny) << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.reason, "framework_compute") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find(message), std::string::npos) << verdict.message;
}

INSTANTIATE_TEST_SUITE_P(
    Forms, EpilogueRefused,
    testing::Values(
        std::pair{Case{"a_product", linear, "x, w, b", "        return self.same(x) @ w + b\n"},
                  "PyTorch's mm"},
        std::pair{Case{"inputs_alone", row_mean, "x", "        self.rows(x)\n        return x.mean(1)\n"},
                  "PyTorch's mean"},
        std::pair{Case{"the_task_on_a_copy", column_energy, "x",
                       "        y = self.same(x)\n        return (y * y).sum(0)\n"},
                  "of the reference's work"},
        std::pair{Case{"the_reduction_of_all", column_energy, "x", "        return self.squares(x).sum(0)\n"},
                  "of the reference's work"},
        std::pair{Case{"a_kernel_after_it", row_norm, "x",
                       "        return self.same(self.rows(x).sum(1).sqrt())\n"},
                  "goes on with what PyTorch computed"},
        std::pair{Case{"a_kernel_after_a_copy_of_it", row_norm, "x",
                       "        return self.same(self.rows(x).sum(1).sqrt().clone())\n"},
                  "goes on with what PyTorch computed"},
        std::pair{Case{"other_operations", row_norm, "x", "        return torch.exp(self.rows(x).sum(1))\n"},
                  "PyTorch's exp"}),
    [](const auto& info) { return std::string(info.param.first.name); });

// The rows of w are summed first, which makes the product a small one. The kernels hand their inputs on.
TEST(Epilogue, KernelsDoMoreThanPyTorchWhateverTheReferenceTakes) {
  const Verdict verdict =
      judge(product_sum(), answer("x, w", "        return (self.same(x) * self.same(w).sum(1)).sum(1)\n"),
            Protocol::parse(
                {{"variations", {"original"}}, {"compile", "after_values"}, {"framework", "epilogue"}}));
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.reason, "framework_compute") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("of what it and the kernels do"), std::string::npos) << verdict.message;
}

TEST(Epilogue, SmallSizesMayNotHaveMoreOperations) {
  const Verdict verdict =
      judge(row_norm(),
            answer("x",
                   "        if x.numel() > 16:\n            return self.rows(x).sum(1).sqrt()\n"
                   "        part = self.rows(x)\n"
                   "        return ((part.sum(1) + 1) - 1).sqrt()\n"),
            epilogue());
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "tiny") << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.reason, "framework_compute");
}

// All is summed by PyTorch, but at the task's own sizes, where that is too much.
TEST(Epilogue, SmallSizesMayNotReduceMore) {
  const Verdict verdict =
      judge(row_norm(),
            answer("x",
                   "        if x.numel() > 16:\n            return self.rows(x).sum(1).sqrt()\n"
                   "        return self.squares(x).sum(1).sqrt()\n"),
            epilogue());
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "tiny") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("at small sizes"), std::string::npos) << verdict.message;
}

TEST(Epilogue, ADummyKernelBesideItIsADecoy) {
  // The buffer is filled by the framework, and the kernel that gets it changes nothing.
  const Verdict verdict =
      judge(row_norm(), answer("x", R"(        y = torch.empty((x.shape[0], 2), device=x.device)
        hand_on[(1,)](x, y, 0, BLOCK=16)
        y.copy_(x[:, :2])
        return y.sum(1)
)"),
            epilogue());
  EXPECT_FALSE(verdict.correct) << verdict.to_json().dump(1);
}

TEST(Epilogue, ItsNamesAreReserved) {
  std::string text = answer("x", "        return self.columns(x).sum(0)\n");
  for (std::size_t at = 0; (at = text.find("column_partials", at)) != std::string::npos; at += 20)
    text.replace(at, std::string("column_partials").size(), "trl_epilogue_partials");
  const Verdict verdict = judge(column_energy(), text, epilogue());
  EXPECT_EQ(verdict.reason, "unsupported") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("PyTorch's own"), std::string::npos) << verdict.message;
  text.replace(text.find(".sum(0)"), 7, "");
  EXPECT_NE(judge(column_energy(), text, without()).reason, "unsupported");
}

// The answer's recording under the policy.
json recorded(const std::string& text) {
  const json shapes = json::array({{{"label", "original"},
                                    {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {64, 96}}}}},
                                    {"outputs", 1}}});
  return candidates::recorder().record(extract_source(text), shapes, {}, {}, nullptr, true);
}

Protocol one_plan(const char* framework) {
  json spec = {{"variations", {"original"}}, {"compile", "after_values"}};
  if (framework != nullptr) spec["framework"] = framework;
  return Protocol::parse(spec);
}

Verdict judge_recording(const json& recording, const char* framework = "epilogue") {
  return candidates::examine_recorded(column_energy(), recording, one_plan(framework), candidates::secret())
      .verdict;
}

json& marked_launch(json& recording) {
  for (json& step : recording["plans"][0]["steps"])
    if (step.contains("launch") && step["launch"].contains("framework")) return step["launch"];
  throw std::runtime_error("no launch is marked");
}

json partial_sums() { return recorded(answer("x", "        return self.columns(x).sum(0)\n")); }

TEST(ForgedEpilogue, TheRecordingItselfIsRight) {
  const Verdict verdict = judge_recording(partial_sums());
  EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
}

TEST(ForgedEpilogue, AMarkCountsForNothingWithoutThePolicy) {
  const Verdict verdict = judge_recording(partial_sums(), nullptr);
  EXPECT_EQ(verdict.reason, "framework_compute") << verdict.to_json().dump(1);
  EXPECT_FALSE(verdict.claimed);
}

TEST(ForgedEpilogue, AMarkIsNoUseOnAnotherKernel) {
  const auto refused = [](const json& recording) {
    const Verdict verdict = judge_recording(recording);
    EXPECT_EQ(verdict.reason, "bad_plan") << verdict.to_json().dump(1);
    EXPECT_FALSE(verdict.valid);
  };
  const json honest = partial_sums();
  json one = honest;
  one["kernels"][1]["ttir"] = one["kernels"][1]["ttir"].get<std::string>() + "\n";
  refused(one);
  one = honest;
  one["kernels"][1]["options"]["num_warps"] = 8;
  refused(one);
  one = honest;
  one["kernels"][1]["name"] = "trl_epilogue_sum_f32_f32_1x64";
  refused(one);
  one = honest;
  one["kernels"][1]["name"] = "mine";
  refused(one);
  one = honest;
  marked_launch(one)["kernel"] = 0;
  refused(one);
  one = honest;
  marked_launch(one)["alternatives"] = json::array({marked_launch(one)});
  refused(one);
  one = honest;
  marked_launch(one)["framework"] = "a sum, or so";
  refused(one);
  one = honest;
  marked_launch(one)["grid"] = {3, 2, 1};
  refused(one);
  one = honest;
  marked_launch(one)["args"].push_back({{"i32", 1}});
  refused(one);
  one = honest;
  marked_launch(one)["args"][2] = {{"i32", 1}};
  refused(one);
  for (const int size : {3, 4, 6}) {  // n, and sizes of dimensions
    one = honest;
    marked_launch(one)["args"][size] = {{"i32", size == 3 ? -1 : 0}};
    refused(one);
  }
  one = honest;
  marked_launch(one)["args"][3] = {{"i32", 1 << 30}};
  refused(one);
}

TEST(ForgedEpilogue, ALaunchWithoutItsMarkIsNoKernelOfTheAnswer) {
  json one = partial_sums();
  marked_launch(one).erase("framework");
  EXPECT_EQ(judge_recording(one).reason, "unsupported");
}

TEST(ForgedEpilogue, ItReadsWhatAKernelWrote) {
  json one = partial_sums();
  marked_launch(one)["args"][1]["buffer"] = 0;  // the input
  const Verdict verdict = judge_recording(one);
  EXPECT_EQ(verdict.reason, "framework_compute") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("reads nothing that a kernel computed"), std::string::npos)
      << verdict.message;
}

TEST(ForgedEpilogue, NoInputIsWritten) {
  json one = partial_sums();
  marked_launch(one)["args"][0]["buffer"] = 0;
  EXPECT_EQ(judge_recording(one).reason, "bad_plan");
}

// The sum is over as many elements as the buffer has, again and again.
TEST(ForgedEpilogue, TooMuchWorkIsCountedByTheArguments) {
  json one = partial_sums();
  marked_launch(one)["args"][7] = {{"i32", 100000}};
  const Verdict verdict = judge_recording(one);
  EXPECT_EQ(verdict.reason, "framework_compute") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("of the reference's work"), std::string::npos) << verdict.message;
}

TEST(Epilogue, AnExamNeverAllowsIt) {
  json spec = training_spec("epilogue");
  spec["strict"] = true;
  EXPECT_ANY_THROW(Protocol::parse(spec));
}

TEST(Epilogue, BothSidesMakeTheSameKernels) {
  const std::string script =
      "import sys; sys.path.insert(0, sys.argv[1])\n"
      "import epilogue\n"
      "from launch_trace import Current\n"
      "types = epilogue.TYPES\n"
      "for operation, form in epilogue.FORMS.items():\n"
      "    if operation in ('sum', 'amax', 'amin'):\n"
      "        for a in types:\n"
      "            for out in types:\n"
      "                for tile in epilogue.TILES: epilogue.reducing_kernel(operation, a, out, tile)\n"
      "    else:\n"
      "        for a in types:\n"
      "            for b in (*types, 'number'):\n"
      "                for out in types: epilogue.elementwise_kernel(operation, a, b, out)\n"
      "import json\n"
      "for kernel in Current.kernels: print(json.dumps(kernel))\n";
  const Installation installation = find_installation();
  ::setenv("PYTHONPATH", "", 0);
  std::vector<std::string> command = {installation.python.string(), "-B", "-c", script,
                                      (installation.scripts / "recorder").string()};
  ChildProcess child(command);
  std::size_t count = 0;
  while (const auto line = child.read_line(std::chrono::seconds(60))) {
    const json kernel = json::parse(*line);
    ++count;
    EXPECT_EQ(epilogue_kernel(kernel["name"]), kernel["ttir"].get<std::string>()) << kernel["name"];
  }
  EXPECT_EQ(count, 8u * 3 * 4 * 3 + 3u * 3 * 3 * 2) << child.errors();
}

}  // namespace
}  // namespace trl::runtime::epilogue_tests
