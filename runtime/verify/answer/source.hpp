#pragma once
// The program in a model's answer.
#include <compare>
#include <string>

namespace trl::runtime {

/// A candidate's program as it is recorded.
struct Source {
  /// A Python module that defines ModelNew, or one CUDA C++ file whose `forward` takes the task's inputs.
  enum class Language { python, cuda };

  std::string text;  ///< line numbers are those of the answer: what comes before a block are empty lines
  Language language = Language::python;

  auto operator<=>(const Source&) const = default;
};

/// The answer itself, or the contents of a fenced code block of it: the last that defines ModelNew, else the
/// last that is CUDA C++, else the last. A block's language is what its fence says (cuda, cu, cpp, c++, …;
/// python, py); else, and without any fence, its first line that isn't empty tells.
Source extract_source(const std::string& answer);

}  // namespace trl::runtime
