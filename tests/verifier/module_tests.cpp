// Tasks that were read from a file of KernelBench's form: the answer's module takes the constructor's
// arguments and keeps the parameters.
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"
#include "verifier/assess/assessment.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;
using nlohmann::json;

/// relu(x @ fc.weight^T + fc.bias) * scale, of a module Model(in_features, out_features).
json scaled_linear_json() {
  return json::parse(R"json({
    "suite": "test", "id": 1, "name": "scaled_linear", "dims": [["B", 32], ["K", 48], ["N", 40]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["B", "K"]},
               {"name": "fc_weight", "dtype": "f32", "shape": ["N", "K"], "parameter": "fc.weight"},
               {"name": "fc_bias", "dtype": "f32", "shape": ["N"], "parameter": "fc.bias"},
               {"name": "scale", "dtype": "f32", "shape": ["N"], "parameter": "scale"}],
    "value": {"op": "mul", "args": [{"op": "relu", "args": [
      {"op": "linear", "args": [{"input": "x"}, {"input": "fc_weight"}, {"input": "fc_bias"}], "shape": ["B", "N"]}]},
      {"input": "scale"}]},
    "output": {"dtype": "f32", "shape": ["B", "N"]},
    "module": {"code": "class Model(nn.Module): ...", "entry": "Model", "arguments": [{"size": "K"}, {"size": "N"}],
               "keywords": {"shape": {"tuple": [{"size": "N"}]}}},
    "key": "mul(relu(linear(x0:f32[d0,d1],x1:f32[d2,d1],x2:f32[d2])),x3:f32[d2])"})json");
}

Task scaled_linear() { return Task::parse(scaled_linear_json()); }

const std::string kernel = R"(@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, s_ptr, y_ptr, B, K, N, BK: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    k = tl.arange(0, BK)
    x = tl.load(x_ptr + i * K + k, mask=k < K, other=0.0)
    w = tl.load(w_ptr + j * K + k, mask=k < K, other=0.0)
    y = tl.sum(x * w, axis=0) + tl.load(b_ptr + j)
    tl.store(y_ptr + i * N + j, tl.maximum(y, 0.0) * tl.load(s_ptr + j))

)";

/// An answer with its constructor's and its forward's lines; `weight`, `bias` and `scale` are what the kernel
/// is given.
std::string answer(const std::string& constructor, const std::string& weight, const std::string& bias,
                   const std::string& scale) {
  return kernel +
         "class ModelNew(nn.Module):\n    def __init__(self, in_features, out_features, shape):\n        "
         "super().__init__()\n" +
         constructor + "\n    def forward(self, x):\n        B, K = x.shape\n        N = " + bias +
         ".shape[0]\n        y = torch.empty((B, N), device=x.device, dtype=x.dtype)\n        kernel[(B, "
         "N)](x, " +
         weight + ", " + bias + ", " + scale +
         ", y, B, K, N, BK=triton.next_power_of_2(K))\n        return y\n";
}

const std::string plain =
    "        self.fc = nn.Linear(in_features, out_features)\n        self.scale = "
    "nn.Parameter(torch.randn(shape))";

TEST(Module, AnAnswerThatKeepsTheModulesParametersIsCorrect) {
  const Verdict verdict =
      judge(scaled_linear(), answer(plain, "self.fc.weight", "self.fc.bias", "self.scale"));
  EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
}

TEST(Module, ParametersOfOtherNamesAreTakenInTheirOrder) {
  const Verdict verdict =
      judge(scaled_linear(), answer("        self.scale = nn.Parameter(torch.ones(shape))\n"
                                    "        self.w = nn.Parameter(torch.empty(out_features, in_features))\n"
                                    "        self.b = nn.Parameter(torch.zeros(out_features))",
                                    "self.w", "self.b", "self.scale"));
  EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
}

