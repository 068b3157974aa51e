// Triton formulas of the elementwise operators.
#pragma once

#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// An operator's behaviour for f16 values in a kernel that doesn't convert loaded values to f32.
enum class InHalf {
  stays,
  promotes,  ///< gives an f32 value, as a division does
  refuses,   ///< fails, since a Triton function in the formula takes only f32
};

/// A formula. In `text`, {x} and {y} stand for the operator's arguments, and {alpha}, {lambd}, … for its
/// numeric attributes. The last line of `text` is the expression; earlier lines are statements.
struct Formula {
  const char* text = "";
  InHalf in_half = InHalf::stays;
};

/// Returns the formula of the node's operator. Throws UserError for an operator without a formula.
Formula triton_formula(const Expression& node);

/// Chooses a formula of `clamp`: `both` if the node has a lower and an upper bound, else `low` or `high`.
const char* of_bounds(const Expression& node, const char* both, const char* low, const char* high);

/// Replaces the placeholders of `formula` (see `Formula::text`) and returns the resulting lines: {x} and {y}
/// become the texts of `args`; {alpha}, {lambd} and others become the real attributes of `node`, converted to
/// text by `number`.
std::vector<std::string> filled(const char* formula, const Expression& node,
                                const std::vector<std::string>& args, std::string (*number)(double));

}  // namespace trl::runtime
