// Assertions, calls and control flow.
#include "verifier/executor/text/parser.hpp"

namespace trl::executor {

Parser::Types Parser::assertion(ir::Operation& op, Code) {
  operands(op, 1);
  lexer_.expect(",");
  const Token message = lexer_.next();
  require(message.kind == TokenKind::text, "expected an assertion's message");
  op.text = "device assertion failed: " + std::string(message.text.substr(0, 200));
  attributes();
  lexer_.expect(":");
  const Type condition = type();
  require_type(op.operands[0], condition);
  require(condition.scalar == Scalar::i1, "a condition must be i1");
  return {};
}

/// `" text: " {…} : %a, %b : T, U`: the executor prints nothing.
Parser::Types Parser::print(ir::Operation&, Code) {
  require(lexer_.next().kind == TokenKind::text, "expected what to print");
  attributes();
  if (lexer_.accept(":")) {
    operand_list();
    lexer_.expect(":");
    do {
      type();
    } while (lexer_.accept(","));
  }
  return {};
}

/// The instructions that tl.extra.cuda.gdc_wait() and gdc_launch_dependents() become. They do nothing here,
/// since launches run one after another; the i32 that they give has no value. All other assembly is refused.
Parser::Types Parser::grid_dependency(ir::Operation& op, Code) {
  const std::string_view assembly = lexer_.next().text;
  const bool known = assembly == "griddepcontrol.wait; // dummy $0" ||
                     assembly == "griddepcontrol.launch_dependents; // dummy $0";
  if (!known)
    lexer_.fail("operation tt.elementwise_inline_asm isn't supported by the executor", operation_at_);
  for (const auto& [name, attribute] : attributes())
    if (name == "constraints") require(attribute.text == "=r", "the assembly has other constraints");
  lexer_.expect("->");
  require(type() == Type{}, "the assembly gives an i32");
  op.payload.resize(static_cast<std::size_t>(storage_bytes(Scalar::i32)));
  op.number = 1;
  op.scalar = Scalar::i32;
  return {Type{}};
}

Parser::Types Parser::barrier(ir::Operation&, Code) {
  if (lexer_.peek().kind == TokenKind::name && !lexer_.at("loc") &&
      lexer_.peek().text.find('.') == std::string_view::npos) {
    lexer_.next();
  }
  attributes();
  return {};
}

/// If an assumption is false, a compiler may generate anything for the rest.
Parser::Types Parser::assume(ir::Operation& op, Code) {
  operands(op, 1);
  op.text = "what tl.assume says does not hold";
  attributes();
  lexer_.expect(":");
  const Type condition = type();
  require_type(op.operands[0], condition);
  require(condition.scalar == Scalar::i1, "a condition must be i1");
  return {};
}

Parser::Types Parser::call(ir::Operation& op, Code) {
  const Token callee = lexer_.next();
  require(callee.kind == TokenKind::symbol, "expected a function's name");
  op.text = std::string(callee.text);
  lexer_.expect("(");
  op.operands = operand_list();
  lexer_.expect(")");
  attributes();
  lexer_.expect(":");
  const Types arguments = types();
  lexer_.expect("->");
  const Types results = types();
  require(arguments.size() == op.operands.size(), "the types don't fit the operands");
  for (std::size_t i = 0; i < arguments.size(); ++i) require_type(op.operands[i], arguments[i]);
  calls_.push_back(
      {static_cast<int>(program_.functions.size()) - 1, op.text, arguments, results, operation_at_});
  return results;
}

// ---- control flow ----

/// yield and return: `%a, %b : T, U`
Parser::Types Parser::yield(ir::Operation& op, Code) {
  op.operands = operand_list();
  attributes();
  if (op.operands.empty()) return {};
  lexer_.expect(":");
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (i > 0) lexer_.expect(",");
    require_type(op.operands[i], type());
  }
  return {};
}

Parser::Types Parser::condition(ir::Operation& op, Code) {
  lexer_.expect("(");
  op.operands.push_back(operand());
  Type flag;
  flag.scalar = Scalar::i1;
  require_type(op.operands[0], flag);
  lexer_.expect(")");
  const std::vector<int> values = operand_list();
  attributes();
  if (!values.empty()) lexer_.expect(":");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) lexer_.expect(",");
    require_type(values[i], type());
    op.operands.push_back(values[i]);
  }
  return {};
}

void Parser::successor(ir::Operation& op) {
  const Token label = lexer_.next();
  require(label.kind == TokenKind::block, "expected a block");
  ir::Successor& target = op.successors.emplace_back();
  if (lexer_.accept("(")) {
    target.operands = operand_list();
    lexer_.expect(":");
    for (std::size_t i = 0; i < target.operands.size(); ++i) {
      if (i > 0) lexer_.expect(",");
      require_type(target.operands[i], type());
    }
    lexer_.expect(")");
  }
  jumps_.push_back({-1, -1, static_cast<int>(op.successors.size()) - 1, label.text, operation_at_});
}