TEST(Module, ParametersMayHaveDimensionsOfOneElementElsewhere) {
  for (const char* constructor : {"        self.fc = nn.Linear(in_features, out_features)\n"
                                  "        self.scale = nn.Parameter(torch.ones(out_features, 1, 1))",
                                  "        self.fc = nn.Linear(in_features, out_features)\n"
                                  "        self.none = nn.Parameter(torch.empty(0))\n"
                                  "        self.own = nn.Parameter(torch.ones(1, out_features))\n"
                                  "        self.scale = self.own"}) {
    const Verdict verdict =
        judge(scaled_linear(), answer(constructor, "self.fc.weight", "self.fc.bias", "self.scale"));
    EXPECT_TRUE(verdict.correct) << constructor << verdict.to_json().dump(1);
  }
}

TEST(Module, WeightsMayBeMadeOnTheGpu) {
  const std::string tail = "        self.scale = nn.Parameter(torch.randn(shape, device='cuda'))";
  for (const std::string& constructor : std::vector<std::string>{
           "        self.fc = nn.Linear(in_features, out_features).cuda()\n" + tail,
           "        self.fc = nn.Linear(in_features, out_features, device='cuda')\n" + tail,
           "        self.fc = nn.Linear(in_features, out_features).to('cuda')\n"
           "        self.scale = nn.Parameter(torch.randn(shape).cuda())"}) {
    const Verdict verdict =
        judge(scaled_linear(), answer(constructor, "self.fc.weight", "self.fc.bias", "self.scale"));
    EXPECT_TRUE(verdict.correct) << constructor << verdict.to_json().dump(1);
  }
  // Numbers of its own stay unknown, copies of them too.
  for (const std::string own :
       {"torch.randn(shape).cuda()", "torch.randn(shape, device='cuda')",
        "torch.randn(shape, device='cuda').clone()", "torch.empty(shape, device='cuda').uniform_()",
        "self.scale.detach().clone()"}) {
    const Verdict verdict =
        judge(scaled_linear(), answer("        self.fc = nn.Linear(in_features, out_features).cuda()\n" +
                                          tail + "\n        self.own = " + own,
                                      "self.fc.weight", "self.fc.bias", "self.own"));
    EXPECT_FALSE(verdict.correct) << own;
    EXPECT_EQ(verdict.failed, "syntax") << own << verdict.to_json().dump(1);
  }
}

// forward(self, x, factor, mode) of a module that is called with 1.5 and a text.
TEST(Module, NumbersAmongTheInputsAreGivenToForward) {
  json task = scaled_linear_json();
  task["module"]["forward"] = json::parse(R"([null, {"value": 1.5}, {"value": {"tuple": ["relu", 2]}}])");
  const auto with = [&](const std::string& check) {
    std::string text = answer(plain, "self.fc.weight", "self.fc.bias", "self.scale");
    const std::string head = "def forward(self, x):\n";
    text.replace(text.find(head), head.size(),
                 "def forward(self, x, factor, mode):\n        assert " + check + "\n");
    return judge(Task::parse(task), text);
  };
  EXPECT_TRUE(with("factor == 1.5 and mode == ('relu', 2)").correct);
  EXPECT_EQ(with("factor == 2.5").reason, "exception");
  EXPECT_EQ(judge(Task::parse(task), answer(plain, "self.fc.weight", "self.fc.bias", "self.scale")).reason,
            "wrong_arguments");
}

TEST(Module, SizesInAnAnswersTextAreAVerdictOfTheirOwn) {
  const auto fixed = [](const std::string& at, const std::string& by) {
    std::string text = answer(plain, "self.fc.weight", "self.fc.bias", "self.scale");
    text.replace(text.find(at), at.size(), by);
    return text;
  };
  const Protocol exam =
      Protocol::parse({{"variations", {"original", "resize(150%)"}}, {"strict", true}, {"tiny", true}});
  // 32, 48 and 40 are the task's own sizes.
  for (const std::string& text : {fixed("B, K = x.shape", "B, K = 32, 48"),
                                  fixed("N = self.fc.bias.shape[0]", "N = 40; assert K == 48")}) {
    const Verdict verdict = judge(scaled_linear(), text, exam);
    EXPECT_FALSE(verdict.correct);
    EXPECT_EQ(verdict.reason, "own_size_only") << verdict.to_json().dump(1);
  }
  // One that is wrong at the task's own sizes, and one that fails at some others alone, keep their reasons.
  EXPECT_NE(judge(scaled_linear(), fixed("B, K = x.shape", "B, K = 16, 24"), exam).reason, "own_size_only");
  const Verdict some = judge(scaled_linear(), fixed("BK=triton.next_power_of_2(K)", "BK=64"), exam);
  EXPECT_NE(some.reason, "own_size_only") << some.to_json().dump(1);
  // Sizes that this machine can't hold aren't tried, and so nothing is known of them.
  Protocol small = exam;
  small.held_bytes = 8 << 10;
  const Verdict large = judge(scaled_linear(), fixed("B, K = x.shape", "B, K = 32, 48"), small);
  EXPECT_FALSE(large.correct);
  EXPECT_NE(large.reason, "own_size_only") << large.to_json().dump(1);
}

