// Names that other libraries have for tensor functions, dtypes and values, with their equivalents in this
// language.
#pragma once

#include <string>
#include <vector>

namespace trl::language::tasks {

/// Returns a sentence about the equivalent of another tool's value, such as `True` or `None`; empty for other
/// words.
std::string foreign_value(const std::string& name);

/// Returns the equivalent of another library's function, such as "clamp(x, min = 0)" for clip; empty for an
/// unknown name.
std::string said_otherwise(const std::string& name);

/// Returns advice on a name that is no tensor function. The name of a method, as in `x.relu`, is treated as
/// the name of a function.
std::vector<std::string> notes_on_function(const std::string& name);

/// Returns "did you mean `f32`?" for `f32`; empty for an empty name.
std::string did_you_mean(const std::string& name);

/// Returns the dtype for its name in PyTorch, NumPy or Triton: f32 for float32, fp32 and float. Empty for an
/// unknown name.
std::string dtype_said_otherwise(const std::string& name);

}  // namespace trl::language::tasks
