// The operators of tasks as a table: names, parameters, and spelling in PyTorch. The language and the runtime
// both build on this table, and neither depends on the other. The rows are in operators.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::operators {

/// The operators, in the order of the table. The enumerators are in operator_ids.hpp, which few files need.
enum class Operator : std::uint8_t;

struct Parameter {
  enum class Kind {
    tensor,    ///< a tensor
    operand,   ///< a tensor or a number
    tensors,   ///< a list of tensors
    real,      ///< a real number, which isn't part of a task's key
    integer,   ///< an integer
    flag,      ///< true or false
    axis,      ///< the index of an axis; a negative index counts from the last axis
    axes,      ///< the index of an axis, or a list of indices
    window,    ///< an integer, or a list with an integer for each spatial axis
    size,      ///< the size of an axis: a name, a number, or + - * of these
    sizes,     ///< a list of sizes of axes
    integers,  ///< a list of integers
    choice,    ///< one of the names in `choices`
    text,      ///< a text in double quotes
  };
  std::string name;
  Kind kind = Kind::tensor;
  bool needed = true;
  nlohmann::json default_value;  // the value if a call doesn't state it; null: there is no default
  /// Whether a task leaves the parameter out if it has its default value, since the operator once had no such
  /// parameter.
  bool quiet = false;
  std::vector<std::string> choices;

  bool is_tensor() const { return kind == Kind::tensor || kind == Kind::operand || kind == Kind::tensors; }
  /// Returns the default as a signature shows it: " = 0.5", " = none"; empty if the parameter must be given.
  std::string default_text() const;
};

/// How an operator's shape and dtype follow from its arguments. For `Stated` the task states the result's
/// shape and dtype; for the other forms readers infer them (docs/interfaces.md, 1).
enum class Form { Elementwise, Binary, Reduction, Along, Matmul, Transpose, Stated };

/// The groups into which lists of operators are divided.
enum class Family {
  maps,        ///< one tensor in, one tensor of the same shape out
  broadcasts,  ///< two or more operands, which are broadcast to a common shape
  reductions,
  scans,  ///< operators along an axis that don't reduce it: cumsum, sort, softmax
  views,
  made_of_sizes,    ///< tensors made from sizes alone: arange, zeros
  made_of_results,  ///< `results`, the operator of tasks with several results
  made_by_module,   ///< `module_output`, the value of a task that only its module says
  parts,
  products,
  norms,
  convolutions,
  transposed_convolutions,
  pools,
  losses,
};

/// The rounding error that an operator's own arithmetic adds in a correct computation.
enum class Rounding {
  exact,       ///< no error, as for relu, floor and comparisons
  rounds,      ///< the usual error, relative to the value
  beside_one,  ///< usual formulas add 1, or a number as large, to a number that may be small: the error is
               ///< relative to 1
};

/// The elements of the arguments on which one element of the result depends.
enum class Reach {
  pointwise,  ///< one element of each argument
  bilinear,   ///< a sum of products of two arguments' elements
  attention,  ///< products of matrices and the operations between them
  mixing,     ///< several elements, in any other way
};

/// The operator's spelling in PyTorch. `positional` and `named` hold names of parameters; any other text in
/// them is written as it stands ("None", "training=True").
struct Python {
  enum class Style {
    call,    ///< callee(tensors, positional, named)
    infix,   ///< x callee y
    prefix,  ///< callee x
    method,  ///< x.callee(sizes)
    own,     ///< written by code of its own (verifier/tasks/python_call.cpp)
  };
  Style style = Style::call;
  std::string callee;  ///< "torch.relu", "F.gelu", "+"
  /// Positional arguments after the tensors; a tensor that either list names isn't repeated.
  std::vector<std::string> positional;
  std::vector<std::string> named;  ///< keyword arguments, where PyTorch's default differs from the value
  std::string result;              ///< text after the call: ".values"
};

/// A row of the table: one operator.
struct Row {
  Operator id{};
  std::string name;
  Form form = Form::Stated;
  Family family = Family::maps;
  std::vector<Parameter> parameters;
  Python python;
  Rounding rounding = Rounding::rounds;
  Reach reach = Reach::mixing;
  std::string doc;     ///< one sentence of documentation
  Operator lowered{};  ///< the operator in tasks: this operator, or for an alias of the language the operator
                       ///< that it stands for
  /// Whether the generator of answers (verifier/corpus) can write it in Triton and CUDA.
  bool written_answers = false;

  bool is_alias() const { return lowered != id; }
  /// Whether a task of a .trl file may call it. Others stand in tasks that are read from files.
  bool is_function() const { return family != Family::made_by_module; }
  /// Returns the parameter with this name; null if there is none.
  const Parameter* parameter(std::string_view name) const;
  /// Returns the operator's signature: "leaky_relu(x, negative_slope = 0.01)".
  std::string signature() const;
};

/// Returns every row, in the order of the table.
const std::vector<Row>& table();
const Row& row(Operator op);
inline const std::string& name_of(Operator op) { return row(op).name; }
/// Returns the operator with this name; nothing if there is none.
std::optional<Operator> operator_called(std::string_view name);
/// Returns the rows that are functions of the language, sorted by name.
const std::vector<const Row*>& by_name();

/// Whether parameters with this name are real numbers, on which neither shapes nor a task's key depend.
bool is_constant(std::string_view parameter);
/// Whether parameters with this name have a text as their value, such as a name from `choices`.
bool is_word(std::string_view parameter);

}  // namespace trl::operators
