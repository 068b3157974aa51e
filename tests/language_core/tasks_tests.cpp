#include "language/tasks/tasks.hpp"

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
  return std::get<Task>(result).to_json();
}

TaskError refused(const json& whole) {
  const auto result = lower_task(whole);
  if (const auto* error = std::get_if<TaskError>(&result)) return *error;
  ADD_FAILURE() << "accepted as " << std::get<Task>(result).to_json().dump();
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
  EXPECT_EQ(product.message, "`@` joins f32[M, K] and f32[N, K]: K is not N");
  EXPECT_EQ(product.notes.at(0), "x @ transpose(v, 0, 1) would fit");
  EXPECT_EQ(message(op("+", name("x"), name("b"))), "`+` joins f32[M, K] and f32[N]: K is not N");
  EXPECT_EQ(message(op("@", name("x"), name("b"))), "`@` joins f32[M, K] and f32[N]: K is not N");
  EXPECT_EQ(message(with_named(call("softmax", name("x")), "axis", 2)),
            "`softmax`: axis 2 of f32[M, K]: there are 2 axes");
  EXPECT_EQ(message(call("mse_loss", name("x"), name("v"))), "`mse_loss` joins f32[M, K] and f32[N, K]");
}

TEST(LowerTask, TakesListsOfTensorsAndNumbers) {
  const json list = {{"list", json::array({name("x"), name("v")})}};
  EXPECT_EQ(lowered(call("cat", list))["output"]["shape"], json::array({"M + N", "K"}));
  EXPECT_EQ(message(call("cat", list, 1)), "`cat` joins f32[M, K] and f32[N, K]: M is not N");
  EXPECT_EQ(message(list), "`results`: a result is computed; this only gives back x");
  EXPECT_EQ(message(call("relu", list)), "a list is no tensor");
  json order = {{"list", json::array({1, 0})}};
  EXPECT_EQ(lowered(call("permute", name("x"), order))["output"]["shape"], json::array({"K", "M"}));
  order["list"][1] = 1;
  EXPECT_TRUE(contains(message(call("permute", name("x"), order)), "the order of axes"));
}

TEST(LowerTask, ReshapesWhatItCanProve) {
  const json whole = {{"list", json::array({op("*", name("M"), name("K"))})}};
  const json open = {{"list", json::array({op("neg", 1), 1, name("K")})}};
  const json wrong = {{"list", json::array({name("M"), name("M")})}};
  EXPECT_EQ(lowered(call("reshape", name("x"), whole))["output"]["shape"], json::array({"M * K"}));
  EXPECT_EQ(lowered(call("reshape", name("x"), open))["output"]["shape"], json::array({"M", 1, "K"}));
  EXPECT_EQ(message(call("reshape", name("x"), wrong)),
            "`reshape`: x f32[M, K] has M * K elements, and [M, M] has M * M");
}

TEST(LowerTask, SizesAreCheckedWhereTheyAreUsed) {
  EXPECT_EQ(lowered(call("max_pool1d", name("x"), 2))["output"]["shape"], json::array({"M", "K // 2"}));
  EXPECT_EQ(
      message(call("max_pool1d", name("x"), 5)),
      "`max_pool1d`: a window of 5 is larger than x f32[M, K]: K is 4 at tiny, where every dimension is 4");
  EXPECT_TRUE(contains(message(call("narrow", name("x"), 1, 3, 2)), "what is left behind it is -1 at tiny"));
}

TEST(LowerTask, OperatorsSayTheirShapes) {
  EXPECT_EQ(lowered(op(">", name("x"), 0))["value"], json::parse(R"json(
    {"op": "gt", "args": [{"input": "x"}, {"const": 0.0}], "shape": ["M", "K"], "dtype": "bool"})json"));
  EXPECT_EQ(lowered(call("argmax", name("x"), 1))["output"],
            json::parse(R"({"dtype": "i64", "shape": ["M"]})"));
}

TEST(LowerTask, SuggestsWhatWasMeant) {
  const TaskError function = refused(declaration(call("sofmax", name("x"))));
  EXPECT_EQ(function.message, "no tensor function is called `sofmax`");
  EXPECT_EQ(function.notes.at(0), "did you mean `softmax`?");
  const TaskError argument = refused(declaration(with_named(call("softmax", name("x")), "axi", 1)));
  EXPECT_EQ(argument.message, "softmax has no argument called `axi`");
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
  EXPECT_TRUE(contains(message(call("softmax", name("x"))), "needs an axis"));
  EXPECT_TRUE(contains(message(call("relu", name("x"), 1)), "at most 1 arguments"));
  EXPECT_TRUE(contains(message(op("/", name("x"), 0)), "division by 0"));
  EXPECT_EQ(message(op("and", name("x"), op("<", name("x"), 0))), "`and`: x f32[M, K] is no condition");
  EXPECT_EQ(message(call("group_norm", name("x"), 3)),
            "`group_norm`: K channels of x f32[M, K] aren't 3 equal groups whatever the sizes");
  json unused = declaration(call("relu", name("x")));
  unused["params"].push_back(json::parse(R"({"name": "q", "dtype": "f32", "shape": ["M"]})"));
  EXPECT_EQ(refused(unused).message, "the input `q` is never used");
  unused["params"][1]["dtype"] = "f64";
  EXPECT_TRUE(contains(refused(unused).message, "`q` has dtype f64; inputs are"));
  unused["params"][1]["shape"] = {"Q"};
  unused["params"][1]["dtype"] = "f32";
  EXPECT_EQ(refused(unused).message, "`q` has a dimension Q that the task doesn't declare");
  unused["params"][1]["shape"] = {"M"};
  unused["params"][1]["dtype"] = "i64";
  EXPECT_EQ(refused(unused).message, "`q` is i64 and doesn't say what its values are");
}

TEST(LowerTask, RefusesASizeThatNoReaderTakes) {
  json whole = json::parse(R"({"suite": "s", "id": 1, "name": "t", "doc": "", "dims": [["N", 4]],
    "params": [{"name": "x", "dtype": "f32"}]})");
  const std::int64_t large = 1000000000;
  whole["params"][0]["shape"] = json::array({op("*", op("*", large, large), name("N"))});
  whole["body"] = call("relu", name("x"));
  EXPECT_PRED2(contains, refused(whole).message, "can't be found");
}

}  // namespace
}  // namespace trl::language
