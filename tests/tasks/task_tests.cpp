#include <gtest/gtest.h>

#include <functional>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "verifier/tasks/costs.hpp"
#include "verifier/tasks/prompt.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

json linear_gelu() {
  return json::parse(R"json({
    "suite": "level2", "id": 17, "name": "linear_gelu", "doc": "A linear layer with bias and GELU.",
    "dims": [["M", 64], ["K", 256], ["N", 256]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["M", "K"]},
               {"name": "w", "dtype": "f32", "shape": ["K", "N"]},
               {"name": "b", "dtype": "f32", "shape": ["N"]}],
    "value": {"op": "gelu", "args": [{"op": "add", "args": [
                {"op": "matmul", "args": [{"input": "x"}, {"input": "w"}]}, {"input": "b"}]}]},
    "output": {"dtype": "f32", "shape": ["M", "N"]},
    "key": "gelu(add(matmul(x0:f32[d0,d1],x1:f32[d1,d2]),x2:f32[d2]))"})json");
}

/// A task on x[M, N] (and y[M, N] when it is used) with the given expression.
Task on_matrices(const char* value, const char* output) {
  json task = {{"suite", "s"}, {"id", 1}, {"name", "t"}};
  task["dims"] = json::parse(R"([["M", 64], ["N", 256]])");
  task["inputs"] = json::array({{{"name", "x"}, {"dtype", "f32"}, {"shape", {"M", "N"}}},
                                {{"name", "y"}, {"dtype", "f32"}, {"shape", {"M", "N"}}}});
  task["value"] = json::parse(value);
  task["output"] = {{"dtype", "f32"}, {"shape", json::parse(output)}};
  task["key"] = "";
  try {
    return Task::parse(task);
  } catch (const UserError& error) {
    const std::string message = error.what();
    const auto from = message.find("its key is ") + 11;
    task["key"] = message.substr(from, message.find(" and was given") - from);
  }
  return Task::parse(task);
}