TEST(Module, ParametersOfAnotherFormAreRefused) {
  const auto refusal = [](const std::string& constructor, const std::string& weight,
                          const std::string& bias) {
    const Verdict verdict = judge(scaled_linear(), answer(constructor, weight, bias, "self.scale"));
    EXPECT_FALSE(verdict.correct);
    return verdict.to_json().dump();
  };
  // The weight is kept transposed.
  EXPECT_NE(refusal("        self.scale = nn.Parameter(torch.ones(shape))\n"
                    "        self.w = nn.Parameter(torch.empty(in_features, out_features))\n"
                    "        self.b = nn.Parameter(torch.zeros(out_features))",
                    "self.w", "self.b")
                .find("wrong_parameters"),
            std::string::npos);
  // Under the module's name, and with another shape.
  const std::string text = refusal(
      "        self.scale = nn.Parameter(torch.ones(shape))\n"
      "        self.fc = nn.Linear(out_features, in_features)",
      "self.fc.weight", "self.scale");
  EXPECT_NE(text.find("fc.weight has the shape [48, 40], the task's has [40, 48]"), std::string::npos)
      << text;
  // One is missing, and which one the others are can't be said.
  EXPECT_NE(refusal("        self.scale = nn.Parameter(torch.ones(shape))\n"
                    "        self.w = nn.Parameter(torch.empty(out_features, in_features))",
                    "self.w", "self.scale")
                .find("wrong_parameters"),
            std::string::npos);
}

/// The task, with the text of its module.
Task scaled_linear_of_a_file() {
  json task = scaled_linear_json();
  task["module"]["code"] = R"(import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, in_features, out_features, shape):
        super().__init__()
        self.fc = nn.Linear(in_features, out_features)
        self.scale = nn.Parameter(torch.randn(shape))

    def forward(self, x):
        return torch.relu(self.fc(x)) * self.scale

def get_inputs():
    return [torch.rand(32, 48)]

def get_init_inputs():
    return [48, 40, (40,)]
)";
  return Task::parse(task);
}

TEST(Module, ParametersAreFoundByWhatTheyAreDrawnAs) {
  // They are registered in another order than they are drawn in.
  const std::string constructor =
      "        fc = nn.Linear(in_features, out_features)\n        self.own = "
      "nn.Parameter(torch.randn(*shape))\n"
      "        self.other = nn.ParameterList([fc.bias, nn.Parameter(fc.weight.detach())])";
  const std::string text = answer(constructor, "self.other[1]", "self.other[0]", "self.own");
  const Verdict found = judge(scaled_linear_of_a_file(), text);
  EXPECT_TRUE(found.correct) << found.to_json().dump(1);
  EXPECT_EQ(judge(scaled_linear(), text).reason, "wrong_parameters");
  // Their numbers say which is which, and not what the answer does with them.
  const Verdict wrong =
      judge(scaled_linear_of_a_file(), answer(constructor, "self.other[1]", "self.own", "self.other[0]"));
  EXPECT_EQ(wrong.reason, "wrong_values") << wrong.to_json().dump(1);
}

