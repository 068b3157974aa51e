// Dot, reduce, scan and map.
#include "verifier/executor/text/parser.hpp"

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
      refuse("with inputPrecision = " + std::string(precision.text.substr(0, 80)));
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
  const bool integral = a.scalar == Scalar::i8 && c.scalar == Scalar::i32;
  // Both 8-bit float types may be mixed.
  const bool alike = a.scalar == b.scalar || (is_float(a.scalar) && is_float(b.scalar) &&
                                              memory_bytes(a.scalar) == 1 && memory_bytes(b.scalar) == 1);
  if (!alike || !(real || wide || integral))
    refuse(std::string("of ") + name(a.scalar) + " and " + name(b.scalar) + " giving " + name(c.scalar));
  if (a.scalar != Scalar::f32) op.precision = ir::Precision::ieee;
  op.scalar = a.scalar;
  return {c};
}

/// `%a scale %s, %b scale %t, %c lhs = e4m3 rhs = e2m1 {…} : A, S * B, T -> C`; each scale may be missing.
Parser::Types Parser::dot_scaled(ir::Operation& op, Code) {
  op.operands.resize(3);
  for (std::size_t side = 0; side < 2; ++side) {
    op.operands[side] = operand();
    if (lexer_.accept("scale")) {
      op.scaled[side].scale = static_cast<int>(op.operands.size());
      op.operands.push_back(operand());
    }
    lexer_.expect(",");
  }
  op.operands[2] = operand();
  std::string_view formats[2];
  for (const std::size_t side : {0, 1}) {
    lexer_.expect(side == 0 ? "lhs" : "rhs");
    lexer_.expect("=");
    formats[side] = lexer_.next().text;
  }
  for (const auto& [key, attribute] : attributes()) {
    if (key == "lhs_k_pack") op.scaled[0].along_k = attribute.integer != 0;
    if (key == "rhs_k_pack") op.scaled[1].along_k = attribute.integer != 0;
  }
  static const std::unordered_map<std::string_view, Scalar> scalars = {{"e2m1", Scalar::i8},
                                                                       {"e4m3", Scalar::f8e4m3},
                                                                       {"e5m2", Scalar::f8e5m2},
                                                                       {"bf16", Scalar::bf16},
                                                                       {"fp16", Scalar::f16}};
  lexer_.expect(":");
  Type blocks[2], scales[2];
  for (std::size_t side = 0; side < 2; ++side) {
    if (side == 1) lexer_.expect("*");
    blocks[side] = type();
    require_type(op.operands[side], blocks[side]);
    const auto format = scalars.find(formats[side]);
    if (format == scalars.end()) refuse("of " + std::string(formats[side].substr(0, 80)));
    require(blocks[side].scalar == format->second, "a scaled dot's types don't fit its formats");
    op.scaled[side].fours = formats[side] == "e2m1";
    if (op.scaled[side].scale < 0) continue;
    lexer_.expect(",");
    scales[side] = type();
    require_type(op.operands[static_cast<std::size_t>(op.scaled[side].scale)], scales[side]);
    if (scales[side].scalar != Scalar::i8) refuse(std::string("with scales of ") + name(scales[side].scalar));
  }
  lexer_.expect("->");
  const Type c = type();
  require_type(op.operands[2], c);
  if (c.scalar != Scalar::f32 && c.scalar != Scalar::f16 && c.scalar != Scalar::bf16)
    refuse(std::string("giving ") + name(c.scalar));
  const std::size_t rank = c.shape.size();
  require((rank == 2 || rank == 3) && blocks[0].shape.size() == rank && blocks[1].shape.size() == rank,
          "a dot is of 2 or 3 dimensions");
  // For each of the two factors: the extent along K, and the extent along the other dimension.
  std::int64_t along_k[2], other[2];
  for (const std::size_t side : {0, 1}) {
    along_k[side] = blocks[side].shape[rank - 1 - side];
    other[side] = blocks[side].shape[rank - 2 + side];
    if (op.scaled[side].fours) (op.scaled[side].along_k ? along_k : other)[side] *= 2;
    require(other[side] == c.shape[rank - 2 + side] && (rank == 2 || blocks[side].shape[0] == c.shape[0]),
            "a dot's shapes don't fit");
    if (op.scaled[side].scale < 0) continue;
    const std::vector<std::int32_t>& scale = scales[side].shape;
    require(scale.size() == rank && scale[rank - 2] == other[side] &&
                std::int64_t{scale[rank - 1]} * 32 == along_k[side] && (rank == 2 || scale[0] == c.shape[0]),
            "a scale is for 32 elements along K");
  }
  require(along_k[0] == along_k[1], "a dot's shapes don't fit");
  op.number = along_k[0];
  op.scalar = c.scalar;
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
  shape.graph = true;  // a combining function that returns early has several blocks
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
  // A region that is one operation on its two arguments has a loop of its own.
  const std::vector<ir::Operation>& body = op.regions[0].blocks[0].operations;
  const std::vector<int>& arguments = op.regions[0].blocks[0].arguments;
  if (given.size() == 1 && op.regions[0].blocks.size() == 1 && body.size() == 2 &&
      body[0].operands.size() == 2 && !body[0].results.empty() && body[1].operands == body[0].results &&
      ((body[0].operands[0] == arguments[0] && body[0].operands[1] == arguments[1]) ||
       (body[0].operands[0] == arguments[1] && body[0].operands[1] == arguments[0]))) {
    const Scalar scalar = given[0].scalar;
    op.axis_kernel =
        code == Code::reduce ? kernels().reduce(body[0].code, scalar) : kernels().scan(body[0].code, scalar);
  }
  op.scalar = given[0].scalar;
  return results;
}

