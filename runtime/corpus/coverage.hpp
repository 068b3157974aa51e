// What the generator covers: chains on a matrix, and how their inputs lie in it.
#pragma once

#include <optional>
#include <string>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// Throws UserError: no answer can be written, and why.
[[noreturn]] void beyond(const std::string& what);

/// Throws UserError for an operator that no kernel is written for, or a known one on other shapes.
void refuse_beyond(const Expression& value);

bool is_operator(const Expression& node, Form form);

/// The deepest operator of that form, the leftmost first; null when there is none.
const Expression* find_form(const Expression& node, Form form);

/// Is it a reduction, or an operator along an axis? Does the expression hold one?
bool is_along(const Expression& node);
bool has_along(const Expression& node);

/// Contains the expression a matrix product?
bool has_product(const Expression& value);

/// The axis of the operators along an axis, if any. Throws UserError when there are two.
std::optional<int> axis_of(const Expression& value);

/// The shape that programs (Triton) or threads (CUDA) share out: that before any operator along an axis or
/// transposition.
Shape domain_of(const Task& task);

/// Where an input lies in the domain [M, N]: everywhere, [N], [M, 1], or a single number.
enum class Spread { Full, Row, Column, Scalar };

/// Throws UserError for an input that lies otherwise.
Spread spread_of(const Shape& shape, const Shape& domain);

/// The dtype of an input that a kernel before made.
constexpr const char* temporary_dtype = "f32 temporary";

}  // namespace trl::runtime
