#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/support/error.hpp"
#include "runtime/chat/lexer.hpp"
#include "runtime/chat/syntax.hpp"

namespace trl::runtime::chat {

void fail(const std::string& name, Place place, const std::string& message) {
  throw UserError(fmt::format("{}:{}:{}: {}", name, place.line, place.column, message),
                  "runtime/chat/README.md lists what of Jinja is carried out");
}

namespace {

using Kind = Lexeme::Kind;

NodePointer node(Node::Kind kind, Place place, std::string text = "") {
  auto made = std::make_unique<Node>();
  made->kind = kind;
  made->place = place;
  made->text = std::move(text);
  return made;
}

class Parser {
 public:
  Parser(std::string_view source, const std::string& name)
      : lexemes_(lex_template(source, name)), name_(name) {}

  Body parse() {
    Body body = statements({});
    if (now().kind != Kind::end) refuse("a tag that closes nothing");
    return body;
  }

 private:
  const Lexeme& now() const { return lexemes_[at_]; }
  const Lexeme& after() const { return lexemes_[std::min(at_ + 1, lexemes_.size() - 1)]; }
  [[noreturn]] void refuse(const std::string& message) const { fail(name_, now().place, message); }
  Lexeme take() {
    const Lexeme& taken = lexemes_[at_];
    if (at_ + 1 < lexemes_.size()) ++at_;
    return taken;
  }
  bool skip_name(std::string_view name) {
    if (!now().is_name(name)) return false;
    take();
    return true;
  }
  bool skip_sign(std::string_view sign) {
    if (!now().is_sign(sign)) return false;
    take();
    return true;
  }
  std::string shown() const {
    switch (now().kind) {
      case Kind::end:
        return "the template's end";
      case Kind::block_end:
        return "%}";
      case Kind::output_end:
        return "}}";
      case Kind::text:
      case Kind::block_begin:
      case Kind::output_begin:
        return "text";
      default:
        return "\"" + now().text + "\"";
    }
  }
  void expect_sign(std::string_view sign) {
    if (!skip_sign(sign)) refuse(fmt::format("\"{}\" is expected here, not {}", sign, shown()));
  }
  std::string expect_name(const char* what) {
    if (now().kind != Kind::name) refuse(fmt::format("{} is expected here, not {}", what, shown()));
    return take().text;
  }
  void block_end() {
    if (now().kind != Kind::block_end) refuse(fmt::format("%}} is expected here, not {}", shown()));
    take();
  }

  /// Guards against nesting that would exhaust the stack.
  struct Level {
    explicit Level(Parser& parser) : parser(parser) {
      if (++parser.depth_ > 150) parser.refuse("tags and expressions lie more than 150 deep in each other");
    }
    ~Level() { --parser.depth_; }
    Parser& parser;
  };

  /// Statements up to a tag whose name is in `ends`; the tag's name is then taken, and its rest not yet.
  Body statements(const std::set<std::string>& ends) {
    Level level(*this);
    Body body;
    const Place opened = now().place;
    while (now().kind != Kind::end) {
      if (now().kind == Kind::text) {
        auto made = statement(Statement::Kind::text);
        made->text = take().text;
        body.push_back(std::move(made));
      } else if (now().kind == Kind::output_begin) {
        auto made = statement(Statement::Kind::output);
        take();
        made->expression = tuple();
        if (now().kind != Kind::output_end) refuse(fmt::format("}}}} is expected here, not {}", shown()));
        take();
        body.push_back(std::move(made));
      } else {
        if (after().kind != Kind::name) {
          take();
          refuse(fmt::format("a tag's name is expected here, not {}", shown()));
        }
        if (ends.contains(after().text)) {
          take();
          return body;
        }
        take();
        body.push_back(tag());
      }
    }
    if (!ends.empty()) fail(name_, opened, fmt::format("{} is missing for the tag before", *ends.rbegin()));
    return body;
  }

  std::unique_ptr<Statement> statement(Statement::Kind kind) const {
    auto made = std::make_unique<Statement>();
    made->kind = kind;
    made->place = now().place;
    return made;
  }

  std::unique_ptr<Statement> tag() {
    const std::string name = now().text;
    if (name == "if") return condition();
    if (name == "for") return loop();
    if (name == "set") return set();
    if (name == "macro") return macro();
    if (name == "generation") {
      auto made = statement(Statement::Kind::generation);
      take();
      block_end();
      made->body = statements({"endgeneration"});
      take();
      block_end();
      return made;
    }
    if (name == "break" || name == "continue") {
      auto made = statement(name == "break" ? Statement::Kind::leave : Statement::Kind::next);
      if (loops_ == 0) refuse(fmt::format("{} outside of a loop", name));
      take();
      block_end();
      return made;
    }
    static const std::set<std::string> known = {"block",  "call",    "do",   "extends",    "filter", "from",
                                                "import", "include", "with", "autoescape", "trans"};
    refuse(known.contains(name) ? fmt::format("the tag {} is not supported", name)
                                : fmt::format("there is no tag {} here", name));
  }