/// `"tt.map_elementwise"(%a, %b) <{pack = 2 : i32}> ({ region }) : (T, U) -> (V, W)`: the region takes `pack`
/// elements of each operand and returns `pack` elements of each result.
Parser::Types Parser::map(ir::Operation& op, Code) {
  lexer_.expect("(");
  op.operands = operand_list();
  lexer_.expect(")");
  require(!op.operands.empty(), "there is nothing to map");
  lexer_.expect("<");
  for (const auto& [key, attribute] : attributes()) {
    if (key == "pack") op.number = attribute.integer;
  }
  lexer_.expect(">");
  const std::vector<std::int32_t> shape_of_all = type_of(op.operands[0]).shape;
  const std::int64_t count = value(op.operands[0]).count;
  require(op.number >= 1 && op.number <= count && count % op.number == 0,
          "the pack doesn't divide the block");
  Shape shape;
  shape.labelled = true;
  shape.graph = true;
  shape.any_yields = true;
  for (const int operand : op.operands) {
    Type element = type_of(operand);
    require(element.tensor && element.shape == shape_of_all, "the blocks differ in shape");
    element.tensor = false;
    element.shape.clear();
    shape.arguments.insert(shape.arguments.end(), static_cast<std::size_t>(op.number), element);
  }
  if (shape.arguments.size() > 1000) lexer_.fail("too many values at once", operation_at_);
  shape.lanes = count;
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
  require(given.size() == op.operands.size(), "the types don't fit the operands");
  for (std::size_t i = 0; i < given.size(); ++i) require_type(op.operands[i], given[i]);
  for (const Type& result : results)
    require(result.tensor && result.shape == shape_of_all, "the results don't fit");
  const auto pack = static_cast<std::size_t>(op.number);
  for (const ir::Block& block : op.regions[0].blocks) {
    const ir::Operation& last = block.operations.back();
    if (last.code != Code::yield) continue;
    require(last.operands.size() == results.size() * pack, "the results don't fit");
    for (std::size_t i = 0; i < last.operands.size(); ++i) {
      const Type& element = type_of(last.operands[i]);
      const Type& result = results[i / pack];
      require(!element.tensor && element.scalar == result.scalar && element.pointee == result.pointee,
              "the results don't fit");
    }
  }
  op.scalar = given[0].scalar;
  return results;
}

}  // namespace trl::executor
