// What precision a candidate may compute in.
#pragma once

#include <string>

namespace trl::runtime {

/// What a candidate may compute in.
enum class Precision {
  task,  ///< the task's dtype: f32 within operators, the dtype between them
  tf32,  ///< and factors of products rounded to TF32
  half,  ///< and any value rounded to f16 or bf16
};
/// "task", "tf32", "half". Throws UserError.
Precision parse_precision(const std::string& text);
std::string name(Precision precision);

}  // namespace trl::runtime
