// Constants, ranges and the grid.
#include <charconv>
#include <cstring>

#include "verifier/executor/text/parser.hpp"
#include "verifier/executor/values/half.hpp"

namespace trl::executor {

void Parser::element(const Token& token, Scalar scalar, std::vector<std::byte>& out) {
  const auto put = [&out](auto value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
  };
  if (is_integer(scalar)) {
    std::int64_t value = token.integer;
    if (token.kind == TokenKind::name && (token.text == "true" || token.text == "false")) {
      value = token.text == "true" ? 1 : 0;
    } else if (token.kind != TokenKind::integer) {
      lexer_.fail("expected an integer", token.at);
    }
    switch (scalar) {
      case Scalar::i1:
        put(static_cast<std::uint8_t>(value & 1));
        return;
      case Scalar::i8:
        put(static_cast<std::int8_t>(value));
        return;
      case Scalar::i16:
        put(static_cast<std::int16_t>(value));
        return;
      case Scalar::i32:
        put(static_cast<std::int32_t>(value));
        return;
      default:
        put(value);
        return;
    }
  }
  if (!is_float(scalar)) lexer_.fail("a constant of this type isn't supported by the executor", token.at);
  if (token.kind == TokenKind::integer && token.hexadecimal) {
    const auto pattern = static_cast<std::uint64_t>(token.integer);
    switch (scalar) {
      case Scalar::f8e4m3:
        put(half::from_f8e4m3_bits(static_cast<std::uint8_t>(pattern)));
        return;
      case Scalar::f8e5m2:
        put(half::from_f8e5m2_bits(static_cast<std::uint8_t>(pattern)));
        return;
      case Scalar::f16:
        put(half::from_f16_bits(static_cast<std::uint16_t>(pattern)));
        return;
      case Scalar::bf16:
        put(half::from_bf16_bits(static_cast<std::uint16_t>(pattern)));
        return;
      case Scalar::f32:
        put(static_cast<std::uint32_t>(pattern));
        return;
      default:
        put(pattern);
        return;
    }
  }
  if (token.kind != TokenKind::real && token.kind != TokenKind::integer)
    lexer_.fail("expected a number", token.at);
  double wide = 0;
  float narrow = 0;
  const char* const begin = token.text.data();
  const char* const end = begin + token.text.size();
  // A number out of range leaves 0. MLIR never writes one: it uses hexadecimal digits for numbers that
  // decimals can't express.
  std::from_chars(begin, end, wide);
  std::from_chars(begin, end, narrow);
  switch (scalar) {
    case Scalar::f8e4m3:
      put(half::round_f8e4m3(narrow));
      return;
    case Scalar::f8e5m2:
      put(half::round_f8e5m2(narrow));
      return;
    case Scalar::f16:
      put(half::round_f16(narrow));
      return;
    case Scalar::bf16:
      put(half::round_bf16(narrow));
      return;
    case Scalar::f32:
      put(narrow);
      return;
    default:
      put(wide);
      return;
  }
}

/// `dense<"0x0000803F…">`: the bytes of all elements, or of one element for all. An i1 is one bit, the lowest
/// bit first.
void Parser::packed(ir::Operation& op, const Type& type, const Token& text) {
  const auto digit = [&](std::size_t at) -> std::uint64_t {
    const char c = text.text[at];
    if (c >= '0' && c <= '9') return static_cast<std::uint64_t>(c - '0');
    if (c >= 'A' && c <= 'F') return static_cast<std::uint64_t>(c - 'A') + 10;
    if (c >= 'a' && c <= 'f') return static_cast<std::uint64_t>(c - 'a') + 10;
    lexer_.fail("a packed constant holds what is no hexadecimal digit", text.at);
  };
  if (!text.text.starts_with("0x")) lexer_.fail("a packed constant begins with 0x", text.at);
  const bool bits = type.scalar == Scalar::i1;
  const std::size_t size = static_cast<std::size_t>(memory_bytes(type.scalar));
  const std::size_t bytes = (text.text.size() - 2) / 2, count = static_cast<std::size_t>(type.count());
  const bool whole = text.text.size() == 2 + 2 * bytes,
             all = bytes == (bits ? (count + 7) / 8 : count * size);
  if (!whole || (!all && bytes != size)) lexer_.fail("a packed constant doesn't fit its block", text.at);
  const auto byte = [&](std::size_t at) { return digit(2 + 2 * at) << 4 | digit(3 + 2 * at); };
  Token value;
  value.kind = TokenKind::integer;
  value.hexadecimal = true;
  value.at = text.at;
  op.number = all ? type.count() : 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(op.number); ++i) {
    std::uint64_t pattern = 0;
    if (bits) {
      pattern = all ? byte(i / 8) >> i % 8 & 1 : byte(0) & 1;
    } else {
      for (std::size_t b = 0; b < size; ++b) pattern |= byte(i * size + b) << (8 * b);
    }
    value.integer = static_cast<std::int64_t>(pattern);
    element(value, type.scalar, op.payload);
  }
}

