#include "base/formulas/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/formulas/precedence.hpp"

namespace trl::formulas {
namespace {

using nlohmann::json;

struct OperatorRow {
  Operator op;
  std::string_view word;
  int precedence;
};

constexpr std::array<OperatorRow, 13> operators = {{{Operator::disjunction, "or", precedence::disjunction},
                                                    {Operator::conjunction, "and", precedence::conjunction},
                                                    {Operator::less, "<", precedence::comparison},
                                                    {Operator::at_most, "<=", precedence::comparison},
                                                    {Operator::greater, ">", precedence::comparison},
                                                    {Operator::at_least, ">=", precedence::comparison},
                                                    {Operator::equal, "==", precedence::comparison},
                                                    {Operator::unequal, "!=", precedence::comparison},
                                                    {Operator::plus, "+", precedence::sum},
                                                    {Operator::minus, "-", precedence::sum},
                                                    {Operator::times, "*", precedence::product},
                                                    {Operator::divided, "/", precedence::product},
                                                    {Operator::power, "^", precedence::power}}};

const OperatorRow& row(Operator op) {
  return *std::find_if(operators.begin(), operators.end(),
                       [&](const OperatorRow& row) { return row.op == op; });
}

/// Reads the JSON of one node of an expression. `path` is the node's place in the whole expression, for
/// messages.
class Reader {
 public:
  Reader(const json& input, std::string path) : input_(input), path_(std::move(path)) {}

  Expression expression() const {
    if (input_.is_number()) return Node{number()};
    if (!input_.is_object()) fail("", "an expression", input_);
    return Node{form(), at()};
  }

 private:
  decltype(Node::form) form() const {
    if (has("member")) return Member{part("member", field("member")), text("name")};
    if (has("name")) {
      const std::string name = text("name");
      if (name == "true" || name == "false") return Boolean{name == "true"};
      return Name{name};
    }
    if (has("call")) return Call{text("call"), parts("args")};
    if (has("op")) return operation();
    if (has("if")) {
      const auto of = parts("if", 3);
      return Choice{of[0], of[1], of[2]};
    }
    if (has("const")) return Word{text("const")};
    fail("", "an expression", input_);
  }

  decltype(Node::form) operation() const {
    const std::string word = text("op");
    if (word == "neg") return Negative{parts("args", 1)[0]};
    if (word == "not") return Negation{parts("args", 1)[0]};
    const auto op = operator_written(word);
    if (!op) fail("op", "an operator", field("op"));
    const auto of = parts("args", 2);
    return Binary{*op, of[0], of[1]};
  }

  Number number() const {
    const auto value = input_.get<double>();
    if (!input_.is_number_integer()) return {value, false};
    if (std::abs(value) >= 0x1p63 || json(static_cast<std::int64_t>(value)) != input_)
      fail("", "an integer that a double can be", input_);
    return {value, true};
  }

  std::optional<Place> at() const {
    if (!has("at")) return std::nullopt;
    const json& at = field("at");
    if (!at.is_array() || at.size() != 2 || !at[0].is_number_integer() || !at[1].is_number_integer() ||
        at[0] < 0 || at[1] < 0)
      fail("at", "two numbers of bytes", at);
    return Place{at[0].get<std::size_t>(), at[1].get<std::size_t>()};
  }

  bool has(const char* key) const { return input_.contains(key); }

  const json& field(const char* key) const {
    const auto found = input_.find(key);
    if (found == input_.end()) fail(key, "needed", std::nullopt);
    return *found;
  }

  std::string text(const char* key) const {
    const json& value = field(key);
    if (!value.is_string()) fail(key, "a text", value);
    return value.get<std::string>();
  }

  Expression part(const std::string& key, const json& value) const {
    return Reader(value, path_of(key)).expression();
  }

  std::vector<Expression> parts(const char* key, std::optional<std::size_t> wanted = std::nullopt) const {
    const json& list = field(key);
    if (!list.is_array() || (wanted && list.size() != *wanted))
      fail(key, wanted ? fmt::format("a list of length {}", *wanted) : "a list", list);
    std::vector<Expression> all;
    for (const json& one : list) all.push_back(part(fmt::format("{}.[{}]", key, all.size()), one));
    return all;
  }

  std::string path_of(const std::string& key) const {
    return path_.empty() || key.empty() ? path_ + key : path_ + "." + key;
  }

  [[noreturn]] void fail(const char* key, std::string expected, std::optional<json> found) const {
    throw ExpressionError(path_of(key), std::move(expected), std::move(found));
  }

  const json& input_;
  std::string path_;
};

/// Writes the JSON of one form, without its source position.
struct Writer {
  json operator()(const Number& number) const {
    return number.integral ? json(static_cast<std::int64_t>(number.value)) : json(number.value);
  }
  json operator()(const Boolean& boolean) const { return {{"name", boolean.value ? "true" : "false"}}; }
  json operator()(const Word& word) const { return {{"const", word.text}}; }
  json operator()(const Name& name) const { return {{"name", name.text}}; }
  json operator()(const Member& member) const {
    return {{"member", member.of.write()}, {"name", member.name}};
  }
  json operator()(const Call& call) const {
    auto arguments = json::array();
    for (const Expression& argument : call.arguments) arguments.push_back(argument.write());
    return {{"call", call.function}, {"args", std::move(arguments)}};
  }
  json operator()(const Negative& negative) const { return operation("neg", {negative.of.write()}); }
  json operator()(const Negation& negation) const { return operation("not", {negation.of.write()}); }
  json operator()(const Binary& binary) const {
    return operation(word(binary.op), {binary.left.write(), binary.right.write()});
  }
  json operator()(const Choice& choice) const {
    return {{"if", json::array({choice.condition.write(), choice.then.write(), choice.otherwise.write()})}};
  }

