// What a task says of an input's values, beside their dtype (docs/interfaces.md, 1).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/tasks/extent.hpp"

namespace trl::tasks {

struct InputValues {
  enum class Kind {
    unbounded,         ///< says nothing: any real number; drawn from normal(0, 1)
    normal,            ///< any real number; drawn with a mean and a deviation
    range,             ///< from low to high, both included
    positive,          ///< above 0
    one_hot,           ///< one number of each row along the last axis is 1, the others are 0
    offsets,           ///< integers that ascend from 0 to `of`
    symmetric,         ///< matrices along the last two axes that equal their transposes
    upper_triangular,  ///< such matrices with zeros below the diagonal
    lower_triangular,  ///< such matrices with zeros above the diagonal
  };
  Kind kind = Kind::unbounded;
  double low = 0, high = 0;  ///< of ranges, and of matrices whose numbers are from a range; else equal
  double mean = 0, deviation = 1;
  std::optional<Extent> of = {};

  /// Says how the numbers of a matrix hang together.
  bool is_matrix() const { return kind >= Kind::symmetric; }

  /// Reads `values` of the task format. Throws UserError, or an exception of json.
  static InputValues parse(const nlohmann::json& values);
  nlohmann::json to_json() const;
  bool operator==(const InputValues&) const = default;
};
/// "range".
std::string name(InputValues::Kind kind);

}  // namespace trl::tasks
