#include "language/tasks.hpp"

#include <gtest/gtest.h>

#include "tests/language_core/expressions.hpp"

namespace trl::language {
namespace {

/// task t[M = 64, K = 32, N = 256](x: f32[M, K], w: f32[K, N], v: f32[N, K], b: f32[N], c: f32[M, 1]) = body,
/// with the inputs that the body names.
json declaration(const json& body) {
  json whole = json::parse(R"({"suite": "s", "id": 3, "name": "t", "doc": "A task.",
    "dims": [["M", 64], ["K", 32], ["N", 256]], "params": []})");
  const json params = json::parse(R"([
    {"name": "x", "dtype": "f32", "shape": ["M", "K"]}, {"name": "w", "dtype": "f32", "shape": ["K", "N"]},
    {"name": "v", "dtype": "f32", "shape": ["N", "K"]}, {"name": "b", "dtype": "f32", "shape": ["N"]},
    {"name": "c", "dtype": "f32", "shape": ["M", 1]}])");
  for (const json& param : params)
    if (contains(body.dump(), "{\"name\":" + param["name"].dump() + "}")) whole["params"].push_back(param);
  whole["body"] = body;
  return whole;
}

json lowered(const json& body) {
  const auto result = lower_task(declaration(body));
  if (const auto* error = std::get_if<TaskError>(&result)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<json>(result);
}

TaskError refused(const json& whole) {
  const auto result = lower_task(whole);
  if (const auto* error = std::get_if<TaskError>(&result)) return *error;
  ADD_FAILURE() << "accepted as " << std::get<json>(result).dump();
  return {};
}

std::string message(const json& body) { return refused(declaration(body)).message; }

json with_named(json node, const std::string& key, const json& value) {
  node["named"][key] = value;
  return node;
}

TEST(LowerTask, GivesTheFormatOfTheSeams) {
  const json task = lowered(call("gelu", op("+", op("@", name("x"), name("w")), name("b"))));
  EXPECT_EQ(task, json::parse(R"json({
    "suite": "s", "id": 3, "name": "t", "doc": "A task.", "dims": [["M", 64], ["K", 32], ["N", 256]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["M", "K"]}, {"name": "w", "dtype": "f32", "shape": ["K", "N"]},
               {"name": "b", "dtype": "f32", "shape": ["N"]}],
    "value": {"op": "gelu", "args": [{"op": "add", "args": [
      {"op": "matmul", "args": [{"input": "x"}, {"input": "w"}]}, {"input": "b"}]}]},
    "output": {"dtype": "f32", "shape": ["M", "N"]},
    "key": "gelu(add(matmul(x0:f32[d0,d1],x1:f32[d1,d2]),x2:f32[d2]))"})json"));
}

TEST(LowerTask, NormalisesAxes) {
  for (const json& body :
       {with_named(call("softmax", name("x")), "axis", 1), with_named(call("softmax", name("x")), "dim", -1),
        call("softmax", name("x"), op("neg", 1))})
    EXPECT_EQ(lowered(body)["value"]["attrs"], (json{{"axis", 1}}));
  json sum = with_named(call("sum", name("x")), "dim", 0);
  EXPECT_EQ(lowered(sum)["output"]["shape"], json::array({"K"}));
  sum["named"]["keepdim"] = name("true");
  EXPECT_EQ(lowered(sum)["output"]["shape"], json::array({1, "K"}));
  EXPECT_EQ(lowered(sum)["key"], "sum[axis=0,keepdim=true](x0:f32[d0,d1])");
}

TEST(LowerTask, FillsInAttributes) {
  EXPECT_EQ(lowered(call("leaky_relu", name("x")))["value"]["attrs"], (json{{"negative_slope", 0.01}}));
  EXPECT_EQ(lowered(call("clamp", name("x"), 0, 6))["value"]["attrs"], (json{{"min", 0.0}, {"max", 6.0}}));
  EXPECT_EQ(lowered(with_named(call("rms_norm", name("x")), "axis", 1))["value"]["attrs"],
            (json{{"axis", 1}, {"eps", 1e-5}}));
}