 private:
  static json operation(std::string_view word, std::vector<json> parts) {
    return {{"op", std::string(word)}, {"args", std::move(parts)}};
  }
};

struct Precedence {
  int operator()(const Number& number) const {
    return number.value < 0 ? precedence::negative : precedence::atom;
  }
  int operator()(const Negative&) const { return precedence::negative; }
  int operator()(const Negation&) const { return precedence::negation; }
  int operator()(const Binary& binary) const { return row(binary.op).precedence; }
  int operator()(const Choice&) const { return precedence::choice; }
  int operator()(const auto&) const { return precedence::atom; }
};

std::string text_within(const Expression& expression, int least) {
  const std::string text = formula_text(expression);
  return std::visit(Precedence(), expression.node().form) < least ? "(" + text + ")" : text;
}

struct Text {
  std::string operator()(const Number& number) const { return fmt::format("{}", number.value); }
  std::string operator()(const Boolean& boolean) const { return boolean.value ? "true" : "false"; }
  std::string operator()(const Word& word) const { return word.text; }
  std::string operator()(const Name& name) const { return name.text; }
  std::string operator()(const Member& member) const {
    return text_within(member.of, precedence::atom) + "." + member.name;
  }
  std::string operator()(const Call& call) const {
    std::string arguments;
    for (const Expression& argument : call.arguments)
      arguments += (arguments.empty() ? "" : ", ") + formula_text(argument);
    return call.function + "(" + arguments + ")";
  }
  std::string operator()(const Negative& of) const { return "-" + text_within(of.of, precedence::negative); }
  std::string operator()(const Negation& of) const {
    return "not " + text_within(of.of, precedence::negation);
  }
  std::string operator()(const Binary& binary) const {
    const int own = row(binary.op).precedence;
    // Comparisons don't chain, and `^` groups from the right.
    const bool joins_left = own != precedence::comparison && own != precedence::power;
    return fmt::format("{} {} {}", text_within(binary.left, joins_left ? own : own + 1), word(binary.op),
                       text_within(binary.right, own + 1));
  }
  std::string operator()(const Choice& choice) const {
    return fmt::format("if {} then {} else {}", formula_text(choice.condition), formula_text(choice.then),
                       formula_text(choice.otherwise));
  }
};

void collect_names_asked(const Expression& expression, std::string_view function,
                         std::vector<std::string>& names) {
  if (const auto* call = expression.as<Call>(); call != nullptr && call->function == function)
    for (const Expression& argument : call->arguments)
      if (const auto* name = argument.as<Name>())
        if (std::find(names.begin(), names.end(), name->text) == names.end()) names.push_back(name->text);
  each_part(expression.node(), [&](const Expression& part) { collect_names_asked(part, function, names); });
}

}  // namespace

ExpressionError::ExpressionError(std::string path, std::string what_expected, std::optional<json> what_found)
    : std::runtime_error(
          fmt::format("{} should be {}", path.empty() ? "the value" : "`" + path + "`", what_expected)),
      where(std::move(path)),
      expected(std::move(what_expected)),
      found(std::move(what_found)) {}

std::optional<Operator> operator_written(std::string_view word) {
  for (const OperatorRow& row : operators)
    if (row.word == word) return row.op;
  return std::nullopt;
}

std::string_view word(Operator op) { return row(op).word; }
bool is_logic(Operator op) { return op == Operator::conjunction || op == Operator::disjunction; }
bool is_equality(Operator op) { return op == Operator::equal || op == Operator::unequal; }
int precedence_of(Operator op) { return row(op).precedence; }

bool is_comparison(Operator op) { return precedence_of(op) == precedence::comparison; }

Expression::Expression() {
  static const auto unread = std::make_shared<const Node>(Node{Name{"?"}});
  node_ = unread;
}

Expression::Expression(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

const std::optional<Place>& Expression::at() const { return node_->at; }

bool Expression::operator==(const Expression& other) const {
  return node_ == other.node_ || *node_ == *other.node_;
}

Expression Expression::read(const json& input) { return Reader(input, "").expression(); }

json Expression::write() const {
  json out = std::visit(Writer(), node_->form);
  if (node_->at) out["at"] = {node_->at->begin, node_->at->end};
  return out;
}

Expression replaced(const Expression& expression, const std::map<std::string, Expression>& names,
                    const std::optional<Place>& at) {
  if (const auto* name = expression.as<Name>())
    if (const auto found = names.find(name->text); found != names.end()) return found->second;
  Node node = expression.node();
  if (node.at) node.at = at;
  each_part(node, [&](Expression& part) { part = replaced(part, names, at); });
  return node;
}

Expression without_places(const Expression& expression) { return replaced(expression, {}, std::nullopt); }

Expression added(Expression left, Expression right) {
  return Node{Binary{Operator::plus, std::move(left), std::move(right)}};
}

std::vector<std::string> names_asked(const Expression& expression, std::string_view function) {
  std::vector<std::string> names;
  collect_names_asked(expression, function, names);
  return names;
}

std::string formula_text(const Expression& expression) { return std::visit(Text(), expression.node().form); }

}  // namespace trl::formulas
