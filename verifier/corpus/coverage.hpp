// Says which tasks the generator of answers covers: chains on a matrix and inputs that broadcast to it.
#pragma once

#include <optional>
#include <string>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Throws UserError that says why no answer can be written.
[[noreturn]] void beyond(const std::string& what);

/// Throws UserError for an operator for which the generator can't write a kernel, or not with these shapes.
void refuse_beyond(const Expression& value);

bool is_operator(const Expression& node, Form form);

/// Returns the deepest operator of the form, the leftmost of several; null if there is none.
const Expression* find_form(const Expression& node, Form form);

/// Whether a node is a reduction or an operator along an axis.
bool is_along(const Expression& node);
/// Whether an expression has such an operator.
bool has_along(const Expression& node);

/// Whether the expression has a matrix product.
bool has_product(const Expression& value);

/// The axis of the operators along an axis, if there are any. Throws UserError if they have two axes.
std::optional<int> axis_of(const Expression& value);

/// The shape whose elements are divided among programs (Triton) or threads (CUDA): that before any operator
/// along an axis or transposition.
Shape domain_of(const Task& task);

/// How an input broadcasts to the domain [M, N]: as [M, N], [N], [M, 1], or a single number.
enum class Spread { Full, Row, Column, Scalar };

/// Throws UserError for an input of another shape.
Spread spread_of(const Shape& shape, const Shape& domain);

/// The dtype of an input that an earlier kernel of the answer writes.
constexpr const char* temporary_dtype = "f32 temporary";

}  // namespace trl::runtime