/// `dense<1.0>`, `dense<[[1, 2], [3, 4]]>`: the part between the angle brackets. op.number becomes the number
/// of elements stored.
void Parser::elements(ir::Operation& op, const Type& type) {
  if (!lexer_.at("[")) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::text) return packed(op, type, token);
    element(token, type.scalar, op.payload);
    op.number = 1;
    return;
  }
  std::int64_t count = 0;
  int open = 0;
  do {
    if (lexer_.accept("[")) {
      if (++open > 24) lexer_.fail("a constant is nested too deeply");
    } else if (lexer_.accept("]")) {
      --open;
    } else if (!lexer_.accept(",")) {
      if (++count > type.count()) lexer_.fail("a constant has too many elements");
      element(lexer_.next(), type.scalar, op.payload);
    }
  } while (open > 0);
  if (count != type.count()) lexer_.fail("a constant has too few elements");
  op.number = count;
}

Parser::Types Parser::constant(ir::Operation& op, Code) {
  attributes();
  if (!lexer_.accept("dense")) {
    const Token token = lexer_.next();
    Type result;
    if (token.kind == TokenKind::name) {
      result.scalar = Scalar::i1;
      if (lexer_.accept(":")) result = type();
    } else {
      lexer_.expect(":");
      result = type();
    }
    require(!result.tensor, "a block's constant is written dense<…>");
    element(token, result.scalar, op.payload);
    op.number = 1;
    op.scalar = result.scalar;
    return {result};
  }
  // The type follows the elements, but is needed first.
  lexer_.expect("<");
  const std::string_view text = lexer_.rest();
  const std::size_t close = text.find('>');
  if (close == std::string_view::npos) lexer_.fail("a constant is not closed");
  Lexer behind(text.substr(close));
  std::swap(lexer_, behind);
  Type result;
  try {
    lexer_.expect(">");
    lexer_.expect(":");
    result = type();
  } catch (Failure& failure) {
    std::swap(lexer_, behind);
    failure.at = operation_at_;
    throw;
  }
  std::swap(lexer_, behind);
  require(result.tensor, "dense<…> is a block's constant");
  elements(op, result);
  lexer_.expect(">");
  lexer_.expect(":");
  type();
  op.scalar = result.scalar;
  return {result};
}

/// A poison value, which no correct program uses.
Parser::Types Parser::poison(ir::Operation& op, Code) {
  lexer_.expect(":");
  const Type result = type();
  op.payload.resize(static_cast<std::size_t>(storage_bytes(result.scalar)));
  op.number = 1;
  op.scalar = result.scalar;
  return {result};
}

Parser::Types Parser::grid(ir::Operation& op, Code) {
  const Token axis = lexer_.next();
  require(axis.text == "x" || axis.text == "y" || axis.text == "z", "expected x, y or z");
  op.number = axis.text[0] - 'x';
  attributes();
  lexer_.expect(":");
  const Type result = type();
  require(result == Type{}, "a program's number is i32");
  return {result};
}

Parser::Types Parser::make_range(ir::Operation& op, Code) {
  std::int64_t start = 0, end = 0;
  for (const auto& [key, attribute] : attributes()) {
    if (key == "start") start = attribute.integer;
    if (key == "end") end = attribute.integer;
  }
  lexer_.expect(":");
  const Type result = type();
  require(result.scalar == Scalar::i32 && result.shape.size() == 1,
          "a range is a block of i32 with one dimension");
  constexpr std::int64_t far = std::int64_t{1} << 31;
  require(start >= -far && end <= far && start < end && end - start == result.count(),
          "a range doesn't fit its block");
  op.number = start;
  return {result};
}

}  // namespace trl::executor
