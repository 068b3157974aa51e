// Candidates with less precision than the task's, and candidates that ordinary inputs don't refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "tests/verifier/candidates.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/compare/wrong_values.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;

/// matmul() with the arguments of tl.dot.
std::string product(const std::string& dot) {
  return R"(@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot()" +
         dot + R"()
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, y, M, N, K, BM=16, BN=16, BK=16)
        return y
)";
}

Protocol with(Precision precision) {
  Protocol protocol = training();
  protocol.precision = precision;
  return protocol;
}

// A cast is of tasks that are generic in their dtype; one that has the cast's dtype already is judged in it
// once.
TEST(Cast, LeavesATaskAloneThatSaysItsDtype) {
  nlohmann::json halves = relu().to_json();
  halves["inputs"][0]["dtype"] = halves["output"]["dtype"] = "f16";
  std::string key = halves["key"];
  halves["key"] = key.replace(key.find("f32"), 3, "f16");
  const Task in_f16 = Task::parse(halves);
  Protocol protocol = exam();
  protocol.variations = {Variation::parse("original"), Variation::parse("cast(f16)")};
  const Examined alone = verifier().examine(in_f16, honest_relu, protocol, secret());
  EXPECT_TRUE(alone.verdict.correct) << alone.verdict.to_json().dump(1);
  EXPECT_EQ(alone.verdict.left_alone, std::vector<std::string>{"cast(f16)"});
  EXPECT_EQ(alone.verdict.to_json()["left_alone"], nlohmann::json({"cast(f16)"}));
  const auto cast = std::find_if(alone.steps.begin(), alone.steps.end(),
                                 [](const ExaminedStep& step) { return step.variation == "cast(f16)"; });
  ASSERT_NE(cast, alone.steps.end());
  EXPECT_EQ(cast->outcome, ExaminedStep::Outcome::skipped);
  EXPECT_NE(cast->message.find("says its dtypes"), std::string::npos) << cast->message;

  const Verdict generic = judge(relu(), honest_relu, protocol);
  EXPECT_TRUE(generic.correct);
  EXPECT_TRUE(generic.left_alone.empty());
  EXPECT_FALSE(generic.to_json().contains("left_alone"));

  protocol.variations = {Variation::parse("cast(f16)")};
  const Verdict only = judge(in_f16, honest_relu, protocol);
  EXPECT_TRUE(only.correct) << "it is judged in its own dtype: " << only.message;
  const std::string part =
      "        y = torch.empty_like(x)\n        kernel[(1,)](x, y, 7, BLOCK=64)\n        return y\n";
  EXPECT_FALSE(judge(in_f16, relu_answer(part), protocol).correct);
}

TEST(LowPrecision, IsRefusedAndNamed) {
  EXPECT_TRUE(judge(matmul(), product("a, b, input_precision=\"ieee\""), training()).correct);
  EXPECT_TRUE(judge(matmul(), product("a, b, input_precision=\"tf32x3\""), training()).correct);
  const Verdict tf32 = judge(matmul(), product("a, b"), training());
  EXPECT_EQ(tf32.reason, "low_precision") << tf32.message;
  EXPECT_NE(tf32.message.find("err as products in TF32"), std::string::npos) << tf32.message;
  for (const char* type : {"tl.float16", "tl.bfloat16"}) {
    const Verdict half =
        judge(matmul(), product(std::string("a.to(") + type + "), b.to(" + type + ")"), training());
    EXPECT_EQ(half.reason, "low_precision") << half.message;
  }
}

TEST(LowPrecision, IsRightWhereTheProtocolAllowsIt) {
  EXPECT_TRUE(judge(matmul(), product("a, b"), with(Precision::tf32)).correct);
  EXPECT_FALSE(
      judge(matmul(), product("a.to(tl.bfloat16), b.to(tl.bfloat16)"), with(Precision::tf32)).correct);
  EXPECT_TRUE(
      judge(matmul(), product("a.to(tl.bfloat16), b.to(tl.bfloat16)"), with(Precision::half)).correct);
}

// relu of whole rows, or what `body` makes of x.
std::string of_elements(const std::string& body) {
  std::string text = honest_relu;
  const std::string store = "tl.maximum(x, 0.0)";
  return text.replace(text.find(store), store.size(), body);
}

Task one_operator(const std::string& op, const nlohmann::json& attributes, const std::string& dtype,
                  const nlohmann::json& shape, const std::string& key) {
  nlohmann::json task = relu().to_json();
  task["value"] = {{"op", op}, {"args", {{{"input", "x"}}}}, {"attrs", attributes}, {"shape", shape}};
  task["output"] = {{"dtype", dtype}, {"shape", shape}};
  task["key"] = key;
  return Task::parse(task);
}

