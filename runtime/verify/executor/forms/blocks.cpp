// Dot, reduce and scan.
#include "runtime/verify/executor/parser.hpp"

namespace trl::executor {

/// `%a, %b, %c, inputPrecision = tf32 : A * B -> C`
Parser::Types Parser::dot(ir::Operation& op, Code) {
  operands(op, 3);
  if (lexer_.accept(",")) {
    lexer_.expect("inputPrecision");
    lexer_.expect("=");
    const Token precision = lexer_.next();
    if (precision.text == "tf32") {
      op.precision = ir::Precision::tf32;
    } else if (precision.text == "tf32x3") {
      op.precision = ir::Precision::tf32x3;
    } else if (precision.text == "bf16x3") {
      op.precision = ir::Precision::bf16x3;
    } else if (precision.text == "bf16x6") {
      op.precision = ir::Precision::bf16x6;
    } else if (precision.text != "ieee") {
      lexer_.fail("this input precision isn't supported by the executor", precision.at);
    }
  }
  attributes();
  lexer_.expect(":");
  const Type a = type();
  lexer_.expect("*");
  const Type b = type();
  lexer_.expect("->");
  const Type c = type();
  require_type(op.operands[0], a);
  require_type(op.operands[1], b);
  require_type(op.operands[2], c);
  const std::size_t rank = a.shape.size();
  require((rank == 2 || rank == 3) && b.shape.size() == rank && c.shape.size() == rank,
          "a dot is of 2 or 3 dimensions");
  require(a.shape[rank - 1] == b.shape[rank - 2] && a.shape[rank - 2] == c.shape[rank - 2] &&
              b.shape[rank - 1] == c.shape[rank - 1],
          "a dot's shapes don't fit");
  if (rank == 3) require(a.shape[0] == b.shape[0] && a.shape[0] == c.shape[0], "a dot's shapes don't fit");
  const bool narrow = is_narrow(a.scalar) || a.scalar == Scalar::f32;
  const bool real = narrow && (c.scalar == Scalar::f32 || c.scalar == Scalar::f16);
  const bool wide = a.scalar == Scalar::f64 && c.scalar == Scalar::f64;
  const bool whole = a.scalar == Scalar::i8 && c.scalar == Scalar::i32;
  require(a.scalar == b.scalar && (real || wide || whole),
          "a dot of these types isn't supported by the executor");
  if (a.scalar != Scalar::f32) op.precision = ir::Precision::ieee;
  op.scalar = a.scalar;
  return {c};
}

/// `"tt.reduce"(%a, %b) <{axis = 0 : i32}> ({ region }) : (T, U) -> (V, W)`; the same for a scan.
Parser::Types Parser::along_axis(ir::Operation& op, Code code) {
  lexer_.expect("(");
  op.operands = operand_list();
  lexer_.expect(")");
  require(!op.operands.empty(), "there is nothing to reduce");
  lexer_.expect("<");
  for (const auto& [key, attribute] : attributes()) {
    if (key == "axis") op.number = attribute.integer;
    if (key == "reverse") op.reverse = attribute.integer != 0;
  }
  lexer_.expect(">");
  const std::vector<std::int32_t> from = type_of(op.operands[0]).shape;
  require(op.number >= 0 && op.number < static_cast<std::int64_t>(from.size()), "there is no such axis");
  Shape shape;
  shape.labelled = true;
  for (const int operand : op.operands) {
    require(type_of(operand).shape == from, "the blocks differ in shape");
    Type element = type_of(operand);
    element.tensor = false;
    element.shape.clear();
    shape.yields.push_back(element);
  }
  shape.arguments = shape.yields;
  shape.arguments.insert(shape.arguments.end(), shape.yields.begin(), shape.yields.end());
  shape.lanes = value(op.operands[0]).count;
  lexer_.expect("(");
  const std::size_t at = operation_at_;
  region(op.regions.emplace_back(), shape);
  operation_at_ = at;
  lexer_.expect(")");
  attributes();
  lexer_.expect(":");
  const Types given = types();
  lexer_.expect("->");
  const Types results = types();
  require(given.size() == op.operands.size() && results.size() == given.size(),
          "the types don't fit the operands");
  std::vector<std::int32_t> to = from;
  if (code == Code::reduce) to.erase(to.begin() + op.number);
  for (std::size_t i = 0; i < given.size(); ++i) {
    require_type(op.operands[i], given[i]);
    require(results[i].scalar == given[i].scalar && results[i].pointee == given[i].pointee &&
                results[i].shape == to && results[i].tensor == !to.empty(),
            "the results don't fit");
  }
  // A region of one operation on its two arguments has a loop of its own.
  const std::vector<ir::Operation>& body = op.regions[0].blocks[0].operations;
  const std::vector<int>& arguments = op.regions[0].blocks[0].arguments;
  if (given.size() == 1 && body.size() == 2 && body[0].operands.size() == 2 && !body[0].results.empty() &&
      body[1].operands[0] == body[0].results[0] &&
      ((body[0].operands[0] == arguments[0] && body[0].operands[1] == arguments[1]) ||
       (body[0].operands[0] == arguments[1] && body[0].operands[1] == arguments[0]))) {
    const Scalar scalar = given[0].scalar;
    op.axis_kernel =
        code == Code::reduce ? kernels().reduce(body[0].code, scalar) : kernels().scan(body[0].code, scalar);
  }
  op.scalar = given[0].scalar;
  return results;
}

}  // namespace trl::executor