  std::unique_ptr<Statement> condition() {
    auto made = statement(Statement::Kind::condition);
    take();
    while (true) {
      auto test = tuple(false);
      block_end();
      Body body = statements({"elif", "else", "endif"});
      made->branches.emplace_back(std::move(test), std::move(body));
      if (skip_name("elif")) continue;
      if (skip_name("else")) {
        block_end();
        made->branches.emplace_back(nullptr, statements({"endif"}));
      }
      take();
      block_end();
      return made;
    }
  }

  std::unique_ptr<Statement> loop() {
    auto made = statement(Statement::Kind::loop);
    take();
    made->target = target(false);
    if (!skip_name("in")) refuse(fmt::format("\"in\" is expected here, not {}", shown()));
    made->expression = tuple(false);
    if (skip_name("if")) made->filter = expression();
    if (now().is_name("recursive")) refuse("recursive loops are not supported");
    block_end();
    ++loops_;
    made->body = statements({"endfor", "else"});
    --loops_;
    if (skip_name("else")) {
      block_end();
      made->otherwise = statements({"endfor"});
    }
    take();
    block_end();
    return made;
  }

  Target target(bool members) {
    Target made{now().place, "", "", {}};
    const auto one = [&] {
      Target single{now().place, "", "", {}};
      single.name = expect_name("a name");
      if (single.name == "true" || single.name == "false" || single.name == "none" || single.name == "loop")
        fail(name_, single.place, fmt::format("{} can't be assigned to", single.name));
      if (members && skip_sign(".")) single.member = expect_name("a member's name");
      return single;
    };
    const bool bracket = skip_sign("(");
    made.several.push_back(one());
    bool several = false;
    while (skip_sign(",")) {
      several = true;
      if (now().kind != Kind::name || now().is_name("in")) break;
      made.several.push_back(one());
    }
    if (bracket) expect_sign(")");
    return several ? made : made.several.front();
  }

  std::unique_ptr<Statement> set() {
    auto made = statement(Statement::Kind::set);
    take();
    made->target = target(true);
    if (skip_sign("=")) {
      made->expression = tuple();
      block_end();
      return made;
    }
    made->kind = Statement::Kind::set_block;
    while (now().is_sign("|")) made->expression = filter(std::move(made->expression));
    block_end();
    made->body = statements({"endset"});
    take();
    block_end();
    return made;
  }

  std::unique_ptr<Statement> macro() {
    auto made = statement(Statement::Kind::macro);
    take();
    made->text = expect_name("the macro's name");
    expect_sign("(");
    while (!now().is_sign(")")) {
      if (!made->parameters.empty()) expect_sign(",");
      std::string parameter = expect_name("a parameter's name");
      NodePointer otherwise;
      if (skip_sign("=")) otherwise = expression();
      if (!otherwise && !made->parameters.empty() && made->parameters.back().second)
        refuse("a parameter without a default after one with");
      made->parameters.emplace_back(std::move(parameter), std::move(otherwise));
    }
    take();
    block_end();
    const int outer = std::exchange(loops_, 0);
    ++macros_;
    made->body = statements({"endmacro"});
    --macros_;
    loops_ = outer;
    take();
    block_end();
    return made;
  }

  bool tuple_end() const {
    return now().kind == Kind::block_end || now().kind == Kind::output_end || now().is_sign(")") ||
           now().is_name("recursive");
  }

  /// An expression, or several with commas.
  NodePointer tuple(bool choices = true, bool brackets = false) {
    const Place place = now().place;
    std::vector<NodePointer> parts;
    bool several = false;
    while (true) {
      if (!parts.empty()) expect_sign(",");
      if (tuple_end()) break;
      parts.push_back(choices ? expression() : either());
      if (!now().is_sign(",")) break;
      several = true;
    }
    if (!several && parts.size() == 1) return std::move(parts.front());
    if (parts.empty() && !brackets) refuse(fmt::format("an expression is expected here, not {}", shown()));
    auto made = node(Node::Kind::tuple, place);
    made->parts = std::move(parts);
    return made;
  }

  NodePointer expression() {
    Level level(*this);
    NodePointer left = either();
    while (now().is_name("if")) {
      auto made = node(Node::Kind::choice, take().place);
      made->parts.push_back(either());
      made->parts.push_back(std::move(left));
      made->parts.push_back(skip_name("else") ? expression() : nullptr);
      left = std::move(made);
    }
    return left;
  }

