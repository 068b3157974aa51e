#include "base/formulas/evaluate.hpp"

#include <gtest/gtest.h>

#include "tests/language_core/expressions.hpp"

namespace trl::language {
namespace {

Bindings candidate(bool correct, double speedup, double credit) {
  Bindings bindings;
  bindings.names["c"] = {{"correct", correct}, {"speedup", speedup}, {"credit", credit}};
  return bindings;
}

std::string refusal(const json& expression, const Bindings& bindings = {}) {
  try {
    return "gave " + evaluate(expression, bindings).dump();
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

TEST(Evaluate, TheSmallestOfAnyNumberOfArguments) {
  json many = {{"call", "min"}, {"args", json::array()}};
  for (int i = 0; i < 500; ++i) many["args"].push_back(500 - i);
  EXPECT_EQ(evaluate_number(many, {}), 1);
}

TEST(Evaluate, RewardOfTheExample) {
  EXPECT_DOUBLE_EQ(evaluate_number(reward(), candidate(true, 0.5, 0)), 0.85);
  EXPECT_DOUBLE_EQ(evaluate_number(reward(), candidate(true, 3, 0)), 1);
  EXPECT_DOUBLE_EQ(evaluate_number(reward(), candidate(false, 0, 0.7)), 0.7);
}

TEST(Evaluate, CallsAreGivenGroupsByName) {
  Bindings bindings;
  bindings.functions["accuracy"] = [](const std::vector<json>& arguments) -> json {
    return arguments.at(0) == "level1" ? 0.2 : 1.0;
  };
  EXPECT_DOUBLE_EQ(evaluate_number(share(), bindings), 0.3);
}

TEST(Evaluate, Arithmetic) {
  EXPECT_DOUBLE_EQ(evaluate_number(op("^", 2, 10), {}), 1024);
  EXPECT_DOUBLE_EQ(evaluate_number(op("neg", op("-", 1, 4)), {}), 3);
  EXPECT_DOUBLE_EQ(evaluate_number(call("mod", -1, 3), {}), 2);
  EXPECT_DOUBLE_EQ(evaluate_number(call("clamp", 7, 0, 1), {}), 1);
  EXPECT_DOUBLE_EQ(evaluate_number(call("max", 1, 2, 3), {}), 3);
  EXPECT_DOUBLE_EQ(evaluate_number(call("floor", op("/", 7, 2)), {}), 3);
}

TEST(Evaluate, LogicIsNotEvaluatedBeyondWhatDecides) {
  EXPECT_TRUE(evaluate_bool(op("or", op("<", 1, 2), op("==", op("/", 1, 0), 1)), {}));
  EXPECT_FALSE(evaluate_bool(op("and", op(">=", 1, 2), name("unknown")), {}));
  EXPECT_TRUE(evaluate_bool(op("not", op("!=", 3, 3.0)), {}));
  EXPECT_DOUBLE_EQ(evaluate_number(choose(true, 1, op("/", 1, 0)), {}), 1);
}

TEST(Evaluate, SaysWhatHasNoValue) {
  EXPECT_EQ(refusal(name("speed")), "nothing is called `speed` here");
  EXPECT_EQ(refusal(member("c", "sped"), candidate(true, 1, 0)), "`c` has no member `sped`");
  EXPECT_EQ(refusal(op("/", 1, op("-", name("x"), name("x"))), {{{"x", 2}}, {}}),
            "division by zero: `x - x` is 0");
  EXPECT_EQ(refusal(op("+", 1, true)), "`true` is a boolean, not a number");
  EXPECT_EQ(refusal(choose(1, 2, 3)), "`1` is a number, not a boolean");
  EXPECT_EQ(refusal(call("sin", 1)), "no function is called `sin`");
  EXPECT_EQ(refusal(call("clamp", 1)), "`clamp` takes 3 arguments, not 1");
  EXPECT_EQ(refusal(call("min")), "`min` takes at least 1 argument, not 0");
  EXPECT_EQ(refusal(op("^", 0, -1)), "division by zero: `0` is 0");
  EXPECT_EQ(refusal(call("log", 0)), "log of 0: it needs a number above 0");
  EXPECT_EQ(refusal(call("exp", 1000)), "`exp(1000)` is not a finite number");
}

TEST(Evaluate, ErrorsCarryTheirPlace) {
  json division = op("/", 1, 0);
  division["at"] = {10, 15};
  try {
    evaluate(op("+", 1, division), {});
    FAIL();
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.begin, 10u);
    EXPECT_EQ(error.end, 15u);
  }
}

TEST(FormulaText, HasTheBracketsItNeeds) {
  EXPECT_EQ(formula_text(reward()), "if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit");
  EXPECT_EQ(formula_text(op("*", op("+", 1, name("x")), op("neg", name("y")))), "(1 + x) * -y");
  EXPECT_EQ(formula_text(op("-", 1, op("-", 2, 3))), "1 - (2 - 3)");
  EXPECT_EQ(formula_text(op("^", op("^", 1, 2), -3)), "(1 ^ 2) ^ (-3)");
  EXPECT_EQ(formula_text(op("^", -1, 2)), "(-1) ^ 2");
  EXPECT_EQ(formula_text(op("==", op("<", 1, 2), op("<", 3, 4))), "(1 < 2) == (3 < 4)");
}

}  // namespace
}  // namespace trl::language
