// The precisions in which a candidate may compute.
#pragma once

#include <string>

namespace trl::runtime {

/// The lowest precision in which a candidate may compute.
enum class Precision {
  task,  ///< f32 within operators, the task's dtype between operators
  tf32,  ///< also allows factors of products to be rounded to TF32
  half,  ///< also allows any value to be rounded to f16 or bf16
};
/// Parses "task", "tf32" or "half". Throws UserError for other texts.
Precision parse_precision(const std::string& text);
std::string name(Precision precision);

}  // namespace trl::runtime