TEST(LowerTask, FoldsNumbersAndKeepsThemOutOfTheKey) {
  const json task = lowered(op("*", name("x"), op("+", 1, op("neg", 3))));
  EXPECT_EQ(task["value"]["args"][1], (json{{"const", -2.0}}));
  EXPECT_EQ(task["key"], "mul(x0:f32[d0,d1],#)");
}

TEST(LowerTask, BroadcastsFromTheRight) {
  EXPECT_EQ(lowered(op("+", name("w"), name("b")))["output"]["shape"], json::array({"K", "N"}));
  EXPECT_EQ(lowered(op("*", name("x"), name("c")))["output"]["shape"], json::array({"M", "K"}));
  EXPECT_EQ(lowered(call("transpose", name("x")))["output"]["shape"], json::array({"K", "M"}));
  EXPECT_EQ(lowered(op("^", name("x"), 2))["value"]["op"], "square");
}

TEST(LowerTask, ShapeErrorsNameBothShapes) {
  const TaskError product = refused(declaration(op("@", name("x"), name("v"))));
  EXPECT_EQ(product.message, "x @ v: [M, K] times [N, K]: the inner dimensions K and N differ");
  EXPECT_EQ(product.notes.at(0), "x @ transpose(v) would fit");
  EXPECT_EQ(message(op("+", name("x"), name("b"))),
            "x + b: [M, K] and [N] don't broadcast: K against N in dimension 1 from the end");
  EXPECT_EQ(message(op("@", name("x"), name("b"))),
            "x @ b: [M, K] times [N]: a matrix product needs two dimensions on each side");
  EXPECT_EQ(message(with_named(call("softmax", name("x")), "axis", 2)), "axis 2 of [M, K]: there are 2 axes");
}

TEST(LowerTask, SuggestsWhatWasMeant) {
  const TaskError function = refused(declaration(call("sofmax", name("x"))));
  EXPECT_EQ(function.message, "no tensor function is called `sofmax`");
  EXPECT_TRUE(contains(function.notes.at(0), "did you mean `softmax`")) << function.notes.at(0);
  const TaskError argument = refused(declaration(with_named(call("softmax", name("x")), "axes", 1)));
  EXPECT_EQ(argument.message, "softmax has no argument called `axes`");
  EXPECT_EQ(argument.notes.at(0), "did you mean `axis`?");
}

TEST(LowerTask, ErrorsCarryTheirPlace) {
  json wrong = call("sofmax", name("x"));
  wrong["at"] = {40, 52};
  const TaskError error = refused(declaration(op("+", wrong, 1)));
  EXPECT_EQ(error.begin, 40u);
  EXPECT_EQ(error.end, 52u);
}

TEST(LowerTask, RefusesWhatIsNoTask) {
  EXPECT_EQ(message(name("x")), "a task computes something; this only gives back `x`");
  EXPECT_TRUE(contains(message(call("sum", name("x"))), "needs an axis"));
  EXPECT_TRUE(contains(message(call("relu", name("x"), 1)), "at most 1 arguments"));
  EXPECT_TRUE(contains(message(op("/", name("x"), 0)), "division by 0"));
  EXPECT_TRUE(contains(message(op("<", name("x"), 0)), "can't use `<`"));
  EXPECT_TRUE(contains(message(op("^", name("x"), 3)), "can be raised to 2"));
  json unused = declaration(call("relu", name("x")));
  unused["params"].push_back(json::parse(R"({"name": "q", "dtype": "f32", "shape": ["M"]})"));
  EXPECT_EQ(refused(unused).message, "the input `q` is never used");
  unused["params"][1]["dtype"] = "f16";
  EXPECT_TRUE(contains(refused(unused).message, "one task, one dtype"));
  unused["params"][1]["shape"] = {"Q"};
  unused["params"][1]["dtype"] = "f32";
  EXPECT_EQ(refused(unused).message, "`q` has a dimension Q that the task doesn't declare");
}

}  // namespace
}  // namespace trl::language