TEST(LowPrecision, IsNotSaidOfASystematicError) {
  const auto hinted = [](const Task& task, const std::string& text, const char* hint) {
    const Verdict verdict = judge(task, text, training());
    EXPECT_EQ(verdict.reason, "wrong_values") << text << verdict.message;
    EXPECT_NE(verdict.message.find(hint), std::string::npos) << verdict.message;
  };
  const char *proportional = "all of one proportion", *systematic = "systematic, not those of rounding";
  // All of a product by a wrong factor.
  std::string scaled = product("a, b, input_precision=\"ieee\"");
  const std::string value = "acc, mask";
  ASSERT_NE(scaled.find(value), std::string::npos) << scaled;
  hinted(matmul(), scaled.replace(scaled.find(value), value.size(), "acc * 1.0003, mask"), proportional);
  const Task exp = one_operator("exp", nlohmann::json::object(), "f32", {"M", "N"}, "exp(x0:f32[d0,d1])");
  EXPECT_TRUE(judge(exp, of_elements("tl.exp(x)"), training()).correct);
  hinted(exp, of_elements("tl.exp(x) * 1.0005"), proportional);
  hinted(exp, of_elements("tl.exp2(x * 1.442)"), systematic);  // and 695 of a million
  hinted(exp, of_elements("tl.exp(x) + 0.001"), systematic);
  const Task sine = one_operator("sin", nlohmann::json::object(), "f32", {"M", "N"}, "sin(x0:f32[d0,d1])");
  hinted(sine, of_elements("tl.sin(x) + 0.0004 * x * x"), systematic);
  // Rounding has no pattern.
  for (const char* type : {"tl.float16", "tl.bfloat16"}) {
    const std::string rounded = std::string(".to(") + type + ").to(tl.float32)";
    for (const std::string& body : {"tl.exp(x" + rounded + ")", "tl.exp(x)" + rounded}) {
      const Verdict verdict = judge(exp, of_elements(body), training());
      EXPECT_EQ(verdict.reason, "low_precision") << body << ": " << verdict.message;
    }
  }
}

// Small errors that no rounding of the task's values explains, though half precision could make them as
// large.
TEST(LowPrecision, IsNotSaidOfWhatRoundingDoesNotExplain) {
  const auto named = [](const Task& task, const std::string& text) {
    const Verdict verdict = judge(task, text, training());
    EXPECT_EQ(verdict.reason, "wrong_values") << text << verdict.message;
    EXPECT_EQ(verdict.message.find("precision"), std::string::npos) << verdict.message;
  };
  const Task by_tanh = one_operator("gelu", {{"approximate", "tanh"}}, "f32", {"M", "N"},
                                    "gelu[approximate=tanh](x0:f32[d0,d1])");
  named(by_tanh, of_elements("0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))"));
  const Task sine = one_operator("sin", nlohmann::json::object(), "f32", {"M", "N"}, "sin(x0:f32[d0,d1])");
  named(sine, of_elements("tl.sin(x) + 0.002 * tl.sin(40.0 * x)"));
  named(sine,
        of_elements(
            "tl.where(i % 3 == 0, tl.sin(x) * 1.002, tl.where(i % 3 == 1, tl.sin(x) * 0.998, tl.sin(x)))"));
  // The carry of the first columns is lost.
  std::string carry = product("a, b, input_precision=\"ieee\"");
  const std::string loop = "range(0, K, BK)";
  named(matmul(), carry.replace(carry.find(loop), loop.size(), "range(BK, K, BK)"));
  named(matmul(), product("a, b, input_precision=\"ieee\") + tl.where(rm[:, None] % 2 == 0, 0.003, -0.003"));
}

// Half precision could not tell the largest element from the one before it, which an index of ours names.
TEST(LowPrecision, IsNotSaidOfWrongIndices) {
  const Task task = one_operator("argmax", {{"axis", 1}, {"keepdim", false}}, "i64",
                                 nlohmann::json::array({"M"}), "argmax[axis=1,keepdim=false](x0:f32[d0,d1])");
  constexpr std::size_t rows = 64, columns = 256, largest = 200;
  std::vector<float> x(rows * columns, 0.0F);
  for (std::size_t row = 0; row < rows; ++row)
    x[row * columns + largest - 1] = 0.9999F, x[row * columns + largest] = 1.0F;
  const auto bytes = std::as_bytes(std::span(x));
  const std::vector<InputData> inputs = {{"x", {bytes.begin(), bytes.end()}}};
  const Expected expected = expect(task, Variation{}, inputs, Precision::task);
  std::vector<double> output = expected.values;
  ASSERT_EQ(output.at(7), largest);
  output[7] = largest - 1;
  ASSERT_FALSE(expected.accepts(7, output[7]));
  ASSERT_TRUE(expect(task, Variation{}, inputs, Precision::half).accepts(7, output[7]));
  ReplayFinding wrong{"wrong_values", "1 of 64 values is wrong"};
  explain_values(wrong, task, Variation{}, inputs, expected, output, Precision::task);
  EXPECT_EQ(wrong.kind, "wrong_values") << wrong.message;
}

