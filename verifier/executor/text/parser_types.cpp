// Types, attributes and values in the text.
#include <algorithm>

#include "verifier/executor/text/parser.hpp"

namespace trl::executor {
namespace {

constexpr std::size_t most_values = 200'000;
constexpr std::int64_t most_elements = 1 << 20;  // Triton's own limit for a block
constexpr std::size_t most_dimensions = 24;
constexpr int deepest_attribute = 16;

}  // namespace

Type Parser::type() {
  const Token token = lexer_.next();
  Type result;
  if (token.kind == TokenKind::name) {
    static const std::unordered_map<std::string_view, Scalar> scalars = {
        {"i1", Scalar::i1},     {"i8", Scalar::i8},           {"i16", Scalar::i16},
        {"i32", Scalar::i32},   {"i64", Scalar::i64},         {"f16", Scalar::f16},
        {"bf16", Scalar::bf16}, {"f32", Scalar::f32},         {"f64", Scalar::f64},
        {"index", Scalar::i64}, {"f8E4M3FN", Scalar::f8e4m3}, {"f8E5M2", Scalar::f8e5m2}};
    if (const auto found = scalars.find(token.text); found != scalars.end()) {
      result.scalar = found->second;
      return result;
    }
    if (token.text == "tensor") {
      lexer_.expect("<");
      const std::string_view text = lexer_.rest();
      std::size_t used = 0;
      std::vector<std::int32_t> shape;
      std::int64_t count = 1;
      while (used < text.size() && text[used] >= '0' && text[used] <= '9') {
        std::int64_t extent = 0;
        while (used < text.size() && text[used] >= '0' && text[used] <= '9' && extent <= most_elements) {
          extent = extent * 10 + (text[used++] - '0');
        }
        if (extent < 1) lexer_.fail("a block's dimension must be at least 1", token.at);
        count = extent > most_elements ? most_elements + 1 : count * extent;
        if (count > most_elements) lexer_.fail("a block has more than 1048576 elements", token.at);
        if (shape.size() >= most_dimensions) lexer_.fail("a block has too many dimensions", token.at);
        if (used >= text.size() || text[used] != 'x')
          lexer_.fail("expected 'x' in a block's shape", token.at);
        ++used;
        shape.push_back(static_cast<std::int32_t>(extent));
      }
      lexer_.advance(used);
      if (lexer_.at("tensor")) lexer_.fail("a block of blocks isn't supported by the executor");
      result = type();
      if (result.tensor) lexer_.fail("a block of blocks isn't supported by the executor", token.at);
      lexer_.expect(">");
      result.tensor = true;
      result.shape = std::move(shape);
      return result;
    }
  }
  if (token.kind == TokenKind::type && token.text == "tt.ptr") {
    lexer_.expect("<");
    if (lexer_.peek().kind == TokenKind::type || lexer_.at("tensor")) {
      lexer_.fail("a pointer to a pointer or a block isn't supported by the executor");
    }
    result.pointee = type().scalar;
    result.scalar = Scalar::ptr;
    if (lexer_.accept(",")) lexer_.next();
    lexer_.expect(">");
    return result;
  }
  lexer_.fail("type " + std::string(token.text.substr(0, 80)) + " isn't supported by the executor", token.at);
}

Parser::Types Parser::types() {
  Types list;
  if (!lexer_.accept("(")) {
    list.push_back(type());
    return list;
  }
  while (!lexer_.accept(")")) {
    list.push_back(type());
    attributes();
    if (!lexer_.at(")")) lexer_.expect(",");
    if (list.size() > 1000) lexer_.fail("too many types");
  }
  return list;
}

Attribute Parser::attribute(int depth) {
  if (depth > deepest_attribute) lexer_.fail("attributes are nested too deeply");
  const auto skip_angles = [this] {
    if (!lexer_.accept("<")) return;
    for (int open = 1; open > 0;) {
      const Token token = lexer_.next();
      if (token.kind == TokenKind::end) lexer_.fail("'<' is not closed", token.at);
      if (token.kind == TokenKind::mark) open += token.text == "<" ? 1 : token.text == ">" ? -1 : 0;
    }
  };
  Attribute result;
  const Token token = lexer_.next();
  switch (token.kind) {
    case TokenKind::integer:
      result.integer = token.integer;
      break;
    case TokenKind::real:
      break;
    case TokenKind::text:
    case TokenKind::symbol:
      result.text = token.text;
      break;
    case TokenKind::name:
      result.integer = token.text == "true" ? 1 : 0;
      result.text = token.text;
      if (token.text == "array" && lexer_.accept("<")) {
        type();
        if (lexer_.accept(":")) {
          do {
            const Token element = lexer_.next();
            result.list.push_back(element.kind == TokenKind::integer ? element.integer
                                                                     : element.text == "true");
            if (result.list.size() > 10'000) lexer_.fail("an attribute is too long");
          } while (lexer_.accept(","));
        }
        lexer_.expect(">");
      } else if (token.text == "dense") {
        dense(result);
      } else {
        skip_angles();
      }
      break;
    case TokenKind::alias:
    case TokenKind::type:
      skip_angles();
      break;
    default:
      if (token.text == "[") {
        while (!lexer_.accept("]")) {
          result.list.push_back(attribute(depth + 1).integer);
          if (!lexer_.at("]")) lexer_.expect(",");
        }
        break;
      }
      if (token.text == "{") {
        while (!lexer_.accept("}")) {
          lexer_.next();
          if (lexer_.accept("=")) attribute(depth + 1);
          if (!lexer_.at("}")) lexer_.expect(",");
        }
        break;
      }
      lexer_.fail("expected an attribute", token.at);
  }
  if (lexer_.accept(":")) type();
  return result;
}

/// `<16>` or `<[1, 16]>`: reads the integers, and leaves other elements out.
void Parser::dense(Attribute& result) {
  constexpr std::size_t most = 16;
  if (!lexer_.accept("<")) return;
  for (int open = 1; open > 0;) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::end) lexer_.fail("'<' is not closed", token.at);
    if (token.kind == TokenKind::mark) open += token.text == "<" ? 1 : token.text == ">" ? -1 : 0;
    if (token.kind == TokenKind::integer && result.list.size() < most) result.list.push_back(token.integer);
  }
}

