// Tasks whose own sizes are too large to be carried out as a whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/verifier/candidates.hpp"
#include "tests/verifier/task_of.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/inputs/other_sizes.hpp"
#include "verifier/inputs/task_parts.hpp"
#include "verifier/replay/replay_messages.hpp"

namespace trl::runtime {
namespace {

// An exam on a machine that holds this little; relu's own sizes take 128 KiB.
Protocol small_machine(std::int64_t bytes = 1 << 15) {
  Protocol protocol = candidates::exam();
  protocol.held_bytes = bytes;
  return protocol;
}

Examined examine(const Task& task, const std::string& answer, const Protocol& protocol) {
  return candidates::verifier().examine(task, answer, protocol, candidates::secret());
}

const ExaminedStep& own_step(const Examined& examined) {
  return *std::find_if(examined.steps.begin(), examined.steps.end(),
                       [](const ExaminedStep& one) { return one.variation == own_sizes_label; });
}

// y = 2 x by blocks of 1024 elements; `index` is the position of a program's elements, `grid` the wrapper's.
std::string doubled(const std::string& index, const std::string& grid = "triton.cdiv(n, 1024)",
                    const std::string& value = "2.0 * x") {
  return R"(import torch, torch.nn as nn, triton, triton.language as tl

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = )" +
         index +
         R"(
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i, )" +
         value + R"(, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[()" +
         grid + R"(,)](x, y, n, BLOCK=1024)
        return y
)";
}

const std::string narrow = "tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)";
const std::string wide = "tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)";

// 2.6 · 10^9 elements, beyond 2^31: 10.5 GB each way.
Task huge() { return task_of("[M = 65536, N = 40000](x: f32[M, N]) = 2 * x"); }

TEST(OwnSizes, AreJudgedBySinglePrograms) {
  const Examined examined = examine(candidates::relu(), candidates::honest_relu, small_machine());
  EXPECT_TRUE(examined.verdict.correct) << examined.verdict.to_json().dump(1);
  ASSERT_TRUE(examined.verdict.own_sizes);
  EXPECT_EQ(examined.verdict.own_sizes->programs, 64u);
  EXPECT_EQ(examined.verdict.own_sizes->all_programs, 64u);
  EXPECT_EQ(examined.verdict.own_sizes->values, 64u * 256);
  EXPECT_EQ(examined.verdict.own_sizes->all_values, 64u * 256);
  EXPECT_EQ(own_step(examined).message,
            "64 of 64 programs, addresses checked, 16,384 of 16,384 values compared");
  EXPECT_EQ(
      examined.verdict.to_json()["own_sizes"],
      (nlohmann::json{{"programs", 64}, {"all_programs", 64}, {"values", 16384}, {"all_values", 16384}}));
  const auto original = std::find_if(examined.steps.begin(), examined.steps.end(),
                                     [](const auto& one) { return one.variation == "original"; });
  EXPECT_TRUE(original->message.starts_with("at M ")) << original->message;
  const Verdict whole = candidates::judge(candidates::relu(), candidates::honest_relu);
  EXPECT_FALSE(whole.own_sizes);
  EXPECT_DOUBLE_EQ(*whole.reference_us, *examined.verdict.reference_us);
  EXPECT_DOUBLE_EQ(*whole.time_us, *examined.verdict.time_us) << "all programs have run";
}

TEST(OwnSizes, RefuseAnAnswerThatIsWrongThereAlone) {
  const std::string answer = doubled(wide, "triton.cdiv(n, 1024)", "tl.where(n > 1000000, 1.0, 2.0) * x");
  const Verdict verdict = candidates::judge(huge(), answer);
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "full") << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.reason, "wrong_values");
  EXPECT_EQ(verdict.variation, own_sizes_label);
}

