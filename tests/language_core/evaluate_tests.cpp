#include "base/formulas/evaluate.hpp"

#include <gtest/gtest.h>

#include "tests/language_core/formulas.hpp"

namespace trl::formulas {
namespace {

Bindings candidate(bool correct, double speedup, double credit) {
  Bindings bindings;
  bindings.records["c"] = {{"correct", correct}, {"speedup", speedup}, {"credit", credit}};
  return bindings;
}

std::string refusal(const Expression& expression, const Bindings& bindings = {}) {
  try {
    return "gave " + value_text(evaluate(expression, bindings));
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

TEST(Evaluate, TheSmallestOfAnyNumberOfArguments) {
  Call many{"min", {}};
  for (int i = 0; i < 500; ++i) many.arguments.push_back(Part(500 - i));
  EXPECT_EQ(evaluate_number(Node{many}, {}), 1);
}

TEST(Evaluate, RewardOfTheExample) {
  EXPECT_DOUBLE_EQ(evaluate_number(reward(), candidate(true, 0.5, 0)), 0.85);
  EXPECT_DOUBLE_EQ(evaluate_number(reward(), candidate(true, 3, 0)), 1);
  EXPECT_DOUBLE_EQ(evaluate_number(reward(), candidate(false, 0, 0.7)), 0.7);
}

TEST(Evaluate, CallsAreGivenGroupsByName) {
  Bindings bindings;
  bindings.functions["accuracy"] = [](const std::vector<Value>& arguments) -> Value {
    return arguments.at(0) == Value("level1") ? 0.2 : 1.0;
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

TEST(Evaluate, ARecordIsItselfAndHasNoOtherUse) {
  const Bindings bindings = candidate(true, 1, 0);
  EXPECT_TRUE(evaluate_bool(op("==", name("c"), name("c")), bindings));
  EXPECT_EQ(refusal(op("+", name("c"), 1), bindings), "`c` is a record, not a number");
  EXPECT_EQ(refusal(Node{Member{op("+", 1, 2), "speedup"}}, bindings),
            "`1 + 2` is a number and has no members");
}

TEST(Evaluate, WordsStandForThemselves) {
  const Bindings bindings{{{"dtype", "f16"}}, {}, {}};
  EXPECT_TRUE(evaluate_bool(op("==", name("dtype"), Expression(Node{Word{"f16"}})), bindings));
  EXPECT_FALSE(evaluate_bool(op("==", name("dtype"), 16), bindings));
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
  EXPECT_EQ(refusal(op("/", 1, op("-", name("x"), name("x"))), {{{"x", 2.0}}, {}, {}}),
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
  try {
    evaluate(op("+", 1, placed(op("/", 1, 0), 10, 15)), {});
    FAIL();
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.at, (Place{10, 15}));
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
}  // namespace trl::formulas
