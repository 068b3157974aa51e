// Checks whether the generator of answers can write an answer to a task. The task must be a chain of
// operators on a matrix, with inputs that broadcast to the matrix.
#pragma once

#include <optional>
#include <string>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Throws a UserError which says that no answer can be written because of `what`.
[[noreturn]] void beyond(const std::string& what);

/// Throws UserError if the expression has an operator that the generator can't write at all, or can't write
/// for these shapes.
void refuse_beyond(const Expression& value);

bool is_operator(const Expression& node, Form form);

/// Returns the deepest operator of the form in the expression, or the leftmost of several such operators;
/// null if there is none.
const Expression* find_form(const Expression& node, Form form);

/// Whether a node is a reduction or an operator along an axis.
bool is_along(const Expression& node);
/// Whether an expression has a reduction or an operator along an axis.
bool has_along(const Expression& node);

/// Whether the expression has a matrix product.
bool has_product(const Expression& value);

/// Returns the axis of the expression's reductions and operators along an axis; nothing if it has none.
/// Throws UserError if they have different axes.
std::optional<int> axis_of(const Expression& value);

/// Returns the shape whose elements are divided among programs (Triton) or threads (CUDA): the shape of the
/// matrix before the first reduction, operator along an axis, or transposition.
Shape domain_of(const Task& task);

/// The way in which an input broadcasts to the domain [M, N]. Its shape is [M, N] (Full), [N] (Row), [M, 1]
/// (Column), or a single number (Scalar).
enum class Spread { Full, Row, Column, Scalar };

/// Returns the way in which a shape broadcasts to the domain. Throws UserError for a shape that is none of
/// these four.
Spread spread_of(const Shape& shape, const Shape& domain);

/// Marks an input that an earlier kernel of the same answer writes: it has this text as its dtype.
constexpr const char* temporary_dtype = "f32 temporary";

}  // namespace trl::runtime