TEST(OwnSizes, RefuseAnIndexThatOverflowsIn32Bits) {
  const Verdict verdict = candidates::judge(huge(), doubled(narrow));
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "full") << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.reason, "out_of_bounds_store");
  EXPECT_EQ(verdict.variation, own_sizes_label);
  EXPECT_GT(verdict.line, 0);
  const Verdict honest = candidates::judge(huge(), doubled(wide));
  EXPECT_TRUE(honest.correct) << honest.to_json().dump(1);
  ASSERT_TRUE(honest.own_sizes);
  EXPECT_EQ(honest.own_sizes->programs, 64u);
  EXPECT_EQ(honest.own_sizes->all_programs, 2'560'000u);
  EXPECT_EQ(honest.own_sizes->values, 64u * 1024);
}

TEST(OwnSizes, GiveNoTimeToAGridThatIsTooSmall) {
  const Examined honest = examine(huge(), doubled(wide), candidates::exam());
  const Examined cut = examine(huge(), doubled(wide, "min(triton.cdiv(n, 1024), 4096)"), candidates::exam());
  EXPECT_NE(own_step(cut).message.find("don't fill the output"), std::string::npos) << own_step(cut).message;
  EXPECT_NE(own_step(cut).message.find("none of these stores its last element"), std::string::npos);
  EXPECT_EQ(own_step(honest).message.find("fill"), std::string::npos) << own_step(honest).message;
  EXPECT_LT(cut.verdict.speedup, 2 * honest.verdict.speedup);
}

TEST(OwnSizes, FindProgramsThatStoreOtherNumbersInOnePlace) {
  // Beyond a million elements, blocks overlap by half.
  const std::string index =
      "tl.program_id(0).to(tl.int64) * tl.where(n > 1000000, BLOCK // 2, BLOCK) + tl.arange(0, BLOCK)";
  const Task task = task_of("[M = 64, N = 20000](x: f32[M, N]) = 2 * x");
  // All of the few programs of a small grid run, so that neighbours do.
  const std::string answer = doubled(index, "triton.cdiv(n, 1024) if n < 1000000 else 32",
                                     "2.0 * x + tl.where(n > 1000000, tl.program_id(0), 0)");
  const Verdict verdict = candidates::judge(task, answer, small_machine(1 << 20));
  EXPECT_EQ(verdict.failed, "full") << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.variation, own_sizes_label);
}

// The second launch reads what the first one's other programs would have written.
TEST(OwnSizes, CompareNoValuesOfProgramsThatDependOnOthers) {
  const std::string answer = R"(import torch, torch.nn as nn, triton, triton.language as tl

@triton.jit
def kernel(x_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, scale * x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        t, y, n = torch.empty_like(x), torch.empty_like(x), x.numel()
        kernel[(triton.cdiv(n, 1024),)](x, t, n, 4.0, BLOCK=1024)
        kernel[(triton.cdiv(n, 1024),)](t, y, n, 0.5, BLOCK=1024)
        return y
)";
  const Verdict verdict = candidates::judge(huge(), answer);
  EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  ASSERT_TRUE(verdict.own_sizes);
  EXPECT_EQ(verdict.own_sizes->programs, 128u);
  EXPECT_EQ(verdict.own_sizes->values, 0u);
}

