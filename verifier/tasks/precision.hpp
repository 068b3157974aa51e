// The precisions in which a candidate may compute.
#pragma once

#include <string>

namespace trl::runtime {

/// The lowest precision in which a candidate may compute.
enum class Precision {
  task,  ///< the task's dtype: f32 within operators, the dtype between them
  tf32,  ///< also allows factors of products to be rounded to TF32
  half,  ///< also allows any value to be rounded to f16 or bf16
};
/// Reads "task", "tf32" or "half". Throws UserError.
Precision parse_precision(const std::string& text);
std::string name(Precision precision);

}  // namespace trl::runtime