  NodePointer two(Node::Kind kind, Place place, NodePointer left, NodePointer right, std::string text = "") {
    auto made = node(kind, place, std::move(text));
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    if (++chained_ > 5000) refuse("an expression of more than 5000 operations");
    return made;
  }

  NodePointer either() {
    NodePointer left = both();
    while (now().is_name("or")) {
      const Place place = take().place;
      left = two(Node::Kind::either, place, std::move(left), both());
    }
    return left;
  }

  NodePointer both() {
    NodePointer left = negation();
    while (now().is_name("and")) {
      const Place place = take().place;
      left = two(Node::Kind::both, place, std::move(left), negation());
    }
    return left;
  }

  NodePointer negation() {
    if (!now().is_name("not")) return comparison();
    Level level(*this);
    auto made = node(Node::Kind::negation, take().place);
    made->parts.push_back(negation());
    return made;
  }

  NodePointer comparison() {
    NodePointer first = sum();
    NodePointer made;
    while (true) {
      std::string word;
      if (now().kind == Kind::sign && (now().text == "==" || now().text == "!=" || now().text == "<" ||
                                       now().text == "<=" || now().text == ">" || now().text == ">=")) {
        word = now().text;
      } else if (now().is_name("in")) {
        word = "in";
      } else if (now().is_name("not") && after().is_name("in")) {
        word = "not in";
      } else {
        return made ? std::move(made) : std::move(first);
      }
      if (!made) {
        made = node(Node::Kind::compare, now().place);
        made->parts.push_back(std::move(first));
      }
      take();
      if (word == "not in") take();
      made->words.push_back(word);
      made->parts.push_back(sum());
    }
  }

  /// Operations of one rank, from the left.
  template <typename Part>
  NodePointer operations(std::initializer_list<std::string_view> signs, const Part& part) {
    NodePointer left = part();
    while (now().kind == Kind::sign && std::find(signs.begin(), signs.end(), now().text) != signs.end()) {
      const Lexeme sign = take();
      left = two(Node::Kind::operation, sign.place, std::move(left), part(), sign.text);
    }
    return left;
  }
  NodePointer sum() {
    return operations({"+", "-"}, [this] { return concatenation(); });
  }
  NodePointer concatenation() {
    return operations({"~"}, [this] { return product(); });
  }
  NodePointer product() {
    return operations({"*", "/", "//", "%"}, [this] { return power(); });
  }
  NodePointer power() {
    return operations({"**"}, [this] { return unary(true); });
  }

  NodePointer unary(bool with_filter) {
    Level level(*this);
    NodePointer made;
    if (now().is_sign("-") || now().is_sign("+")) {
      const Lexeme sign = take();
      made = node(sign.text == "-" ? Node::Kind::minus : Node::Kind::plus, sign.place);
      made->parts.push_back(unary(false));
    } else {
      made = primary();
    }
    made = postfix(std::move(made));
    while (with_filter) {
      if (now().is_sign("|"))
        made = filter(std::move(made));
      else if (now().is_name("is"))
        made = test(std::move(made));
      else if (now().is_sign("("))
        made = call(std::move(made));
      else
        break;
    }
    return made;
  }

  NodePointer constant(Value value) {
    auto made = node(Node::Kind::constant, now().place);
    made->value = std::move(value);
    take();
    return made;
  }

  NodePointer primary() {
    Level level(*this);
    const Lexeme lexeme = now();
    switch (lexeme.kind) {
      case Kind::name: {
        if (lexeme.text == "true" || lexeme.text == "True") return constant(true);
        if (lexeme.text == "false" || lexeme.text == "False") return constant(false);
        if (lexeme.text == "none" || lexeme.text == "None") return constant(None{});
        if (macros_ > 0 && (lexeme.text == "varargs" || lexeme.text == "kwargs" || lexeme.text == "caller"))
          refuse(fmt::format("{} in a macro is not supported", lexeme.text));
        if (lexeme.text == "self") refuse("self is not supported");
        take();
        return node(Node::Kind::name, lexeme.place, lexeme.text);
      }
      case Kind::string: {
        std::string text;
        auto made = node(Node::Kind::constant, lexeme.place);
        while (now().kind == Kind::string) text += take().text;
        made->value = text;
        return made;
      }
      case Kind::integer:
        return constant(static_cast<std::int64_t>(std::stoll(lexeme.text)));
      case Kind::real: {
        double value = 0;
        std::from_chars(lexeme.text.data(), lexeme.text.data() + lexeme.text.size(), value);
        return constant(value);
      }
      default:
        break;
    }
    if (skip_sign("(")) {
      auto made = tuple(true, true);
      expect_sign(")");
      return made;
    }
    if (skip_sign("[")) {
      auto made = node(Node::Kind::list, lexeme.place);
      while (!now().is_sign("]")) {
        if (!made->parts.empty()) expect_sign(",");
        if (now().is_sign("]")) break;
        made->parts.push_back(expression());
      }
      take();
      return made;
    }
    if (skip_sign("{")) {
      auto made = node(Node::Kind::dict, lexeme.place);
      while (!now().is_sign("}")) {
        if (!made->parts.empty()) expect_sign(",");
        if (now().is_sign("}")) break;
        made->parts.push_back(expression());
        expect_sign(":");
        made->parts.push_back(expression());
      }
      take();
      return made;
    }
    refuse(fmt::format("an expression is expected here, not {}", shown()));
  }

