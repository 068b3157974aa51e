// Operations that move elements.
#include "verifier/executor/text/parser.hpp"

namespace trl::executor {

/// splat, broadcast, reshape: `%a : T -> U`
Parser::Types Parser::reshaping(ir::Operation& op, Code code) {
  operands(op, 1);
  op.reorders = lexer_.accept("allow_reorder");
  lexer_.accept("efficient_layout");
  attributes();
  const auto [from, to] = from_to(op);
  require(from.scalar == to.scalar && from.pointee == to.pointee, "the element type must stay");
  op.scalar = from.scalar;
  if (code == Code::splat) {
    require(from.count() == 1, "only one value can be splat");
  } else if (code == Code::reshape) {
    require(from.count() == to.count(), "a reshape must keep the number of elements");
  } else {
    require(from.shape.size() == to.shape.size(), "a broadcast must keep the number of dimensions");
    for (std::size_t i = 0; i < from.shape.size(); ++i) {
      require(from.shape[i] == to.shape[i] || from.shape[i] == 1, "a broadcast dimension must be 1 before");
    }
  }
  return {to};
}

/// `%a : tensor<1x1xT>`: the result is the only element.
Parser::Types Parser::unsplat(ir::Operation& op, Code) {
  operands(op, 1);
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  require(from.tensor && from.count() == 1, "only a block of one element can be unsplat");
  Type to = from;
  to.tensor = false;
  to.shape.clear();
  op.scalar = from.scalar;
  return {to};
}

Parser::Types Parser::expand_dims(ir::Operation& op, Code code) {
  op.keeps_layout = true;
  return reshaping(op, code);  // expand_dims adds a dimension of size 1, so the elements stay in place
}

Parser::Types Parser::trans(ir::Operation& op, Code) {
  operands(op, 1);
  for (const auto& [key, attribute] : attributes()) {
    if (key == "order") op.list = attribute.list;
  }
  const auto [from, to] = from_to(op);
  require(from.scalar == to.scalar && from.pointee == to.pointee, "the element type must stay");
  const std::size_t rank = from.shape.size();
  require(op.list.size() == rank && to.shape.size() == rank, "the order doesn't fit the block");
  std::vector<bool> used(rank, false);
  for (std::size_t i = 0; i < rank; ++i) {
    require(op.list[i] >= 0 && op.list[i] < static_cast<std::int64_t>(rank),
            "the order doesn't fit the block");
    const auto source = static_cast<std::size_t>(op.list[i]);
    require(!used[source] && to.shape[i] == from.shape[source], "the order doesn't fit the block");
    used[source] = true;
  }
  op.scalar = from.scalar;
  return {to};
}

/// join stacks two blocks along a new last dimension; cat appends one to the other.
Parser::Types Parser::join(ir::Operation& op, Code code) {
  operands(op, 2);
  op.reorders = code == Code::cat;
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  require_type(op.operands[1], from);
  lexer_.expect("->");
  const Type to = type();
  require(from.scalar == to.scalar && from.pointee == to.pointee && to.count() == 2 * from.count(),
          "the result doesn't fit the blocks");
  op.scalar = from.scalar;
  return {to};
}

Parser::Types Parser::split(ir::Operation& op, Code) {
  operands(op, 1);
  attributes();
  const auto [from, to] = from_to(op);
  require(from.scalar == to.scalar && from.pointee == to.pointee && !from.shape.empty() &&
              from.shape.back() == 2 && from.count() == 2 * to.count(),
          "the results don't fit the block");
  op.scalar = from.scalar;
  return {to, to};
}

/// `%a[%i] {axis = 0 : i32} : (T, I) -> U`
Parser::Types Parser::gather(ir::Operation& op, Code) {
  op.operands.push_back(operand());
  lexer_.expect("[");
  op.operands.push_back(operand());
  lexer_.expect("]");
  for (const auto& [key, attribute] : attributes()) {
    if (key == "axis") op.number = attribute.integer;
  }
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type to = type();
  require(from.size() == 2, "a gather takes a block and indices");
  require_type(op.operands[0], from[0]);
  require_type(op.operands[1], from[1]);
  const std::size_t rank = from[0].shape.size();
  require(op.number >= 0 && op.number < static_cast<std::int64_t>(rank) && from[1].shape.size() == rank &&
              to.shape == from[1].shape && to.scalar == from[0].scalar && to.pointee == from[0].pointee &&
              (from[1].scalar == Scalar::i32 || from[1].scalar == Scalar::i64),
          "a gather's types don't fit");
  for (std::size_t i = 0; i < rank; ++i) {
    require(static_cast<std::int64_t>(i) == op.number || from[0].shape[i] == from[1].shape[i],
            "a gather's shapes may differ along its axis only");
  }
  op.scalar = from[0].scalar;
  return {to};
}

Parser::Types Parser::histogram(ir::Operation& op, Code) {
  op.operands = operand_list();
  require(op.operands.size() == 1 || op.operands.size() == 2, "a histogram takes values and a mask");
  op.has_mask = op.operands.size() == 2;
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  if (op.has_mask) require_type(op.operands[1], from.with(Scalar::i1));
  lexer_.expect("->");
  const Type to = type();
  require(is_integer(from.scalar) && from.scalar != Scalar::i1 && to.scalar == Scalar::i32 &&
              to.shape.size() == 1,
          "a histogram counts integers in i32");
  return {to};
}

}  // namespace trl::executor
