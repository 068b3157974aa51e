// What a tensor function takes, and what it does to types. operators.cpp lists them; each family is a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "language/tasks/shape.hpp"

namespace trl::language::tasks {

class Call;

struct Parameter {
  enum class Kind {
    tensor,   ///< a tensor
    operand,  ///< a tensor or a number
    tensors,  ///< a list of tensors
    real,     ///< a number: not part of a task's key
    whole,    ///< a whole number
    flag,     ///< true or false
    axis,     ///< a whole number, negative ones count from the last
    axes,     ///< an axis or a list of them
    window,   ///< a whole number, or a list of one for each spatial axis
    size,     ///< a dimension: a name, a number, + - * of them
    sizes,    ///< a list of dimensions
    wholes,   ///< a list of whole numbers
    choice,   ///< one of some names
  };
  std::string name;
  Kind kind = Kind::tensor;
  bool needed = true;
  nlohmann::json standard;  // what holds when it isn't given; null: nothing does
  /// Left out of the task where it has its standard value: the operator once had no such parameter.
  bool quiet = false;
  std::vector<std::string> choices;

  bool is_tensor() const { return kind == Kind::tensor || kind == Kind::operand || kind == Kind::tensors; }
};

/// What a rule finds: the value's type, and under which operator the task has it when not its own.
struct Result {
  Type type;
  std::string lowered;  // "amax" for `max`
};

/// Checks a call's arguments against each other. Throws TaskError through Call::fail.
using Rule = Result (*)(Call&);

struct Operator {
  std::string name;
  std::vector<Parameter> parameters;
  Rule rule = nullptr;
  std::string doc;
  /// The task says the value's shape and dtype; false where readers infer them (docs/seams.md, 1).
  bool stated = true;
};

/// Every tensor function by its name.
const std::map<std::string, Operator>& operators();

// The families.
std::vector<Operator> elementwise_operators();
std::vector<Operator> binary_operators();
std::vector<Operator> reduction_operators();
std::vector<Operator> scan_operators();
std::vector<Operator> view_operators();
std::vector<Operator> indexing_operators();
std::vector<Operator> product_operators();
std::vector<Operator> norm_operators();
std::vector<Operator> convolution_operators();
std::vector<Operator> pooling_operators();
std::vector<Operator> loss_operators();

// Parameters, as the tables write them.
Parameter tensor(const std::string& name = "x");
Parameter optional_tensor(const std::string& name);
Parameter operand(const std::string& name);
Parameter tensors(const std::string& name);
Parameter real(const std::string& name);
Parameter real(const std::string& name, double standard);
Parameter optional_real(const std::string& name);
Parameter whole(const std::string& name);
Parameter whole(const std::string& name, std::int64_t standard);
Parameter flag(const std::string& name, bool standard);
Parameter axis(const std::string& name = "axis");
Parameter axis(const std::string& name, std::int64_t standard);
Parameter optional_axis(const std::string& name = "axis");
Parameter axes(const std::string& name = "axis");
Parameter optional_axes(const std::string& name = "axis");
Parameter window(const std::string& name);
Parameter window(const std::string& name, std::int64_t standard);
Parameter optional_window(const std::string& name);
Parameter size(const std::string& name);
Parameter size(const std::string& name, std::int64_t standard);
Parameter sizes(const std::string& name);
Parameter wholes(const std::string& name);
Parameter choice(const std::string& name, std::vector<std::string> choices);  // the first is the standard
Parameter quiet(Parameter parameter);

}  // namespace trl::language::tasks
