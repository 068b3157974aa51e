// What other libraries call a tensor function, or how they say something else that the language says in its
// own way.
#pragma once

#include <string>
#include <vector>

namespace trl::language::tasks {

/// How another tool's `True` or `None` is written here, a sentence; empty for other words.
std::string foreign_value(const std::string& name);

/// A note on how to say what other libraries call `name`, such as "clamp(x, min = 0)" for clip. Empty for
/// unknown names.
std::string said_otherwise(const std::string& name);

/// Notes on a name that no tensor function has. A method of a tensor, `x.relu`, counts as the function.
std::vector<std::string> notes_on_function(const std::string& name);

/// "did you mean `f32`?", or nothing for an empty name.
std::string did_you_mean(const std::string& name);

/// The dtype that PyTorch, NumPy or Triton calls so: f32 for float32, fp32 and float. Empty for unknown
/// names.
std::string dtype_said_otherwise(const std::string& name);

}  // namespace trl::language::tasks
