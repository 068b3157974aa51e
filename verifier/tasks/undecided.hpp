#pragma once
// Integers that rounding leaves undecided, and the values that follow from them.
#include <functional>
#include <string>
#include <vector>

#include "base/operators/operator.hpp"
#include "verifier/tasks/known_value.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Whether rounding may change some of a value that consists of integers or conditions.
bool is_undecided(const Known& x);

/// Whether an operator's value consists of elements of its arguments, at places that integers name or that
/// are constant: what follows from an undecided integer are other elements.
bool takes_elements(Operator op);

/// An index below `size` with its neighbours as other values, where rounding may change it by a little. Where
/// it may be any, the error is infinite.
Known with_neighbours(const Known& index, std::int64_t size);

/// The other places that argsort, argmax or argmin may give, where several values are as near as their
/// errors. The error is infinite where these are too many. `x` are the values, `out` the exact places.
Known other_places(const Expression& node, const Known& x, const at::Tensor& out);

/// The elements of an operator that `takes_elements`, for which an element of its index that `mask` names is
/// responsible.
at::Tensor elements_behind(const Expression& node, const at::Tensor& mask, const at::Tensor& out);

/// How far an operator of integers and conditions may be off its exact value `out`, if each argument may be
/// off by its error; f64.
at::Tensor error_of_integers(const std::vector<Known>& args, const at::Tensor& out,
                             const std::function<at::Tensor(const std::vector<at::Tensor>&)>& compute);

}  // namespace trl::runtime