TEST(OwnSizes, LeaveAFindingThatDependsOnOtherProgramsUncertain) {
  // An index that another program writes: one less than the row's length.
  const std::string answer = R"(import torch, torch.nn as nn, triton, triton.language as tl

@triton.jit
def ends(t_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(t_ptr + i, i + 1, mask=i < n)

@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(t_ptr + i, mask=i < n, other=1) - 1
    tl.store(y_ptr + i, 2.0 * tl.load(x_ptr + at, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        t, y, n = torch.empty(x.shape, dtype=torch.int64, device=x.device), torch.empty_like(x), x.numel()
        ends[(triton.cdiv(n, 1024),)](t, n, BLOCK=1024)
        kernel[(triton.cdiv(n, 1024),)](x, t, y, n, BLOCK=1024)
        return y
)";
  const Examined examined = examine(huge(), answer, candidates::exam());
  EXPECT_TRUE(examined.verdict.correct) << examined.verdict.to_json().dump(1);
}

// A cast halves the bytes of inputs and results, so that they would just fit.
TEST(OwnSizes, AreNotDrawnForACastThatWouldFit) {
  const Task task = candidates::relu();
  const Protocol protocol = small_machine(3 * 64 * 256 * 2);
  Variation cast;
  cast.kind = Variation::Kind::Cast;
  cast.dtype = "f16";
  ASSERT_FALSE(oversized(task, cast, protocol.held_bytes));
  const TestCases test_cases = choose_test_cases({task, protocol, candidates::secret()});
  ASSERT_TRUE(test_cases.own_sizes);
  EXPECT_FALSE(test_cases.variations.empty());
  for (const Variation& one : test_cases.variations) EXPECT_FALSE(one.dims.empty()) << one.label();
}

TEST(TaskParts, CutDimensionsAlongWhichATaskIsIndependent) {
  const auto cuttable = [](const std::string& line) { return cuttable_dims(task_of(line)); };
  using Cuttable = std::vector<bool>;
  EXPECT_EQ(cuttable("[M = 64, N = 64](x: f32[M, N]) = relu(x)"), (Cuttable{true, true}));
  EXPECT_EQ(cuttable("[M = 64, N = 64](x: f32[M, N], b: f32[N]) = x + b"), (Cuttable{true, true}));
  EXPECT_EQ(cuttable("[M = 64, K = 32, N = 48](x: f32[M, K], w: f32[K, N]) = x @ w"),
            (Cuttable{true, false, true}));
  EXPECT_EQ(cuttable("[M = 64, N = 64](x: f32[M, N]) = softmax(x, 1)"), (Cuttable{true, false}));
  EXPECT_EQ(cuttable("[M = 64, N = 64](x: f32[M, N]) = sum(x, 1)"), (Cuttable{true, false}));
  EXPECT_EQ(cuttable("[M = 64, N = 64](x: f32[M, N]) = x - mean(x)"), (Cuttable{false, false}));
  EXPECT_EQ(cuttable("[M = 64, N = 64](x: f32[M, N]) = cumsum(x, 0)"), (Cuttable{false, true}));
  EXPECT_EQ(cuttable("[N = 64](x: f32[N, N]) = relu(x)"), (Cuttable{false})) << "one size, two axes";
}

TEST(TaskParts, HaveTheValuesOfTheWhole) {
  const Task task = candidates::matmul();
  const std::vector<InputData> inputs = large_inputs(task, Variation{}, "secret", "commitment");
  std::vector<InputData> held;
  for (const InputData& input : inputs) {
    InputData& one = held.emplace_back(InputData{input.name, {}});
    for (std::int64_t i = 0; i < input.drawn->elements; ++i) {
      const auto element = input.drawn->element(i);
      one.bytes.insert(one.bytes.end(), element.begin(), element.begin() + bytes_of(input.drawn->type));
    }
  }
  const Expected whole = expect(task, Variation{}, held, Precision::task);
  const std::vector<std::size_t> elements = {5 * 48 + 7, 5 * 48 + 8, 63 * 48 + 47};
  const TaskPart part(task, elements);
  const Expected values = part.expect(Variation{}, inputs, Precision::task);
  EXPECT_EQ(values.size(), 2u * 3);
  for (const std::size_t element : elements)
    EXPECT_NEAR(values.values.at(part.number_of(element)), whole.values.at(element), 1e-9);
}

TEST(LargeInputs, AreTheSameInTheProcessThatTouchesThem) {
  for (const char* dtype : {"f32", "f16", "bf16"}) {
    const Task task = task_of(std::string("[M = 8, N = 40](x: ") + dtype + "[M, N]) = relu(x)");
    for (const InputData& one : large_inputs(task, Variation{}, "secret", "commitment")) {
      const InputData other = read_input(to_json(one));
      ASSERT_TRUE(other.drawn);
      for (std::int64_t i = 0; i < 320; ++i) EXPECT_EQ(one.drawn->element(i), other.drawn->element(i));
    }
  }
}

TEST(SampledResults, AreReadAsHostileData) {
  Plan plan;
  plan.buffers = {{64, -1}};
  plan.steps.emplace_back(LaunchStep{});
  const auto taken = [&](SampledProgram program, executor::StoredRun run, std::size_t bytes) {
    ReplayResult result;
    result.sampled = {program};
    result.stored = {run};
    result.stored_bytes.resize(bytes);
    const SentResult sent = send(result);
    ReceivedResult received(sent.head, plan, false);
    if (!received.sound()) return false;
    const auto parts = received.parts();
    for (std::size_t i = 0; i < parts.size(); ++i)
      std::copy(sent.parts[i].begin(), sent.parts[i].end(), parts[i].begin());
    return received.take().has_value();
  };
  const SampledProgram good{0, 3, 4, 1, 1, 1};
  EXPECT_TRUE(taken(good, {0, 56, 8}, 8));
  EXPECT_FALSE(taken(good, {0, 60, 8}, 8)) << "beyond its buffer";
  EXPECT_FALSE(taken(good, {0, -8, 8}, 8));
  EXPECT_FALSE(taken(good, {1, 0, 8}, 8)) << "no such buffer";
  EXPECT_FALSE(taken(good, {0, 0, 8}, 4)) << "fewer bytes than it says";
  EXPECT_FALSE(taken(good, {0, 0, 8}, 16));
  EXPECT_FALSE(taken({1, 3, 4, 1, 1, 1}, {0, 0, 8}, 8)) << "no such step";
  EXPECT_FALSE(taken({0, 4, 4, 1, 1, 1}, {0, 0, 8}, 8)) << "no such program";
  EXPECT_FALSE(taken({0, 3, 4, 1, 1, 2}, {0, 0, 8}, 8)) << "fewer runs than it says";
  EXPECT_FALSE(taken({0, 3, 4, 1, 1, -1}, {0, 0, 8}, 8));
}

TEST(Domain, DrawsAnyElementAlone) {
  using Kind = InputValues::Kind;
  const auto drawn = [](Kind kind, std::uint64_t count, std::uint64_t width, double high = 1) {
    Domain domain;
    domain.kind = kind;
    domain.integers = kind == Kind::offsets;
    domain.high = high;
    std::vector<double> all;
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(domain.draw_at(RandomKey{7}, i, count, width));
    return all;
  };
  const std::vector<double> hot = drawn(Kind::one_hot, 60, 6);
  for (std::size_t row = 0; row < 10; ++row)
    EXPECT_EQ(std::count(hot.begin() + row * 6, hot.begin() + row * 6 + 6, 1.0), 1);
  const std::vector<double> offsets = drawn(Kind::offsets, 9, 9, 100);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
  EXPECT_EQ(offsets.front(), 0);
  EXPECT_EQ(offsets.back(), 100);
  const std::vector<double> symmetric = drawn(Kind::symmetric, 50, 5, 0),
                            upper = drawn(Kind::upper_triangular, 25, 5, 0);
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t c = 0; c < 5; ++c) {
      EXPECT_EQ(symmetric[25 + r * 5 + c], symmetric[25 + c * 5 + r]);
      EXPECT_EQ(upper[r * 5 + c] == 0, c < r);
    }
}

TEST(SmallerSizes, KeepKindsAndLeaveSmallTasksDifferentSizes) {
  Variation resize;
  resize.kind = Variation::Kind::Resize;
  resize.factor = 1.5;
  const auto smaller = at_smaller_sizes(huge(), resize);
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->label(), resize.label());
  EXPECT_LE(smaller->dims[0] * smaller->dims[1], 1 << 16);
  EXPECT_NE(smaller->dims[0], smaller->dims[1]);
  EXPECT_GE(sizes(huge(), *smaller).at("M"), smaller->dims[0] * 3 / 2);
  EXPECT_TRUE(oversized(huge(), Variation{}));
  EXPECT_FALSE(oversized(huge(), *smaller));
  EXPECT_EQ(footprint_bytes(candidates::relu(), Variation{}), 2 * 64 * 256 * 4);
}

}  // namespace
}  // namespace trl::runtime
