#pragma once
// Integers that rounding may change (undecided integers), and the values that follow from them.
#include <functional>
#include <string>
#include <vector>

#include "base/operators/operator.hpp"
#include "verifier/tasks/known_value.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Whether the value consists of integers or conditions some of which rounding may change.
bool is_undecided(const Known& x);

/// Whether an operator's value consists of elements of its arguments, at places that are constant or given by
/// integers. If such an integer is undecided, the value may be another element.
bool takes_elements(Operator op);

/// Returns an index below `size` with its neighbours as other values, at the elements where rounding may
/// change it by a little. Where it may be any index, the error is infinite.
Known with_neighbours(const Known& index, std::int64_t size);

/// Returns the other places that argsort, argmax or argmin may give, where values differ by no more than
/// their errors. `x` has the values, `out` the exact places. The error is infinite where there are too many
/// such places.
Known other_places(const Expression& node, const Known& x, const at::Tensor& out);

/// For an operator that `takes_elements`: returns a mask of the elements of its value that depend on the
/// elements of its index in `mask`.
at::Tensor elements_behind(const Expression& node, const at::Tensor& mask, const at::Tensor& out);

/// Returns an f64 bound of the error of an operator on integers and conditions, whose exact value is `out`,
/// if each argument may differ by its error.
at::Tensor error_of_integers(const std::vector<Known>& args, const at::Tensor& out,
                             const std::function<at::Tensor(const std::vector<at::Tensor>&)>& compute);

}  // namespace trl::runtime
