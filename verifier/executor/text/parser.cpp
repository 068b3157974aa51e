#include "verifier/executor/text/parser.hpp"

#include <algorithm>
#include <utility>

namespace trl::executor {
namespace {

constexpr std::size_t most_text = 16u << 20;
constexpr std::size_t most_operations = 50'000;
constexpr std::size_t most_functions = 256;
constexpr int deepest_region = 32;

bool ends_block(Code code) {
  return code == Code::ret || code == Code::yield || code == Code::condition || code == Code::branch ||
         code == Code::branch_if;
}

}  // namespace

ir::Program Parser::program() {
  if (lexer_.text().size() > most_text) lexer_.fail("the module is larger than 16 MiB", 0);
  bool seen = false;
  while (lexer_.peek().kind != TokenKind::end) {
    if (lexer_.peek().kind == TokenKind::alias) {
      const Token alias = lexer_.next();
      lexer_.expect("=");
      if (lexer_.at("loc")) {
        locations_.define(alias.text, lexer_);
      } else {
        attribute(0);
      }
    } else if (lexer_.at("module") && !seen) {
      seen = true;
      module();
    } else {
      lexer_.fail(seen ? "expected the end of the module" : "expected 'module'");
    }
  }
  if (!seen) lexer_.fail("there is no module");
  link_calls();
  program_.locations = locations_.resolve();
  program_.files = locations_.files();
  return std::move(program_);
}

void Parser::module() {
  lexer_.expect("module");
  if (lexer_.peek().kind == TokenKind::symbol) lexer_.next();
  if (lexer_.accept("attributes")) attributes();
  lexer_.expect("{");
  while (!lexer_.accept("}")) {
    if (!lexer_.at("tt.func")) {
      const Token token = lexer_.peek();
      lexer_.fail("'" + std::string(token.text) + "' isn't supported by the executor: expected 'tt.func'");
    }
    function();
  }
  if (lexer_.at("loc")) location();
}

void Parser::function() {
  lexer_.expect("tt.func");
  if (program_.functions.size() >= most_functions) lexer_.fail("too many functions");
  ir::Function& function = program_.functions.emplace_back();
  function_ = &function;
  scope_.clear();
  bound_.clear();
  function.is_public = lexer_.accept("public");
  if (!function.is_public) lexer_.accept("private");
  const Token name = lexer_.next();
  if (name.kind != TokenKind::symbol) lexer_.fail("expected a function's name", name.at);
  function.name = std::string(name.text);
  for (const ir::Function& other : program_.functions) {
    if (&other != &function && other.name == function.name)
      lexer_.fail("a function of this name exists", name.at);
  }
  Shape shape;
  lexer_.expect("(");
  while (!lexer_.accept(")")) {
    const Token parameter = lexer_.next();
    if (parameter.kind != TokenKind::value) lexer_.fail("expected a parameter", parameter.at);
    lexer_.expect(":");
    shape.names.push_back({parameter.text, 1});
    shape.arguments.push_back(type());
    function.parameter_names.emplace_back(parameter.text);
    hints_ = {};
    attributes();
    function.divisibility.push_back(hints_.divisibility.size() == 1 ? hints_.divisibility[0] : 1);
    if (lexer_.at("loc")) location();
    if (!lexer_.at(")")) lexer_.expect(",");
    if (shape.names.size() > 1000) lexer_.fail("too many parameters");
  }
  if (lexer_.accept("->")) function.results = types();
  if (lexer_.accept("attributes")) attributes();
  if (!lexer_.at("{")) lexer_.fail("a function without a body isn't supported by the executor");
  shape.graph = true;
  shape.terminator = Code::ret;
  shape.yields = function.results;
  region(function.body, shape);
  function.parameters = function.body.blocks.front().arguments;
  if (lexer_.at("loc")) function.location = location();
}

int Parser::location() { return locations_.parse(lexer_); }

void Parser::region(ir::Region& region, const Shape& shape) {
  if (++depth_ > deepest_region) lexer_.fail("regions are nested too deeply");
  const std::size_t outer_names = bound_.size();
  lexer_.expect("{");
  // Labels and branches belong to one graph of blocks.
  std::unordered_map<std::string_view, int> outer_labels;
  std::vector<Jump> outer_jumps;
  if (shape.graph) {
    std::swap(labels_, outer_labels);
    std::swap(jumps_, outer_jumps);
  }
  do {
    block(region, shape);
  } while (!lexer_.at("}"));
  lexer_.expect("}");
  if (shape.graph) {
    link_branches(region);
    std::swap(labels_, outer_labels);
    std::swap(jumps_, outer_jumps);
  }
  region.elementwise =
      shape.lanes > 0 && region.blocks.size() == 1 && works_on_elements(region.blocks.front());
  while (bound_.size() > outer_names) {
    scope_.erase(bound_.back());
    bound_.pop_back();
  }
  --depth_;
}

bool Parser::works_on_elements(const ir::Block& block) const {
  const auto block_of_its_own = [this](int value) { return type_of(value).tensor; };
  for (const ir::Operation& op : block.operations) {
    if (&op != &block.operations.back() && !is_elementwise(op.code) && op.code != Code::constant)
      return false;
    if (std::any_of(op.operands.begin(), op.operands.end(), block_of_its_own) ||
        std::any_of(op.results.begin(), op.results.end(), block_of_its_own))
      return false;
  }
  return true;
}

void Parser::block(ir::Region& region, const Shape& shape) {
  const bool first = region.blocks.empty();
  if (!first && !shape.graph) lexer_.fail("a second block isn't allowed here");
  const auto number = static_cast<int>(region.blocks.size());
  ir::Block& block = region.blocks.emplace_back();
  std::vector<Name> names;
  Types argument_types;
  if (lexer_.peek().kind == TokenKind::block) {
    const Token label = lexer_.next();
    if (shape.graph && !labels_.try_emplace(label.text, number).second) {
      lexer_.fail("a block of this name exists", label.at);
    }
    if (lexer_.accept("(")) {
      while (!lexer_.accept(")")) {
        const Token argument = lexer_.next();
        if (argument.kind != TokenKind::value) lexer_.fail("expected a block argument", argument.at);
        lexer_.expect(":");
        names.push_back({argument.text, 1});
        argument_types.push_back(type());
        if (lexer_.at("loc")) location();
        if (!lexer_.at(")")) lexer_.expect(",");
      }
    }
    lexer_.expect(":");
  } else if (!first) {
    lexer_.fail("expected a block's label");
  }
  if (first && !shape.labelled) {
    if (!names.empty()) lexer_.fail("block arguments aren't expected here");
    names = shape.names;
    argument_types = shape.arguments;
  } else if (first && argument_types != shape.arguments) {
    lexer_.fail("block arguments don't fit the operation");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int value = new_value(argument_types[i], std::max(argument_types[i].count(), shape.lanes));
    bind(names[i], value);
    block.arguments.push_back(value);
  }
  while (!lexer_.at("}") && lexer_.peek().kind != TokenKind::block) {
    if (lexer_.peek().kind == TokenKind::end) lexer_.fail("a region is not closed");
    if (!block.operations.empty() && ends_block(block.operations.back().code)) {
      lexer_.fail("an operation follows the block's end");
    }
    // A branch refers to its operation by index, since `block` may be reallocated while nested regions are
    // read.
    operation(block, shape);
    if (shape.graph) {
      for (Jump& jump : jumps_) {
        if (jump.operation < 0) {
          jump.block = number;
          jump.operation = static_cast<int>(block.operations.size()) - 1;
        }
      }
    }
  }
  terminate(block, shape);
}

void Parser::terminate(ir::Block& block, const Shape& shape) {
  if (block.operations.empty() || !ends_block(block.operations.back().code)) {
    if (shape.terminator != Code::yield || !shape.yields.empty()) lexer_.fail("the block has no terminator");
    ir::Operation& implicit = block.operations.emplace_back();
    implicit.code = Code::yield;
    implicit.at = lexer_.peek().at;
    return;
  }
  const ir::Operation& last = block.operations.back();
  if (last.code == Code::branch || last.code == Code::branch_if) {
    if (!shape.graph) lexer_.fail("a branch isn't allowed here", operation_at_);
    return;
  }
  if (last.code == shape.terminator && shape.any_yields) return;
  if (last.code != shape.terminator) lexer_.fail("the block ends in the wrong terminator", operation_at_);
  const std::size_t skipped = last.code == Code::condition ? 1 : 0;
  bool fits = last.operands.size() == shape.yields.size() + skipped;
  for (std::size_t i = 0; fits && i < shape.yields.size(); ++i) {
    fits = type_of(last.operands[i + skipped]) == shape.yields[i];
  }
  if (!fits) lexer_.fail("the terminator's values don't fit the operation's results", operation_at_);
}

void Parser::operation(ir::Block& block, const Shape& shape) {
  if (++operation_count_ > most_operations) lexer_.fail("too many operations");
  std::vector<Name> names;
  if (lexer_.peek().kind == TokenKind::value) {
    do {
      const Token name = lexer_.next();
      if (name.kind != TokenKind::value || name.integer >= 0)
        lexer_.fail("expected a result's name", name.at);
      names.push_back({name.text, 1});
      if (lexer_.accept(":")) {
        const Token count = lexer_.next();
        if (count.kind != TokenKind::integer || count.integer < 1 || count.integer > 1000) {
          lexer_.fail("expected a number of results", count.at);
        }
        names.back().count = static_cast<int>(count.integer);
      }
    } while (lexer_.accept(","));
    lexer_.expect("=");
  }
  const Token name = lexer_.next();
  if (name.kind != TokenKind::name && name.kind != TokenKind::text)
    lexer_.fail("expected an operation", name.at);
  const auto form = forms().find(name.text);
  if (form == forms().end()) {
    lexer_.fail("operation " + std::string(name.text.substr(0, 80)) + " isn't supported by the executor",
                name.at);
  }
  operation_at_ = name.at;
  operation_name_ = name.text;
  ir::Operation op;
  op.code = form->second.first;
  op.at = name.at;
  hints_ = {};
  const Types result_types = (this->*form->second.second)(op, op.code);
  op.hints = std::exchange(hints_, {});
  operation_at_ = name.at;
  if (lexer_.at("loc")) op.location = location();

  std::size_t expected = 0;
  for (const Name& result : names) expected += static_cast<std::size_t>(result.count);
  if (expected != result_types.size() && !(expected == 0 && !result_types.empty())) {
    lexer_.fail("the number of results is wrong", name.at);
  }
  std::int64_t widest = 1;
  for (const int operand : op.operands) widest = std::max(widest, value(operand).capacity);
  for (const Type& result : result_types) {
    std::int64_t capacity = result.count();
    switch (op.code) {
      case Code::constant:
        capacity = op.number;
        break;
      case Code::splat:
        capacity = std::min(widest, std::max<std::int64_t>(capacity, shape.lanes));
        break;
      case Code::broadcast:
      case Code::reshape:
      case Code::trans:
        capacity = widest == 1 ? 1 : capacity;
        break;
      case Code::load:
        capacity = widest;
        break;
      default:
        if (is_elementwise(op.code)) capacity = widest;
    }
    op.results.push_back(new_value(result, capacity));
  }
  // These operations change how a block is interpreted, not its elements.
  if ((op.code == Code::reshape && !op.reorders) || op.code == Code::splat ||
      ((op.code == Code::trans || op.code == Code::broadcast) && widest == 1)) {
    function_->values[static_cast<std::size_t>(op.results.front())].alias =
        value(op.operands.front()).alias >= 0 ? value(op.operands.front()).alias : op.operands.front();
  }
  if (!names.empty()) {
    int next = op.results.front();
    for (const Name& result : names) {
      bind(result, next);
      next += result.count;
    }
  }
  block.operations.push_back(std::move(op));
}

void Parser::link_branches(ir::Region& region) {
  for (const Jump& jump : jumps_) {
    const auto target = labels_.find(jump.label);
    if (target == labels_.end()) lexer_.fail("there is no block of this name", jump.at);
    ir::Successor& successor = region.blocks[static_cast<std::size_t>(jump.block)]
                                   .operations[static_cast<std::size_t>(jump.operation)]
                                   .successors[static_cast<std::size_t>(jump.successor)];
    successor.block = target->second;
    const std::vector<int>& arguments = region.blocks[static_cast<std::size_t>(target->second)].arguments;
    bool fits = arguments.size() == successor.operands.size() && target->second != 0;
    for (std::size_t i = 0; fits && i < arguments.size(); ++i) {
      fits = type_of(arguments[i]) == type_of(successor.operands[i]);
    }
    if (!fits) lexer_.fail("the branch's values don't fit the block's arguments", jump.at);
  }
  jumps_.clear();
}

void Parser::link_calls() {
  const std::size_t count = program_.functions.size();
  std::vector<std::vector<int>> callees(count);
  std::unordered_map<std::string_view, int> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.emplace(program_.functions[i].name, static_cast<int>(i));
  std::unordered_map<std::string, int> resolved;
  for (const Call& call : calls_) {
    const auto found = numbers.find(call.callee);
    if (found == numbers.end()) lexer_.fail("there is no function of this name", call.at);
    ir::Function& callee = program_.functions[static_cast<std::size_t>(found->second)];
    callee.is_called = true;
    bool fits = call.arguments.size() == callee.parameters.size() && call.results == callee.results;
    for (std::size_t i = 0; fits && i < call.arguments.size(); ++i) {
      fits = callee.values[static_cast<std::size_t>(callee.parameters[i])].type == call.arguments[i];
    }
    if (!fits) lexer_.fail("the call doesn't fit the function", call.at);
    callees[static_cast<std::size_t>(call.function)].push_back(found->second);
    resolved.emplace(call.callee, found->second);
  }
  // Each function has one arena, so no function may be active twice.
  std::vector<int> state(count, 0);
  const auto visit = [&](auto&& self, std::size_t function, int depth) -> void {
    if (state[function] == 2) return;
    if (state[function] == 1 || depth > deepest_region) {
      lexer_.fail("functions that call themselves aren't supported by the executor", 0);
    }
    state[function] = 1;
    for (const int callee : callees[function]) self(self, static_cast<std::size_t>(callee), depth + 1);
    state[function] = 2;
  };
  for (std::size_t i = 0; i < count; ++i) visit(visit, i, 0);

  const auto fill = [&](auto&& self, ir::Region& region) -> void {
    for (ir::Block& block : region.blocks) {
      for (ir::Operation& op : block.operations) {
        if (op.code == Code::call) op.number = resolved.at(op.text);
        for (ir::Region& nested : op.regions) self(self, nested);
      }
    }
  };
  for (ir::Function& function : program_.functions) fill(fill, function.body);
}

// ---- the library's entry ----

}  // namespace trl::executor
