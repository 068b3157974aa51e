#pragma once
// A value of a task's expression, with all values that an honest computation may give in its place.
#include <ATen/core/TensorBody.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace trl::runtime {

/// A node's value. An honest computation gives, element by element, a number within `error` of `exact` or of
/// one of `others`.
struct Known {
  at::Tensor exact;  ///< f64, or integers or conditions
  at::Tensor error;  ///< f64, ≥ 0; infinite: anything is honest; undefined: none
  at::Tensor eager;  ///< as PyTorch computes it, in f32, rounded to the dtype after each operator
  /// Other values that an honest computation may give because rounding decides: of an integer, of a number
  /// beside a jump, or of a number at the edge of an operator's domain. Elements for which rounding decides
  /// nothing have the exact value. The values are in pairs (0 and 1, 2 and 3, …): where the exact value is
  /// infinite or NaN, numbers between the two values of a pair are honest, too.
  std::vector<at::Tensor> others = {};
};

/// Returns a mask of the elements at which two tensors differ. Two NaNs are equal.
at::Tensor differ(const at::Tensor& one, const at::Tensor& other);

/// Adds a pair of other values (Known::others), unless both are equal to the exact value.
void add_pair(std::vector<at::Tensor>& others, const at::Tensor& exact, const at::Tensor& one,
              const at::Tensor& other);

/// Returns the value with its other values included in the error. Other values stay if they, or their exact
/// values, are infinite or NaN.
Known collapsed(const Known& x);

/// For each element of an operator's value, adds up squared distances between perturbed values and the exact
/// value: each call of `add` counts the larger of its two. Perturbed values without a finite distance
/// (infinite or NaN), or behind a jump of the operator, are kept as other values instead (Known::others).
class Perturbed {
 public:
  /// `step` is the operator's jump (operators::Domain): a distance from half of it to one and a half of it
  /// counts as a jump. 0: the operator has no jumps.
  Perturbed(const at::Tensor& exact, double step);

  /// Adds the operator's values for an argument that was moved up and down. `discrete`: no value between
  /// these and the exact value is honest. `anything` is a mask of the elements at which the argument may have
  /// any value; undefined: there are none.
  void add(const at::Tensor& up, const at::Tensor& down, bool discrete, const at::Tensor& anything);
  /// Records the elements at which an argument may be any integer (the mask `where`): the operator's value
  /// may be anything there.
  void add_anything(const at::Tensor& where);
  /// Whether the last `add` had values that are infinite or NaN where the exact value is finite, or the other
  /// way round.
  bool left_the_numbers() const { return left_; }
  /// Adds the operator's values for a small move of the argument up and down. Each of them forms a pair
  /// (Known::others) with a value of the last `add`, after which left_the_numbers() must be true.
  void add_nearer(const at::Tensor& up, const at::Tensor& down);

  const at::Tensor& squares() const { return squares_; }
  const std::vector<at::Tensor>& others() const { return others_; }

 private:
  at::Tensor exact_, squares_;
  double step_;
  bool left_ = false;
  std::vector<at::Tensor> others_;
  std::optional<std::size_t> pairs_[2];  // the places in others_ of the values of the last `add`, up and down
};

}  // namespace trl::runtime
