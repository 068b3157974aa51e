// Expressions and their JSON, which documents and the keys of stored results have.
#include "base/formulas/expression.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/language_core/formulas.hpp"

namespace trl::formulas {
namespace {

using nlohmann::json;

/// Random expressions of every form, whether or not they have a value.
class AnyExpression {
 public:
  explicit AnyExpression(unsigned seed) : random_(seed) {}

  Expression draw(int depth) {
    // Numbers, truth values, words and names have no parts.
    const std::size_t form = below(depth == 0 ? 4 : std::variant_size_v<decltype(Node::form)>);
    Node node = node_of(form, depth - 1);
    EXPECT_EQ(node.form.index(), form);
    if (form > 0 && below(2) == 0) node.at = Place{below(1000), below(1000)};
    return node;
  }

 private:
  Node node_of(std::size_t form, int depth) {
    switch (form) {
      case 0:
        return below(2) == 0 ? Node{Number{static_cast<double>(below(1000)) - 500, true}}
                             : Node{Number{static_cast<double>(below(1000)) / 8 - 60}};
      case 1:
        return {Boolean{below(2) == 0}};
      case 2:
        return {Word{word()}};
      case 3:
        return {Name{word()}};
      case 4:
        return {Member{draw(depth), word()}};
      case 5: {
        Call call{word(), {}};
        for (std::size_t i = below(4); i > 0; --i) call.arguments.push_back(draw(depth));
        return {call};
      }
      case 6:
        return {Negative{draw(depth)}};
      case 7:
        return {Negation{draw(depth)}};
      case 8:
        return {Binary{static_cast<Operator>(below(13)), draw(depth), draw(depth)}};
      default:
        return {Choice{draw(depth), draw(depth), draw(depth)}};
    }
  }

  std::string word() {
    static const char* words[] = {"c", "speedup", "level1", "accuracy", "\"ä\"", "op", "at", "member"};
    return words[below(std::size(words))];
  }

  std::size_t below(std::size_t n) { return random_() % n; }
  std::mt19937 random_;
};

TEST(Expression, OfAnyFormIsReadAsItIsWritten) {
  AnyExpression any(20260101);
  for (int i = 0; i < 5000; ++i) {
    const Expression expression = any.draw(i % 6);
    const json written = expression.write();
    const Expression read = Expression::read(written);
    ASSERT_EQ(read, expression) << written;
    ASSERT_EQ(read.write().dump(), written.dump());
    const Expression parsed = Expression::read(json::parse(written.dump()));
    ASSERT_EQ(parsed, expression) << written;
  }
}

TEST(Expression, WritesTheJsonOfTheInterface) {
  for (const char* text :
       {"1", "1.0", "-0.0", "-3", "9007199254740994", "-9223372036854774784", R"({"name":"c"})", R"({"at":[3,9],"name":"true"})",
        R"({"at":[0,9],"member":{"at":[0,1],"name":"c"},"name":"speedup"})",
        R"({"args":[{"name":"level1"}],"call":"accuracy"})", R"({"args":[],"call":"min"})",
        R"({"args":[2],"op":"neg"})", R"({"args":[{"name":"x"}],"op":"not"})",
        R"({"args":[1,2.5],"op":"<="})", R"({"if":[{"name":"false"},1,0]})", R"({"const":"f16"})"})
    EXPECT_EQ(Expression::read(json::parse(text)).write().dump(), text);
}

TEST(Expression, EveryOperatorIsWrittenAndReadAgain) {
  std::set<std::string_view> words;
  for (const char* sign : {"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"}) {
    const auto op = operator_written(sign);
    ASSERT_TRUE(op) << sign;
    EXPECT_EQ(word(*op), sign);
    words.insert(word(*op));
  }
  EXPECT_EQ(words.size(), 13u);
  EXPECT_FALSE(operator_written("@"));
}

TEST(Expression, SaysWhereJsonIsNone) {
  const auto refusal = [](const char* text) {
    try {
      Expression::read(json::parse(text));
      return std::string("read");
    } catch (const ExpressionError& error) {
      return error.where + ": " + error.expected;
    }
  };
  EXPECT_EQ(refusal("null"), ": an expression");
  EXPECT_EQ(refusal("true"), ": an expression");
  EXPECT_EQ(refusal("{}"), ": an expression");
  EXPECT_EQ(refusal("9007199254740993"), ": an integer that a double can be");
  EXPECT_EQ(refusal("18446744073709551615"), ": an integer that a double can be");
  EXPECT_EQ(refusal(R"({"op": "@", "args": [1, 2]})"), "op: an operator");
  EXPECT_EQ(refusal(R"({"op": "+"})"), "args: needed");
  EXPECT_EQ(refusal(R"({"op": "+", "args": [1]})"), "args: a list of length 2");
  EXPECT_EQ(refusal(R"({"op": "not", "args": [1, 2]})"), "args: a list of length 1");
  EXPECT_EQ(refusal(R"({"if": [1, 2, {"call": "min", "args": [3, "x"]}]})"),
            "if.[2].args.[1]: an expression");
  EXPECT_EQ(refusal(R"({"member": {"name": 1}, "name": "x"})"), "member.name: a text");
  EXPECT_EQ(refusal(R"({"name": "x", "at": [1, -2]})"), "at: two numbers of bytes");
}

TEST(Replaced, PutsExpressionsInThePlaceOfNamesAndOfTheRest) {
  const Expression body =
      placed(op("+", placed(name("x"), 1, 2), op("*", placed(member("x", "y"), 4, 7), 2)), 1, 9);
  const Expression twice = replaced(body, {{"x", op("-", 1, name("z"))}}, Place{50, 60});
  EXPECT_EQ(formula_text(twice), "1 - z + (1 - z).y * 2");
  EXPECT_EQ(twice.at(), (Place{50, 60}));
  EXPECT_EQ(twice.as<Binary>()->right.at(), std::nullopt) << "what had no place gets none";
  EXPECT_EQ(without_places(body), op("+", name("x"), op("*", member("x", "y"), 2)));
}

TEST(NamesAsked, AreThoseOfOneFunctionWhereverItIsCalled) {
  const Expression asked = op("+", call("min", call("accuracy", name("b")), 1),
                              op("*", call("accuracy", name("a")), call("accuracy", name("b"))));
  EXPECT_EQ(names_asked(asked, "accuracy"), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(names_asked(asked, "max").empty());
}

TEST(Expression, ThatCouldNotBeReadIsAQuestionMark) { EXPECT_EQ(formula_text(Expression()), "?"); }

}  // namespace
}  // namespace trl::formulas
