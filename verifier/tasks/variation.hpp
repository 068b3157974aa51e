// The variations of a task's inputs that a candidate is tested with.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/tasks/solved.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// One way of drawing a task's inputs: original, scale(2), reseed, resize(150%), cast(f16), tiny, or extreme
/// (large magnitudes, ties, zeros, denormals, infinities: verify/inputs/extreme_inputs.hpp).
struct Variation {
  enum class Kind { Original, Scale, Reseed, Resize, Cast, Extreme, Tiny };
  Kind kind = Kind::Original;
  double factor = 1;  // for scale: of the input values; for resize: of the dimensions
  std::string dtype;  // for cast
  // for tiny: the sizes, in the order of the task's dimensions; empty: 4
  std::vector<std::int64_t> dims = {};

  /// Reads "resize(150%)" or {"call": "resize", "args": [1.5]}. Throws UserError.
  static Variation parse(const nlohmann::json& text);
  /// The name in verdicts: "resize(150%)".
  std::string label() const;
  /// The factor of drawn input values.
  double value_factor() const { return kind == Kind::Scale ? factor : 1; }
};

/// The size of every dimension under a variation. A resize multiplies each size and takes the next odd number
/// (64 → 97); in tiny each is 4.
Sizes sizes(const Task& task, const Variation& variation);

struct TensorShape {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> extents;
  Domain domain = {};  // the numbers that it may hold
  std::int64_t elements() const;
  /// For programs that draw such a tensor themselves: {"name", "dtype", "shape", "values": "range",
  /// "integers", "low", "high", "mean", "deviation"}.
  nlohmann::json to_json() const;
};
std::vector<TensorShape> input_shapes(const Task& task, const Variation& variation);
/// The output of a task of one result.
TensorShape output_shape(const Task& task, const Variation& variation);
/// All results of a task.
std::vector<TensorShape> output_shapes(const Task& task, const Variation& variation);
/// The number of elements of all results together.
std::int64_t output_elements(const Task& task, const Variation& variation);

/// Bytes of one element of a dtype.
std::int64_t bytes_of(const std::string& dtype);

using tasks::solved_dims;
using tasks::SolvedDim;

/// The sizes of the task's dimensions, derived from the inputs' extents. Throws UserError naming an input
/// that doesn't fit.
Sizes sizes_of(const Task& task, const std::vector<std::vector<std::int64_t>>& inputs);

/// Evaluates a shape at given sizes.
std::vector<std::int64_t> extents(const Shape& shape, const Sizes& sizes);

/// The bytes and operations of one operator that runs as a pass of its own.
struct OperatorCost {
  Operator op{};
  std::int64_t bytes_in = 0;
  std::int64_t bytes_out = 0;
  double flops = 0;
};
/// The costs of the reference as one pass per operator, in the order of evaluation. Constants count as no
/// bytes.
std::vector<OperatorCost> operator_costs(const Task& task, const Variation& variation);

}  // namespace trl::runtime
