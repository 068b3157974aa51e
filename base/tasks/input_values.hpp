// The values that a task's input may have, beyond its dtype (docs/interfaces.md, 1).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/tasks/extent.hpp"

namespace trl::tasks {

struct InputValues {
  enum class Kind {
    unbounded,         ///< no restriction is stated: any real number; sampled from normal(0, 1)
    normal,            ///< any real number; sampled from normal(mean, deviation)
    range,             ///< from low to high, both included
    positive,          ///< above 0
    one_hot,           ///< along the last axis, one number of each row is 1 and all others are 0
    offsets,           ///< ascending integers from 0 to `of`
    symmetric,         ///< each matrix of the last two axes equals its transpose
    upper_triangular,  ///< each matrix of the last two axes has zeros below the diagonal
    lower_triangular,  ///< each matrix of the last two axes has zeros above the diagonal
  };
  Kind kind = Kind::unbounded;
  double low = 0, high = 0;  ///< the bounds of `range`, and of matrices with bounds; equal if there are none
  double mean = 0, deviation = 1;
  std::optional<Extent> of = {};

  /// Whether the kind restricts the matrices of the last two axes: symmetric or triangular.
  bool is_matrix() const { return kind >= Kind::symmetric; }

  /// Reads the field `values` of the task format. Throws UserError, or an exception of nlohmann::json.
  static InputValues parse(const nlohmann::json& values);
  nlohmann::json to_json() const;
  bool operator==(const InputValues&) const = default;
};
/// Returns the name of a kind in the task format: "range".
std::string name(InputValues::Kind kind);

}  // namespace trl::tasks