TEST(Module, AnAnswerMayDoWithoutAParameterThatNoValueNeeds) {
  const std::string constant =
      "        self.fc = nn.Linear(in_features, out_features)\n"
      "        self.register_buffer('one', torch.ones(shape))";
  // KernelBench draws what is ones when it is made once, and the exam anew.
  const Verdict needed =
      judge(scaled_linear_of_a_file(), answer(constant, "self.fc.weight", "self.fc.bias", "self.one"));
  EXPECT_EQ(needed.reason, "wrong_values") << needed.to_json().dump(1);
  const std::string own = answer(
      "        self.fc = nn.Linear(in_features, out_features)\n"
      "        self.other = torch.randn(shape).cuda()",
      "self.fc.weight", "self.fc.bias", "self.other");
  EXPECT_EQ(judge(scaled_linear_of_a_file(), own).failed, "syntax");
  json task = json::parse(scaled_linear_json().dump());
  task["value"] = task["value"]["args"][0];
  task["key"] = "relu(linear(x0:f32[d0,d1],x1:f32[d2,d1],x2:f32[d2]))";
  const Verdict none =
      judge(Task::parse(task), answer(constant, "self.fc.weight", "self.fc.bias", "self.one"));
  EXPECT_TRUE(none.correct) << none.to_json().dump(1);
}

TEST(Module, KernelBenchsSeedGivesAnAnswerItsOwnWeights) {
  Protocol protocol = training();
  protocol.also_by_kernelbench = true;
  const auto by_kernelbench = [&](const std::string& constructor) {
    const Verdict verdict =
        judge(scaled_linear_of_a_file(), answer(constructor, "self.fc.weight", "self.fc.bias", "self.scale"),
              protocol);
    EXPECT_TRUE(verdict.correct) << constructor << verdict.to_json().dump(1);
    return verdict.kernelbench.value();
  };
  const std::string linear = "        self.fc = nn.Linear(in_features, out_features)\n";
  for (const std::string& same :
       {plain, linear + "        self.scale = nn.Parameter(torch.empty(*shape, 1).normal_())",
        linear + "        self.scale = nn.Parameter(torch.randn(shape).cuda())",
        linear + "        start = torch.zeros(shape)\n        self.scale = "
                 "nn.Parameter(torch.randn_like(start).clone())"})
    EXPECT_EQ(by_kernelbench(same).correct, true) << same << by_kernelbench(same).message;
  for (const std::string& other :
       {"        torch.rand(1)\n" + plain, linear + "        self.scale = nn.Parameter(torch.rand(shape))",
        linear + "        self.scale = nn.Parameter(torch.ones(shape))",
        linear + "        self.scale = nn.Parameter(torch.randn(shape, device='cuda'))",
        "        self.scale = nn.Parameter(torch.randn(shape))\n" + linear,
        linear + "        self.again = nn.Linear(in_features, out_features)\n        self.scale = "
                 "nn.Parameter(torch.randn(shape))"}) {
    const OtherVerdict said = by_kernelbench(other);
    EXPECT_EQ(said.correct, false) << other;
    EXPECT_NE(said.message.find("scale"), std::string::npos) << said.message;
  }
  // Nobody draws it, or other numbers come first whose count isn't known here.
  for (const std::string& unknown : {linear + "        self.scale = nn.Parameter(torch.empty(shape))",
                                     "        torch.randint(0, 9, (3,))\n" + plain})
    EXPECT_EQ(by_kernelbench(unknown).correct, std::nullopt) << unknown << by_kernelbench(unknown).message;
}

// The candidate's process writes them.
TEST(Module, ForgedWeightsGiveNoVerdict) {
  Protocol protocol = training();
  protocol.also_by_kernelbench = true;
  const Task task = scaled_linear_of_a_file();
  const std::string text = answer(plain, "self.fc.weight", "self.fc.bias", "self.scale");
  const Examined examined = verifier().examine(task, text, protocol, secret());
  EXPECT_EQ(examined.verdict.kernelbench.value().correct, true);
  const auto with = [&](const json& weights) {
    json recorded = examined.recorded;
    recorded["weights"] = weights;
    return verifier()
        .examine_recorded(task, recorded, protocol, secret())
        .verdict.kernelbench.value()
        .correct;
  };
  for (const char* forged :
       {R"({"scale": {"uniform": [-1e308, 1e308]}})", R"({"scale": {"normal": [0, -1]}})", R"({"scale": 3})",
        R"({"scale": {"uniform": [2, 1]}})", R"({"scale": {"constant": "1"}})",
        R"({"fc.bias": {"normal": [0, 1, 2]}})"})
    EXPECT_EQ(with(json::parse(forged)), std::nullopt) << forged;
  for (const char* ignored : {R"([1])", R"("scale")", R"({"none": {"constant": 1}, "": null})"})
    EXPECT_EQ(with(json::parse(ignored)), true) << ignored;
  EXPECT_EQ(with(json::parse(R"({"scale": {"constant": 1}})")), false);
}

