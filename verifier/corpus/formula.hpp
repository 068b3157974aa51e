// Triton's formulas for operators that compute each element from the elements at the same position.
#pragma once

#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// How an operator treats an f16 value in a kernel that doesn't convert loaded values to f32.
enum class InHalf {
  stays,
  promotes,  ///< a division gives f32
  refuses,   ///< a function of Triton takes f32 alone
};

/// A formula in which {x}, {y} are the arguments and {alpha}, {lambd}… the numbers. Lines before the last are
/// statements.
struct Formula {
  const char* text = "";
  InHalf in_half = InHalf::stays;
};

/// Throws UserError for an operator without a formula.
Formula triton_formula(const Expression& node);

/// Chooses clamp's formula for both bounds, or for the only one that the node has.
const char* of_bounds(const Expression& node, const char* both, const char* low, const char* high);

/// The lines of a formula with names and numbers filled in; `number` writes a number.
std::vector<std::string> filled(const char* formula, const Expression& node,
                                const std::vector<std::string>& args, std::string (*number)(double));

}  // namespace trl::runtime
