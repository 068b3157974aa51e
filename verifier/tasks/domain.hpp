// The numbers that an input may hold. Whoever draws, changes or describes inputs asks here.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/tasks/extent.hpp"

namespace trl::runtime {

/// What a task says of an input's values, beside its dtype (docs/interfaces.md, 1).
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

/// The numbers of one input at given sizes.
struct Domain {
  InputValues::Kind kind = InputValues::Kind::unbounded;
  bool integers = false;
  bool places = false;       ///< integers from 0 to below a dimension, which may be places of a tensor
  double low = 0, high = 0;  ///< both included; set for integers and ranges
  double mean = 0, deviation = 1;
  double least = 0;  ///< the smallest positive number of the dtype

  /// Any real number is allowed.
  bool is_free() const;
  /// Each element may be any allowed number, whatever the others are.
  bool is_elementwise() const;
  /// One element, for elementwise domains. A free number is multiplied by `factor`, and so is a positive one.
  double draw(RandomStream& random, double factor = 1) const;
  /// The allowed number that stands for any real number, for elementwise domains: the nearest within bounds.
  double admitted(double value) const;
  /// All elements of an input whose rows have `width` elements.
  std::vector<double> draw_all(RandomStream& random, std::size_t count, std::size_t width,
                               double factor = 1) const;
};

}  // namespace trl::runtime