  NodePointer postfix(NodePointer made) {
    while (true) {
      if (now().is_sign(".")) {
        const Place place = take().place;
        if (now().kind == Kind::integer) {
          auto index = constant(static_cast<std::int64_t>(std::stoll(now().text)));
          made = two(Node::Kind::index, place, std::move(made), std::move(index));
        } else {
          auto member = node(Node::Kind::member, place, expect_name("a member's name"));
          member->parts.push_back(std::move(made));
          made = std::move(member);
        }
      } else if (now().is_sign("[")) {
        made = subscript(std::move(made));
      } else if (now().is_sign("(")) {
        made = call(std::move(made));
      } else {
        return made;
      }
      if (++chained_ > 5000) refuse("an expression of more than 5000 operations");
    }
  }

  NodePointer subscript(NodePointer of) {
    const Place place = take().place;
    NodePointer parts[3];
    int colons = 0;
    while (!now().is_sign("]")) {
      if (skip_sign(":")) {
        if (++colons > 2) refuse("a slice has at most two colons");
      } else if (!parts[colons]) {
        parts[colons] = expression();
      } else {
        refuse(fmt::format("] is expected here, not {}", shown()));
      }
    }
    take();
    if (colons == 0) {
      if (!parts[0]) fail(name_, place, "an index is missing");
      return two(Node::Kind::index, place, std::move(of), std::move(parts[0]));
    }
    auto made = node(Node::Kind::slice, place);
    made->parts.push_back(std::move(of));
    for (auto& part : parts) made->parts.push_back(std::move(part));
    return made;
  }

  /// Reads (a, b, name = c) into the node.
  void arguments(Node& into) {
    expect_sign("(");
    bool any = false;
    while (!now().is_sign(")")) {
      if (any) expect_sign(",");
      if (now().is_sign(")")) break;
      any = true;
      if (now().is_sign("*") || now().is_sign("**")) refuse("arguments with * are not supported");
      if (now().kind == Kind::name && after().is_sign("=")) {
        const std::string name = take().text;
        take();
        for (const auto& [other, value] : into.named)
          if (other == name) refuse(fmt::format("the argument {} is given twice", name));
        into.named.emplace_back(name, expression());
      } else {
        if (!into.named.empty()) refuse("an argument without a name after one with");
        into.parts.push_back(expression());
      }
    }
    take();
  }

  NodePointer call(NodePointer of) {
    auto made = node(Node::Kind::call, now().place);
    made->parts.push_back(std::move(of));
    arguments(*made);
    return made;
  }

  NodePointer filter(NodePointer of) {
    take();
    auto made = node(Node::Kind::filter, now().place);
    made->text = expect_name("a filter's name");
    made->parts.push_back(std::move(of));
    if (now().is_sign("(")) arguments(*made);
    return made;
  }

  NodePointer test(NodePointer of) {
    take();
    const bool negated = skip_name("not");
    auto made = node(Node::Kind::test, now().place);
    made->text = expect_name("a test's name");
    made->parts.push_back(std::move(of));
    const bool begins = now().kind == Kind::name || now().kind == Kind::string ||
                        now().kind == Kind::integer || now().kind == Kind::real || now().is_sign("[") ||
                        now().is_sign("{");
    if (now().is_sign("(")) {
      arguments(*made);
      if (!made->named.empty()) refuse("arguments with names of a test are not supported");
    } else if (begins && !now().is_name("else") && !now().is_name("or") && !now().is_name("and")) {
      if (now().is_name("is")) refuse("a test of a test");
      made->parts.push_back(postfix(primary()));
    }
    if (!negated) return made;
    auto outer = node(Node::Kind::negation, made->place);
    outer->parts.push_back(std::move(made));
    return outer;
  }

  const std::vector<Lexeme> lexemes_;
  const std::string& name_;
  std::size_t at_ = 0;
  int depth_ = 0, loops_ = 0, macros_ = 0, chained_ = 0;
};

}  // namespace

Template parse_template(std::string_view source, const std::string& name) {
  Template parsed{Parser(source, name).parse(), {}};
  find_scopes(parsed);
  return parsed;
}

}  // namespace trl::runtime::chat