TEST(Module, AnAnswerThatIgnoresAParameterIsWrong) {
  const Verdict verdict =
      judge(scaled_linear(), answer(plain + "\n        self.one = nn.Parameter(torch.ones(shape))",
                                    "self.fc.weight", "self.fc.bias", "self.one"));
  EXPECT_FALSE(verdict.correct);
  EXPECT_NE(verdict.to_json().dump().find("wrong_values"), std::string::npos) << verdict.to_json().dump(1);
}

TEST(Module, AConstructorWithoutTheTasksArgumentsIsRefused) {
  std::string without = answer(plain, "self.fc.weight", "self.fc.bias", "self.scale");
  without.replace(without.find("(self, in_features, out_features, shape)"), 41, "(self):  ");
  const Verdict verdict = judge(scaled_linear(), without);
  EXPECT_NE(verdict.to_json().dump().find("wrong_arguments"), std::string::npos) << verdict.to_json().dump(1);
}

TEST(Module, SizesAreThoseOfTheVariation) {
  const json module = scaled_linear_json();
  const Task task = scaled_linear();
  EXPECT_EQ(task.to_json().at("module"), module.at("module"));
  EXPECT_EQ(task.to_json().at("inputs"), module.at("inputs"));
  const Sizes at = sizes(task, Variation::parse("resize(150%)"));
  EXPECT_EQ(task.module->arguments_at(at), json({73, 61}));
  EXPECT_EQ(task.module->keywords_at(at), json({{"shape", {{"tuple", {61}}}}}));
}

// Windows and groups of a file's module fit few sizes; a variation at others is no test case.
TEST(Module, SizesWithoutAValueAreLeftOut) {
  const json task = json::parse(R"json({
    "suite": "test", "id": 1, "name": "grouped", "dims": [["B", 3], ["C", 16], ["L", 24]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["B", "C", "L"]}],
    "value": {"op": "group_norm", "args": [{"input": "x"}], "attrs": {"num_groups": 8, "eps": 1e-5}, "shape": ["B", "C", "L"]},
    "output": {"dtype": "f32", "shape": ["B", "C", "L"]}, "module": {"code": "", "entry": "Model"},
    "key": "group_norm[num_groups=8](x0:f32[d0,d1,d2])"})json");
  const std::string answer = R"(@triton.jit
def kernel(x_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * n + k, mask=k < n, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(k < n, x - mean, 0.0)
    y = d / tl.sqrt(tl.sum(d * d, axis=0) / n + eps)
    tl.store(y_ptr + i * n + k, y, mask=k < n)

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel() // (x.shape[0] * 8)
        y = torch.empty_like(x)
        kernel[(x.shape[0] * 8,)](x, y, n, 1e-5, BLOCK=triton.next_power_of_2(n))
        return y
)";
  const Verdict verdict = judge(Task::parse(task), answer);
  EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.left_alone, (std::vector<std::string>{"resize(150%)", "cast(f16)"}));
}

// A task of a file is as large as its benchmark says; the size of one in a `.trl` file was chosen.
TEST(Module, OnlyTasksOfFilesAreTooLargeToAssess) {
  json large = scaled_linear_json();
  EXPECT_FALSE(too_large_to_assess(Task::parse(large)));
  large["dims"] = json::parse(R"([["B", 4096], ["K", 4096], ["N", 4096]])");
  EXPECT_TRUE(too_large_to_assess(Task::parse(large)));
  large.erase("module");
  for (json& input : large["inputs"]) input.erase("parameter");
  EXPECT_FALSE(too_large_to_assess(Task::parse(large)));
}

}  // namespace
}  // namespace trl::runtime