std::string refusal(const json& task) {
  try {
    Task::parse(task);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

/// A task of somebody else's store: what it calls its parts becomes a part of programs in Python and C++.
TEST(TaskNames, AreNamesWordsOrSizes) {
  const std::string code = "x):\n    import os; os.system('id')\n#";
  const auto renamed = [&](const std::function<void(json&)>& change) {
    json task = linear_gelu();
    change(task);
    return refusal(task);
  };
  for (const std::string& name :
       {code, std::string(), std::string("1x"), std::string("a b"), std::string("x\"y"), std::string("x\\"),
        std::string("x;"), std::string(201, 'x')}) {
    EXPECT_TRUE(contains(renamed([&](json& task) { task["inputs"][1]["name"] = name; }), "is no name"))
        << name;
    EXPECT_TRUE(contains(renamed([&](json& task) { task["dims"][0][0] = name; }), "is no name")) << name;
    EXPECT_TRUE(contains(renamed([&](json& task) {
                           task["module"] = {{"code", ""}, {"entry", name}};
                         }),
                         "is no name"))
        << name;
    EXPECT_TRUE(contains(renamed([&](json& task) {
                           task["module"] = {{"code", ""}, {"entry", "Model"}, {"keywords", {{name, 1}}}};
                         }),
                         "is no name"))
        << name;
  }
  EXPECT_TRUE(contains(renamed([&](json& task) { task["inputs"][0]["parameter"] = "a']"; }), "no name"));
  EXPECT_TRUE(contains(renamed([&](json& task) { task["inputs"][0]["dtype"] = "f32\")"; }), "no dtype"));
  EXPECT_TRUE(contains(renamed([&](json& task) { task["output"]["dtype"] = "f32\")"; }), "no dtype"));
  for (const char* size : {"M); f(", "M + os", "M\n", "M # 1", "M ** 9", "__import__('os')"})
    EXPECT_NE(renamed([&](json& task) { task["inputs"][0]["shape"][0] = size; }), "accepted") << size;
  const auto optioned = [&](const json& attributes, const char* op) {
    return renamed([&](json& task) {
      task["value"] = {{"op", op}, {"args", {task["value"]}}, {"attrs", attributes}, {"shape", {"M", "N"}}};
    });
  };
  EXPECT_TRUE(contains(optioned({{"dtype", "f16\"); f(\""}}, "to"), "is no word"));
  EXPECT_TRUE(contains(optioned({{"kernel_size", {"M);("}}}, "max_pool2d"), "can't be found"));
}

TEST(Task, IsReadAndWrittenBack) {
  const Task task = Task::parse(linear_gelu());
  EXPECT_EQ(task.name, "linear_gelu");
  EXPECT_EQ(task.value.shape, (Shape{{"M", 0}, {"N", 0}}));
  EXPECT_EQ(task.to_json(), linear_gelu());
}

TEST(Task, RealNumbersOfItsModuleStayReal) {
  tasks::TaskModule module;
  module.arguments = json::parse(R"([{"real": 2}, 2, {"tuple": [{"real": 3}]}])");
  module.keywords = json::parse(R"({"eps": {"real": 1}})");
  module.forward = json::parse(R"([null, {"value": {"real": 4}}])");
  EXPECT_EQ(module.arguments_at({}).dump(), R"([2.0,2,{"tuple":[3.0]}])");
  EXPECT_EQ(module.keywords_at({}).dump(), R"({"eps":1.0})");
  EXPECT_EQ(module.forward_at({}).dump(), R"([null,{"value":4.0}])");
}

TEST(Task, WithAnotherKeyIsRefused) {
  json task = linear_gelu();
  task["key"] = "gelu(x0:f32[d0,d1])";
  EXPECT_PRED2(contains, refusal(task), "task linear_gelu: its key is gelu(add(matmul(");
}

TEST(Task, ThatIsMalformedIsRefusedByName) {
  json no_inputs = linear_gelu();
  no_inputs.erase("inputs");
  EXPECT_PRED2(contains, refusal(no_inputs), "task linear_gelu is malformed");
  json unknown = linear_gelu();
  unknown["value"]["op"] = "gulu";
  EXPECT_PRED2(contains, refusal(unknown), "no operator is called \"gulu\"");
  json misfit = linear_gelu();
  misfit["inputs"][1]["shape"] = {"N", "K"};
  EXPECT_PRED2(contains, refusal(misfit), "matmul: [\"M\",\"K\"] times [\"N\",\"K\"]");
  json output = linear_gelu();
  output["output"]["shape"] = {"N", "M"};
  EXPECT_PRED2(contains, refusal(output), "declared [\"N\",\"M\"] and computed [\"M\",\"N\"]");
  EXPECT_PRED2(contains, refusal(json::array()), "malformed");
}

TEST(Key, LeavesOutSizesNumbersAndNames) {
  json other = linear_gelu();
  other["dims"] = json::parse(R"([["M", 8], ["K", 16], ["N", 32]])");
  other["inputs"][2]["name"] = "bias";
  other["value"]["args"][0]["args"][1]["input"] = "bias";
  EXPECT_EQ(Task::parse(other).key, Task::parse(linear_gelu()).key);

  const Task twice = on_matrices(
      R"({"op": "mul", "args": [{"input": "x"}, {"op": "clamp", "args": [{"input": "x"}], "attrs": {"min": 0}}]})",
      R"(["M", "N"])");
  EXPECT_EQ(twice.key, "mul(x0:f32[d0,d1],clamp(x0))");
}

TEST(Key, SaysAxisAndKeepdim) {
  const Task task = on_matrices(
      R"({"op": "sum", "args": [{"op": "softmax", "args": [{"input": "x"}], "attrs": {"axis": 1}}],
          "attrs": {"axis": 0, "keepdim": true}})",
      R"([1, "N"])");
  EXPECT_EQ(task.key, "sum[axis=0,keepdim=true](softmax[axis=1](x0:f32[d0,d1]))");
}