Parser::Types Parser::branch(ir::Operation& op, Code) {
  successor(op);
  attributes();
  return {};
}

Parser::Types Parser::branch_if(ir::Operation& op, Code) {
  operands(op, 1);
  Type flag;
  flag.scalar = Scalar::i1;
  require_type(op.operands[0], flag);
  if (lexer_.accept("weights")) {
    lexer_.expect("(");
    while (!lexer_.accept(")")) {
      if (lexer_.next().kind == TokenKind::end) lexer_.fail("'(' is not closed");
    }
  }
  lexer_.expect(",");
  successor(op);
  lexer_.expect(",");
  successor(op);
  attributes();
  return {};
}

/// `%c -> (T) { … } else { … }`
Parser::Types Parser::if_(ir::Operation& op, Code) {
  operands(op, 1);
  Type flag;
  flag.scalar = Scalar::i1;
  require_type(op.operands[0], flag);
  Shape shape;
  if (lexer_.accept("->")) shape.yields = types();
  op.regions.resize(2);
  region(op.regions[0], shape);
  if (lexer_.accept("else")) {
    region(op.regions[1], shape);
  } else if (!shape.yields.empty()) {
    lexer_.fail("an if with results needs an else");
  }
  attributes();
  return shape.yields;
}

/// `%k = %low to %high step %step iter_args(%a = %x) -> (T) : i32 { … }`
Parser::Types Parser::for_(ir::Operation& op, Code) {
  op.is_unsigned = lexer_.accept("unsigned");
  Shape shape;
  const Token counter = lexer_.next();
  require(counter.kind == TokenKind::value, "expected the loop's counter");
  lexer_.expect("=");
  op.operands.push_back(operand());
  lexer_.expect("to");
  op.operands.push_back(operand());
  lexer_.expect("step");
  op.operands.push_back(operand());
  const Type type_of_counter = type_of(op.operands[0]);
  require(
      is_integer(type_of_counter.scalar) && type_of_counter.scalar != Scalar::i1 && !type_of_counter.tensor,
      "a loop counts in integers");
  require_type(op.operands[1], type_of_counter);
  require_type(op.operands[2], type_of_counter);
  shape.names.push_back({counter.text, 1});
  shape.arguments.push_back(type_of_counter);
  if (lexer_.accept("iter_args")) {
    lexer_.expect("(");
    while (!lexer_.accept(")")) {
      const Token name = lexer_.next();
      require(name.kind == TokenKind::value, "expected a loop value");
      lexer_.expect("=");
      op.operands.push_back(operand());
      shape.names.push_back({name.text, 1});
      if (!lexer_.at(")")) lexer_.expect(",");
      if (shape.names.size() > 1000) lexer_.fail("too many loop values");
    }
    lexer_.expect("->");
    shape.yields = types();
  }
  require(shape.yields.size() + 1 == shape.names.size(), "the loop's types don't fit its values");
  for (std::size_t i = 0; i < shape.yields.size(); ++i) {
    require_type(op.operands[3 + i], shape.yields[i]);
    shape.arguments.push_back(shape.yields[i]);
  }
  if (lexer_.accept(":")) {
    require(type() == type_of_counter, "the loop's counter has another type");
  }
  op.scalar = type_of_counter.scalar;
  region(op.regions.emplace_back(), shape);
  attributes();
  return shape.yields;
}

/// `(%a = %x) : (T) -> U { … } do { ^bb0(%b: U): … }`
Parser::Types Parser::while_(ir::Operation& op, Code) {
  Shape before;
  if (lexer_.accept("(")) {
    while (!lexer_.accept(")")) {
      const Token name = lexer_.next();
      require(name.kind == TokenKind::value, "expected a loop value");
      lexer_.expect("=");
      op.operands.push_back(operand());
      before.names.push_back({name.text, 1});
      if (!lexer_.at(")")) lexer_.expect(",");
      if (before.names.size() > 1000) lexer_.fail("too many loop values");
    }
  }
  lexer_.expect(":");
  before.arguments = types();
  lexer_.expect("->");
  before.yields = types();
  before.terminator = Code::condition;
  require(before.arguments.size() == op.operands.size(), "the loop's types don't fit its values");
  for (std::size_t i = 0; i < op.operands.size(); ++i) require_type(op.operands[i], before.arguments[i]);
  Shape after;
  after.labelled = !before.yields.empty();
  after.arguments = before.yields;
  after.yields = before.arguments;
  op.regions.resize(2);
  region(op.regions[0], before);
  lexer_.expect("do");
  region(op.regions[1], after);
  if (lexer_.accept("attributes")) attributes();
  return before.yields;
}

}  // namespace trl::executor
