#pragma once
// A value of a task's expression with all that an honest computation may make of it.
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
  /// Other values that follow where rounding decides: of an integer, of a number beside a jump, of a number
  /// at the edge of an operator's domain. Elements where nothing is to be decided have the exact value. The
  /// values are in pairs (0 and 1, 2 and 3, …): where the exact value is infinite or NaN, numbers between the
  /// two of a pair are honest, too.
  std::vector<at::Tensor> others = {};
};

/// Where two tensors have different values. Two NaNs are equal.
at::Tensor differ(const at::Tensor& one, const at::Tensor& other);

/// Adds a pair of other values, unless both are the exact ones.
void add_pair(std::vector<at::Tensor>& others, const at::Tensor& exact, const at::Tensor& one,
              const at::Tensor& other);

/// Returns the same value with its other values made part of the error, except other values that are infinite
/// or NaN, or whose exact value is.
Known collapsed(const Known& x);

/// For each element of an operator's value: the squared distance of perturbed values from the exact value.
/// Values that no distance says, or behind a jump, are kept as other values.
class Perturbed {
 public:
  /// `step`: a distance of at least half of it is a jump (operators::Domain); 0: there are no jumps.
  Perturbed(const at::Tensor& exact, double step);

  /// Adds the values of an argument moved up and down. `discrete`: nothing between them and the exact value
  /// is honest. `anything`: where the argument may be anything; undefined: nowhere.
  void add(const at::Tensor& up, const at::Tensor& down, bool discrete, const at::Tensor& anything);
  /// Where an argument may be any integer, the value may be anything.
  void add_anything(const at::Tensor& where);
  /// Whether the last `add` had values that are infinite or NaN where the exact ones aren't, or the other way
  /// round.
  bool left_the_numbers() const { return left_; }
  /// Adds the values for a small move of the argument up and down. Each makes a pair (Known::others) with a
  /// value of the last `add`, after which left_the_numbers() must be true.
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