// A sum in f32 that stands still gives one number many times, which a half type happens to hold.
TEST(LowPrecision, IsNotSaidOfOneNumberManyTimes) {
  const Task task = relu();
  const auto count = static_cast<std::size_t>(input_shapes(task, Variation{}).front().elements());
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = 1.0F + 0x1p-9F * static_cast<float>(1 + i % 24);
  const auto bytes = std::as_bytes(std::span(x));
  const std::vector<InputData> inputs = {{"x", {bytes.begin(), bytes.end()}}};
  const Expected expected = expect(task, Variation{}, inputs, Precision::task);
  const auto reason = [&](const std::vector<double>& output) {
    ReplayFinding wrong{"wrong_values", "all values are wrong"};
    explain_values(wrong, task, Variation{}, inputs, expected, output, Precision::task);
    return wrong.kind;
  };
  EXPECT_EQ(reason(std::vector<double>(count, 1.0)), "wrong_values");
  std::vector<double> rounded;
  for (const double value : expected.values) rounded.push_back(std::rint(value * 128) / 128);
  EXPECT_EQ(reason(rounded), "low_precision");
}

std::string softmax_of_rows(const std::string& body) {
  return R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    at = tl.program_id(0) * N + c
    x = tl.load(x_ptr + at, mask=c < N, other=-float("inf"))
)" + body +
         R"(    tl.store(y_ptr + at, e / tl.sum(e, axis=0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
        return y
)";
}

TEST(ExtremeInputs, RefuseWhatOverflows) {
  Protocol protocol = training();
  protocol.variations = {Variation{}, Variation::parse("extreme")};
  const Verdict naive = judge(softmax(), softmax_of_rows("    e = tl.exp(x)\n"), protocol);
  EXPECT_EQ(naive.variation, "extreme");
  EXPECT_EQ(naive.reason, "overflow") << naive.message;
  const Verdict stable =
      judge(softmax(), softmax_of_rows("    e = tl.exp(x - tl.max(x, axis=0))\n"), protocol);
  EXPECT_TRUE(stable.correct) << stable.reason << " " << stable.message;
}

Expression constant(double value) {
  Expression made;
  made.kind = Expression::Kind::Constant;
  made.constant = value;
  return made;
}

Expression operation(const std::string& op, std::vector<Expression> args) {
  Expression made;
  made.kind = Expression::Kind::Operator;
  made.op = parse_operator(op);
  made.args = std::move(args);
  return made;
}

/// A task with one input x whose value is an expression of x, and an answer to it.
Task pointwise_task(Expression value) {
  Task task = relu();
  task.value = std::move(value);
  infer_shapes(task);
  task.key = task_key(task);
  return task;
}
std::string pointwise_answer(const std::string& value) {
  return fmt::format(R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, {}, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
)",
                     value);
}

TEST(DegenerateTask, NothingIsRightInAnExam) {
  // relu(x - 1000) is zero for all ordinary inputs.
  const Task task =
      pointwise_task(operation("relu", {operation("sub", {relu().value.args[0], constant(1000)})}));
  const std::string answer = pointwise_answer("tl.maximum(x - 1000.0, 0.0)");
  Protocol strict = training();
  strict.strict = true;
  const Verdict verdict = judge(task, answer, strict);
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.reason, "degenerate_task") << verdict.message;
  EXPECT_TRUE(judge(task, answer, training()).correct);
}

TEST(DegenerateTask, IsOneWhoseVariationsArePassedByDifferentTrivialAnswers) {
  // x beyond ±20, and 0 otherwise: zero for ordinary inputs, and x for huge ones.
  const Expression x = relu().value.args[0];
  const Task task =
      pointwise_task(operation("sub", {operation("relu", {operation("sub", {x, constant(20)})}),
                                       operation("relu", {operation("sub", {constant(-20), x})})}));
  const std::string answer = pointwise_answer("tl.maximum(x - 20.0, 0.0) - tl.maximum(-20.0 - x, 0.0)");
  Protocol strict = training();
  strict.strict = true;
  strict.variations = {Variation{}, Variation::parse("scale(1000000000)")};
  const Verdict verdict = judge(task, answer, strict);
  EXPECT_EQ(verdict.reason, "degenerate_task") << verdict.to_json().dump(1);
  EXPECT_NE(verdict.message.find("each variation is passed by some trivial answer"), std::string::npos)
      << verdict.message;
  // A variation that no trivial answer passes is evidence; the other one is listed in no_evidence.
  strict.variations = {Variation{}, Variation::parse("scale(20)")};
  const Verdict right = judge(task, answer, strict);
  EXPECT_TRUE(right.correct) << right.to_json().dump(1);
  EXPECT_EQ(right.no_evidence, std::vector<std::string>{"original"});
}

}  // namespace
}  // namespace trl::runtime
