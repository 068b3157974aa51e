// How Triton writes the operators that are a formula of the elements at one place.
#pragma once

#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// What becomes of an f16 value in a kernel that doesn't convert what it loads to f32.
enum class InHalf {
  stays,
  promotes,  ///< a division gives f32
  refuses,   ///< a function of Triton takes f32 alone
};

/// {x}, {y} are the arguments, {alpha}, {lambd}… the numbers. Lines before the last are statements.
struct Formula {
  const char* text = "";
  InHalf in_half = InHalf::stays;
};

/// Throws UserError for an operator that no formula is written for.
Formula triton_formula(const Expression& node);

/// For clamp: the formula of both bounds, or of the one that the node gives.
const char* of_bounds(const Expression& node, const char* both, const char* low, const char* high);

/// A formula's lines with names and numbers in their places; `number` writes a number.
std::vector<std::string> filled(const char* formula, const Expression& node,
                                const std::vector<std::string>& args, std::string (*number)(double));

}  // namespace trl::runtime