TEST(Variation, IsReadFromTextAndFromCalls) {
  for (const char* text : {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)", "extreme", "tiny"})
    EXPECT_EQ(Variation::parse(text).label(), text);
  EXPECT_EQ(Variation::parse({{"call", "resize"}, {"args", {1.5}}}).label(), "resize(150%)");
  EXPECT_EQ(Variation::parse({{"call", "scale"}, {"args", {2}}}).value_factor(), 2);
  EXPECT_EQ(Variation::parse({{"call", "cast"}, {"args", {"f16"}}}).dtype, "f16");
  for (const char* text : {"scale", "scale(x)", "resize(-1)", "cast(i8)", "tiny(2)", "", "scale(2"})
    EXPECT_THROW(Variation::parse(text), UserError) << text;
}

TEST(Variation, ResizeGoesOnToOddSizes) {
  const Task task = Task::parse(linear_gelu());
  EXPECT_EQ(sizes(task, Variation::parse("original")), (Sizes{{"M", 64}, {"K", 256}, {"N", 256}}));
  EXPECT_EQ(sizes(task, Variation::parse("resize(150%)")), (Sizes{{"M", 97}, {"K", 385}, {"N", 385}}));
  EXPECT_EQ(sizes(task, Variation::parse("tiny")), (Sizes{{"M", 4}, {"K", 4}, {"N", 4}}));
}

TEST(Variation, CastChangesInputsAndOutput) {
  const Task task = Task::parse(linear_gelu());
  const Variation cast = Variation::parse("cast(f16)");
  EXPECT_EQ(input_shapes(task, cast)[2].dtype, "f16");
  EXPECT_EQ(input_shapes(task, cast)[1].extents, (std::vector<std::int64_t>{256, 256}));
  EXPECT_EQ(output_shape(task, cast).dtype, "f16");
  EXPECT_EQ(output_shape(task, Variation::parse("tiny")).extents, (std::vector<std::int64_t>{4, 4}));
}

TEST(Costs, AreOnePassAnOperator) {
  const auto costs = operator_costs(Task::parse(linear_gelu()), Variation::parse("original"));
  ASSERT_EQ(costs.size(), 3u);
  EXPECT_EQ(costs[0].op, Operator::matmul);
  EXPECT_EQ(costs[0].bytes_in, 4 * (64 * 256 + 256 * 256));
  EXPECT_EQ(costs[0].flops, 2.0 * 64 * 256 * 256);
  EXPECT_EQ(costs[1].bytes_in, 4 * (64 * 256 + 256));
  EXPECT_EQ(costs[2].bytes_out, 4 * 64 * 256);
}

TEST(Prompt, HasOneStatementAnOperator) {
  const std::string wanted = "# ModelNew by CUDA kernels in load_inline\n";
  EXPECT_EQ(prompt(Task::parse(linear_gelu()), KernelLanguage::cuda),
            wanted + prompt(Task::parse(linear_gelu())));
  EXPECT_EQ(prompt(Task::parse(linear_gelu())),
            "# x: [M, K], w: [K, N], b: [N]\n"
            "class Model(nn.Module):\n"
            "    def forward(self, x, w, b):\n"
            "        x = x @ w\n"
            "        x = x + b\n"
            "        x = F.gelu(x)\n"
            "        return x\n");
}

TEST(Prompt, KeepsAnInputThatIsUsedAgain) {
  const Task task =
      on_matrices(R"({"op": "mul", "args": [{"input": "x"}, {"op": "sigmoid", "args": [{"input": "x"}]}]})",
                  R"(["M", "N"])");
  EXPECT_PRED2(contains, prompt(task), "        t0 = torch.sigmoid(x)\n        x = x * t0\n");
}

TEST(Solved, ExtentsAreLinearInADimension) {
  const auto times = [](const char* extent) { return tasks::times_in("H", parse_extent(extent)); };
  EXPECT_EQ(times("H"), 1);
  EXPECT_EQ(times("3 * H + 2 * W - 1"), 3);
  EXPECT_EQ(times("W"), std::nullopt);
  EXPECT_EQ(times("H * W"), std::nullopt);
  EXPECT_EQ(times("H * H"), std::nullopt);
  EXPECT_EQ(times("(H + 1) // 2"), std::nullopt);
  EXPECT_EQ(times("8 - H"), std::nullopt);
}

}  // namespace
}  // namespace trl::runtime
