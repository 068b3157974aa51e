// Pointers, loads, stores and atomics.
#include "verifier/executor/text/parser.hpp"

namespace trl::executor {

Parser::Types Parser::addptr(ir::Operation& op, Code) {
  operands(op, 2);
  attributes();
  lexer_.expect(":");
  const Type pointer = type();
  lexer_.expect(",");
  const Type index = type();
  require_type(op.operands[0], pointer);
  require_type(op.operands[1], index);
  require(pointer.scalar == Scalar::ptr && is_integer(index.scalar) && pointer.tensor == index.tensor &&
              pointer.shape == index.shape,
          "a pointer is advanced by integers of its shape");
  op.kernel = kernels().addptr(index.scalar);
  require(op.kernel != nullptr, "a pointer can't be advanced by i1");
  op.scalar = index.scalar;
  op.number = memory_bytes(pointer.pointee);
  return {pointer};
}

/// `cacheModifier = cg evictionPolicy = evict_first {…}`: these change speed, not values. `isVolatile` means
/// that other programs may write what is loaded.
void Parser::memory_options(ir::Operation& op) {
  while (lexer_.peek().kind == TokenKind::name) {
    lexer_.next();
    lexer_.expect("=");
    lexer_.next();
  }
  for (const auto& [name, attribute] : attributes())
    if (name == "isVolatile") op.is_volatile = attribute.integer != 0;
}

Parser::Types Parser::load(ir::Operation& op, Code) {
  op.operands = operand_list();
  require(!op.operands.empty() && op.operands.size() <= 3,
          "a load takes a pointer, a mask and what else to give");
  op.has_mask = op.operands.size() > 1;
  op.has_other = op.operands.size() > 2;
  memory_options(op);
  lexer_.expect(":");
  const Type pointer = type();
  require_type(op.operands[0], pointer);
  require(pointer.scalar == Scalar::ptr, "a load takes a pointer");
  const Type result = pointer.with(pointer.pointee);
  if (op.has_mask) require_type(op.operands[1], pointer.with(Scalar::i1));
  if (op.has_other) require_type(op.operands[2], result);
  op.scalar = result.scalar;
  op.dimensions = static_cast<std::uint8_t>(pointer.shape.size());
  return {result};
}

Parser::Types Parser::store(ir::Operation& op, Code) {
  op.operands = operand_list();
  require(op.operands.size() == 2 || op.operands.size() == 3, "a store takes a pointer, values and a mask");
  op.has_mask = op.operands.size() == 3;
  memory_options(op);
  lexer_.expect(":");
  const Type pointer = type();
  require_type(op.operands[0], pointer);
  require(pointer.scalar == Scalar::ptr, "a store takes a pointer");
  require_type(op.operands[1], pointer.with(pointer.pointee));
  if (op.has_mask) require_type(op.operands[2], pointer.with(Scalar::i1));
  op.scalar = pointer.pointee;
  op.dimensions = static_cast<std::uint8_t>(pointer.shape.size());
  return {};
}

void Parser::order(ir::Operation& op, std::string_view word) {
  require(word == "relaxed" || word == "acquire" || word == "release" || word == "acq_rel",
          "unknown memory order");
  op.acquires = word == "acquire" || word == "acq_rel";
  op.releases = word == "release" || word == "acq_rel";
}

void Parser::scope(ir::Operation& op, std::string_view word) {
  require(word == "cta" || word == "gpu" || word == "sys", "unknown memory scope");
  op.within_block = word == "cta";
}

/// `fadd, acq_rel, gpu, %p, %v, %m : (P, V, M) -> R`
Parser::Types Parser::atomic_rmw(ir::Operation& op, Code) {
  static const std::unordered_map<std::string_view, ir::Atomic> kinds = {
      {"fadd", ir::Atomic::fadd},     {"add", ir::Atomic::add},   {"max", ir::Atomic::max},
      {"min", ir::Atomic::min},       {"umax", ir::Atomic::umax}, {"umin", ir::Atomic::umin},
      {"exch", ir::Atomic::exchange}, {"and", ir::Atomic::and_},  {"or", ir::Atomic::or_},
      {"xor", ir::Atomic::xor_}};
  const Token kind = lexer_.next();
  const auto found = kinds.find(kind.text);
  if (found == kinds.end()) refuse(std::string(kind.text.substr(0, 80)));
  op.atomic = found->second;
  lexer_.expect(",");
  order(op, lexer_.next().text);
  lexer_.expect(",");
  scope(op, lexer_.next().text);
  lexer_.expect(",");
  op.operands = operand_list();
  require(op.operands.size() == 2 || op.operands.size() == 3, "an atomic takes a pointer, values and a mask");
  op.has_mask = op.operands.size() == 3;
  attributes();
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type result = type();
  require(from.size() == op.operands.size(), "an atomic's types don't fit its operands");
  for (std::size_t i = 0; i < from.size(); ++i) require_type(op.operands[i], from[i]);
  require(from[0].scalar == Scalar::ptr && from[1] == from[0].with(from[0].pointee) && result == from[1] &&
              (!op.has_mask || from[2] == from[0].with(Scalar::i1)),
          "an atomic's types don't fit");
  op.scalar = result.scalar;
  const bool real = is_float(op.scalar);
  const bool fits = op.atomic == ir::Atomic::exchange ? op.scalar != Scalar::ptr && op.scalar != Scalar::i1
                    : op.atomic == ir::Atomic::fadd   ? real
                                                      : is_integer(op.scalar) && op.scalar != Scalar::i1;
  if (!fits || (real && memory_bytes(op.scalar) == 1))
    refuse(std::string(kind.text) + " on " + name(op.scalar));
  op.dimensions = static_cast<std::uint8_t>(result.shape.size());
  return {result};
}

/// `acq_rel, gpu, %p, %expected, %new : (P, V, V) -> R`
Parser::Types Parser::atomic_cas(ir::Operation& op, Code) {
  order(op, lexer_.next().text);
  lexer_.expect(",");
  scope(op, lexer_.next().text);
  lexer_.expect(",");
  operands(op, 3);
  attributes();
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type result = type();
  require(from.size() == 3, "a compare-and-swap takes a pointer and two values");
  for (std::size_t i = 0; i < from.size(); ++i) require_type(op.operands[i], from[i]);
  require(from[0].scalar == Scalar::ptr && from[1] == from[0].with(from[0].pointee) && from[2] == from[1] &&
              result == from[1],
          "a compare-and-swap's types don't fit");
  const bool small_float = is_float(result.scalar) && memory_bytes(result.scalar) == 1;
  if (result.scalar == Scalar::ptr || result.scalar == Scalar::i1 || small_float)
    refuse(std::string("on ") + name(result.scalar));
  op.scalar = result.scalar;
  op.dimensions = static_cast<std::uint8_t>(result.shape.size());
  return {result};
}

/// `%number : i64 -> !tt.ptr<f16>`, or the other way round.
Parser::Types Parser::address(ir::Operation& op, Code code) {
  operands(op, 1);
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("->");
  const Type to = type();
  const bool into = code == Code::int_to_ptr;
  require((into ? from : to).scalar == Scalar::i64 && (into ? to : from).scalar == Scalar::ptr &&
              from.tensor == to.tensor && from.shape == to.shape,
          "a pointer is an i64 of its shape");
  return {to};
}

}  // namespace trl::executor
