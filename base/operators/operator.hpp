// The operators of tasks as data: names, parameters, and how PyTorch writes them. Language and runtime both
// build on this table; neither knows the other. The rows are in operators.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::operators {

/// In the order of the table. operator_ids.hpp has their names, which few files need.
enum class Operator : std::uint8_t;

struct Parameter {
  enum class Kind {
    tensor,    ///< a tensor
    operand,   ///< a tensor or a number
    tensors,   ///< a list of tensors
    real,      ///< a number: not part of a task's key
    integer,   ///< an integer
    flag,      ///< true or false
    axis,      ///< an integer, negative ones count from the last
    axes,      ///< an axis or a list of them
    window,    ///< an integer, or a list of one for each spatial axis
    size,      ///< a dimension: a name, a number, + - * of them
    sizes,     ///< a list of dimensions
    integers,  ///< a list of integers
    choice,    ///< one of some names
    text,      ///< words in double quotes
  };
  std::string name;
  Kind kind = Kind::tensor;
  bool needed = true;
  nlohmann::json default_value;  // the value when it isn't given; null: there is none
  /// Left out of the task where it has its default value: the operator once had no such parameter.
  bool quiet = false;
  std::vector<std::string> choices;

  bool is_tensor() const { return kind == Kind::tensor || kind == Kind::operand || kind == Kind::tensors; }
  /// Its default as a signature shows it: " = 0.5", " = none"; empty where the parameter must be given.
  std::string default_text() const;
};

/// How an operator treats shapes. The task says the shape and dtype of a Stated one; readers infer the
/// others' (docs/interfaces.md, 1).
enum class Form { Elementwise, Binary, Reduction, Along, Matmul, Transpose, Stated };

/// The headings under which operators are listed.
enum class Family {
  maps,        ///< one tensor in, one of its shape out
  broadcasts,  ///< operands of broadcast shapes
  reductions,
  scans,  ///< along an axis, the shape stays
  views,
  made_of_sizes,    ///< tensors of no input
  made_of_results,  ///< several results of a task
  parts,
  products,
  norms,
  convolutions,
  transposed_convolutions,
  pools,
  losses,
};

/// The error that an operator's own arithmetic adds to an honest computation.
enum class Rounding {
  exact,       ///< nothing: it gives one of its arguments' values, or a truth about them
  rounds,      ///< the usual error, in units of the value
  beside_one,  ///< usual formulas add 1, or something as large, to a number that may be small
};

/// The elements of the arguments on which one element of the value depends.
enum class Reach {
  pointwise,  ///< one element of each argument
  bilinear,   ///< a sum of products of two arguments' elements
  attention,  ///< products of matrices and the operations between them
  mixing,     ///< several elements, in another way
};

/// How PyTorch writes the operator. `positional` and `named` hold names of parameters; any other
/// text in them is written as it stands ("None", "training=True").
struct Python {
  enum class Style {
    call,    ///< callee(tensors, positional, named)
    infix,   ///< x callee y
    prefix,  ///< callee x
    method,  ///< x.callee(sizes)
    own,     ///< the prompt has code for it (verifier/tasks/python_call.cpp)
  };
  Style style = Style::call;
  std::string callee;                   ///< "torch.relu", "F.gelu", "+"
  std::vector<std::string> positional;  ///< after the tensors that are in neither list
  std::vector<std::string> named;       ///< as keywords, where PyTorch wouldn't assume the value
  std::string result;                   ///< behind the call: ".values"
};

/// A row of the table.
struct Row {
  Operator id{};
  std::string name;
  Form form = Form::Stated;
  Family family = Family::maps;
  std::vector<Parameter> parameters;
  Python python;
  Rounding rounding = Rounding::rounds;
  Reach reach = Reach::mixing;
  std::string doc;               ///< one sentence
  Operator lowered{};            ///< its name in tasks: itself, except for the language's aliases
  bool written_answers = false;  ///< the generator of answers writes it in Triton and CUDA

  bool is_alias() const { return lowered != id; }
  /// Null when the operator has none of that name.
  const Parameter* parameter(std::string_view name) const;
  /// "leaky_relu(x, negative_slope = 0.01)".
  std::string signature() const;
};

/// Every row, in the order of the table.
const std::vector<Row>& table();
const Row& row(Operator op);
inline const std::string& name_of(Operator op) { return row(op).name; }
/// The operator of a name; nothing when there is none.
std::optional<Operator> operator_called(std::string_view name);
/// Every row, sorted by name.
const std::vector<const Row*>& by_name();

/// Whether a parameter of that name is a number that neither shape nor key depends on.
bool is_constant(std::string_view parameter);
/// Whether a parameter of that name is one of some words.
bool is_word(std::string_view parameter);

}  // namespace trl::operators
