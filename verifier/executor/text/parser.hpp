#pragma once
// Parses TTIR text to an ir::Program, which check() must check afterwards. Internal to the library; callers
// use parse() of executor.hpp.
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verifier/executor/program/ir.hpp"
#include "verifier/executor/text/lexer.hpp"
#include "verifier/executor/text/locations.hpp"

namespace trl::executor {

/// The value of an MLIR attribute in the forms that operations need: an integer, a list of integers or a
/// text.
struct Attribute {
  std::int64_t integer = 0;
  std::vector<std::int64_t> list;
  std::string_view text;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}
  /// Parses the whole text. May be called only once. Throws Failure.
  ir::Program program();

  using Types = std::vector<Type>;
  using Form = Types (Parser::*)(ir::Operation&, Code);

 private:
  using Attributes = std::vector<std::pair<std::string_view, Attribute>>;
  struct Name {
    std::string_view text;
    int count = 1;
  };
  struct Bound {
    int first = 0;
    int count = 1;
  };
  /// The required form of a region.
  struct Shape {
    // Names of the first block's arguments, when the text has them before the region.
    std::vector<Name> names;
    Types arguments;        // types of the first block's arguments
    bool labelled = false;  // the first block's arguments are at its label ^bb0 instead
    bool graph = false;     // further blocks and branches are allowed
    Code terminator = Code::yield;
    Types yields;             // types of the terminator's operands (not checked when it is a condition)
    bool any_yields = false;  // the caller, not region(), checks the terminator's operands
    /// The number of elements of each value in this region when the region runs on whole blocks (reduce,
    /// scan); 0 otherwise.
    std::int64_t lanes = 0;
  };

  // parser.cpp: structure
  void module();
  void function();
  void region(ir::Region& region, const Shape& shape);
  void block(ir::Region& region, const Shape& shape);
  bool works_on_elements(const ir::Block& block) const;
  void operation(ir::Block& block, const Shape& shape);
  void terminate(ir::Block& block, const Shape& shape);
  void link_branches(ir::Region& region);
  void link_calls();
  int location();

  Type type();
  Types types();  // reads `T` or `(T, …)`
  Attribute attribute(int depth);
  void dense(Attribute& result);
  void hint(std::string_view key, const Attribute& attribute);
  Attributes attributes(int depth = 0);  // reads `{…}`; empty when the next token isn't `{`
  void skip_flags();

  int new_value(const Type& type, std::int64_t capacity);
  void bind(const Name& name, int first);
  int operand();
  void operands(ir::Operation& op, std::size_t count);
  std::vector<int> operand_list();  // reads operands separated by commas
  const ir::Value& value(int index) const { return function_->values[static_cast<std::size_t>(index)]; }
  const Type& type_of(int index) const { return value(index).type; }
  void require(bool condition, const char* what);
  /// Reads `: T -> U` and returns both types. Fails unless T is the type of the operation's first operand.
  std::pair<Type, Type> from_to(const ir::Operation& op);
  void require_type(int index, const Type& type);

  // In forms/: one function per syntactic form of an operation. It reads the operation after its name and
  // returns the types of the results.
  static const std::unordered_map<std::string_view, std::pair<Code, Form>>& forms();
  Types same(ir::Operation& op, Code code);
  Types compare(ir::Operation& op, Code code);
  Types cast(ir::Operation& op, Code code);
  Types fp_to_fp(ir::Operation& op, Code code);
  Types index_cast(ir::Operation& op, Code code);
  Types select(ir::Operation& op, Code code);
  Types clamp(ir::Operation& op, Code code);
  Types external(ir::Operation& op, Code code);
  Types constant(ir::Operation& op, Code code);
  Types poison(ir::Operation& op, Code code);
  Types grid(ir::Operation& op, Code code);
  Types make_range(ir::Operation& op, Code code);
  Types reshaping(ir::Operation& op, Code code);
  Types unsplat(ir::Operation& op, Code code);
  Types expand_dims(ir::Operation& op, Code code);
  Types trans(ir::Operation& op, Code code);
  Types join(ir::Operation& op, Code code);
  Types split(ir::Operation& op, Code code);
  Types gather(ir::Operation& op, Code code);
  Types histogram(ir::Operation& op, Code code);
  Types addptr(ir::Operation& op, Code code);
  Types load(ir::Operation& op, Code code);
  Types store(ir::Operation& op, Code code);
  Types dot(ir::Operation& op, Code code);
  Types dot_scaled(ir::Operation& op, Code code);
  Types along_axis(ir::Operation& op, Code code);
  Types map(ir::Operation& op, Code code);
  Types atomic_rmw(ir::Operation& op, Code code);
  Types atomic_cas(ir::Operation& op, Code code);
  Types assertion(ir::Operation& op, Code code);
  Types print(ir::Operation& op, Code code);
  Types grid_dependency(ir::Operation& op, Code code);
  Types barrier(ir::Operation& op, Code code);
  Types assume(ir::Operation& op, Code code);
  Types address(ir::Operation& op, Code code);
  Types call(ir::Operation& op, Code code);
  Types yield(ir::Operation& op, Code code);
  Types condition(ir::Operation& op, Code code);
  Types branch(ir::Operation& op, Code code);
  Types branch_if(ir::Operation& op, Code code);
  Types if_(ir::Operation& op, Code code);
  Types for_(ir::Operation& op, Code code);
  Types while_(ir::Operation& op, Code code);

  void elementwise(ir::Operation& op, Code code, Scalar from, Scalar to);
  /// Fails with a message that the current operation isn't supported in this form: "tt.dot of f8 and f16
  /// isn't supported by the executor".
  [[noreturn]] void refuse(const std::string& what);
  void memory_options(ir::Operation& op);
  void scope(ir::Operation& op, std::string_view word);
  void order(ir::Operation& op, std::string_view word);
  void successor(ir::Operation& op);
  void elements(ir::Operation& op, const Type& type);
  void packed(ir::Operation& op, const Type& type, const Token& text);
  void element(const Token& token, Scalar scalar, std::vector<std::byte>& out);

  Lexer lexer_;
  Locations locations_;
  ir::Program program_;
  ir::Function* function_ = nullptr;
  std::unordered_map<std::string_view, Bound> scope_;
  // Names in scope, the newest last. The end of a region removes the names that the region bound.
  std::vector<std::string_view> bound_;
  std::unordered_map<std::string_view, int> labels_;
  struct Jump {
    int block, operation, successor;
    std::string_view label;
    std::size_t at;
  };
  std::vector<Jump> jumps_;
  std::vector<Name> result_names_;
  struct Call {
    int function;
    std::string callee;
    Types arguments, results;
    std::size_t at;
  };
  std::vector<Call> calls_;
  int depth_ = 0;
  std::size_t operation_count_ = 0;
  std::size_t operation_at_ = 0;  // byte offset of the current operation
  std::string_view operation_name_;
  ir::Hints hints_;  // of the current operation or parameter
};

}  // namespace trl::executor
