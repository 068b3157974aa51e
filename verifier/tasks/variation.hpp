// The variations of a task's inputs with which a candidate is tested.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/tasks/solved.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// One way of drawing a task's inputs: original, scale(2), reseed, resize(150%), cast(f16), tiny, stretched
/// (one dimension is long: verifier/inputs/stretched_sizes.hpp), or extreme (large magnitudes, ties, zeros,
/// denormals, infinities: verifier/inputs/extreme_inputs.hpp).
struct Variation {
  enum class Kind { Original, Scale, Reseed, Resize, Cast, Extreme, Tiny, Stretched };
  Kind kind = Kind::Original;
  double factor = 1;  // for scale: multiplies the input values; for resize: multiplies the dimensions
  std::string dtype;  // for cast: the new dtype
  // The sizes, in the order of the task's dimensions. For tiny and stretched: the variation's sizes; empty
  // (only for tiny): 4 each. For the other variations: smaller sizes than the task's own, if these are too
  // large; empty: the task's own sizes.
  std::vector<std::int64_t> dims = {};

  /// Parses "resize(150%)" or {"call": "resize", "args": [1.5]}. Throws UserError for an unknown variation.
  static Variation parse(const nlohmann::json& text);
  /// The variation's name in verdicts: "resize(150%)".
  std::string label() const;
  /// The factor by which drawn input values are multiplied.
  double value_factor() const { return kind == Kind::Scale ? factor : 1; }
};

/// Returns the size of every dimension under a variation. A resize multiplies each size by the factor and
/// rounds up to an odd number (64 → 97 for 150 %). The variations tiny and stretched have their `dims`;
/// without these, every dimension is 4.
Sizes sizes(const Task& task, const Variation& variation);

struct TensorShape {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> extents;
  Domain domain = {};  // the numbers that the tensor may hold
  std::int64_t elements() const;
  /// Returns {"name", "dtype", "shape", "values": "range", "integers", "low", "high", "mean", "deviation"},
  /// for other programs that draw such a tensor.
  nlohmann::json to_json() const;
};
std::vector<TensorShape> input_shapes(const Task& task, const Variation& variation);
/// Returns the shape of the output of a task with one result.
TensorShape output_shape(const Task& task, const Variation& variation);
/// Returns the shapes of all results of a task.
std::vector<TensorShape> output_shapes(const Task& task, const Variation& variation);
/// Returns the number of elements of all results together.
std::int64_t output_elements(const Task& task, const Variation& variation);

/// Returns the size in bytes of one element of a dtype.
std::int64_t bytes_of(const std::string& dtype);

using tasks::solved_dims;
using tasks::SolvedDim;

/// Returns the sizes of the task's dimensions, derived from the shapes of the inputs. If an input doesn't
/// fit, throws a UserError that names the input.
Sizes sizes_of(const Task& task, const std::vector<std::vector<std::int64_t>>& inputs);

/// Returns the numbers of elements along each axis of a shape, at given sizes of the dimensions.
std::vector<std::int64_t> extents(const Shape& shape, const Sizes& sizes);

/// Returns the dtype of a task's tensor under a variation. A cast changes only floats, and changes nothing in
/// a task that states a dtype different from its inputs'.
std::string varied_dtype(const Task& task, const std::string& dtype, const Variation& variation);

}  // namespace trl::runtime