/// Keeps what an attribute promises about the value of the current operation or parameter.
void Parser::hint(std::string_view key, const Attribute& attribute) {
  std::vector<std::int64_t>* const list = key == "tt.divisibility" ? &hints_.divisibility
                                          : key == "tt.constancy"  ? &hints_.constancy
                                                                   : nullptr;
  if (list == nullptr) return;
  *list = attribute.list.empty() ? std::vector{attribute.integer} : attribute.list;
}

Parser::Attributes Parser::attributes(int depth) {
  Attributes result;
  if (!lexer_.accept("{")) return result;
  while (!lexer_.accept("}")) {
    const Token key = lexer_.next();
    if (key.kind != TokenKind::name && key.kind != TokenKind::text)
      lexer_.fail("expected an attribute's name", key.at);
    Attribute entry;
    if (lexer_.accept("=")) entry = attribute(depth + 1);
    hint(key.text, entry);
    result.emplace_back(key.text, std::move(entry));
    if (!lexer_.at("}")) lexer_.expect(",");
    if (result.size() > 1000) lexer_.fail("too many attributes");
  }
  return result;
}

void Parser::skip_flags() {
  while (lexer_.accept("fastmath") || lexer_.accept("overflow")) {
    lexer_.expect("<");
    while (!lexer_.accept(">")) {
      if (lexer_.next().kind == TokenKind::end) lexer_.fail("'<' is not closed");
    }
  }
  lexer_.accept("nneg");
  lexer_.accept("exact");
}

// ---- values ----

int Parser::new_value(const Type& type, std::int64_t capacity) {
  if (function_->values.size() >= most_values) lexer_.fail("too many values");
  ir::Value& value = function_->values.emplace_back();
  value.type = type;
  value.count = type.count();
  value.capacity = capacity;
  return static_cast<int>(function_->values.size()) - 1;
}

void Parser::bind(const Name& name, int first) {
  if (!scope_.try_emplace(name.text, Bound{first, name.count}).second) {
    lexer_.fail("%" + std::string(name.text.substr(0, 80)) + " is defined twice", operation_at_);
  }
  bound_.push_back(name.text);
}

int Parser::operand() {
  const Token token = lexer_.next();
  if (token.kind != TokenKind::value) lexer_.fail("expected a value", token.at);
  const auto found = scope_.find(token.text);
  if (found == scope_.end()) {
    lexer_.fail("%" + std::string(token.text.substr(0, 80)) + " is not defined here", token.at);
  }
  const std::int64_t index = std::max<std::int64_t>(token.integer, 0);
  if (index >= found->second.count) lexer_.fail("there is no such result", token.at);
  return found->second.first + static_cast<int>(index);
}

void Parser::operands(ir::Operation& op, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) lexer_.expect(",");
    op.operands.push_back(operand());
  }
}

std::vector<int> Parser::operand_list() {
  std::vector<int> list;
  if (lexer_.peek().kind != TokenKind::value) return list;
  do {
    list.push_back(operand());
    if (list.size() > 1000) lexer_.fail("too many operands");
  } while (lexer_.accept(","));
  return list;
}

void Parser::require(bool condition, const char* what) {
  if (!condition) lexer_.fail(what, operation_at_);
}

std::pair<Type, Type> Parser::from_to(const ir::Operation& op) {
  lexer_.expect(":");
  Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("->");
  Type to = type();
  return {std::move(from), std::move(to)};
}

void Parser::require_type(int index, const Type& type) {
  if (type_of(index) != type) {
    lexer_.fail("an operand is " + to_string(type_of(index)) + ", not " + to_string(type), operation_at_);
  }
}

}  // namespace trl::executor
