#pragma once
// Extracts the program from a model's answer.
#include <compare>
#include <string>
#include <string_view>

namespace trl::runtime {

/// A candidate's program in the form in which it is recorded.
struct Source {
  /// A Python module that defines ModelNew, or one CUDA C++ file whose `forward` takes the task's inputs.
  enum class Language { python, cuda };

  std::string text;  ///< with the line numbers of the answer: the lines before a block are empty
  Language language = Language::python;

  auto operator<=>(const Source&) const = default;
};

/// Returns the program of an answer. A model's reasoning is no part of the answer: the text up to the last
/// </think> is left out, unless a program mentions it, and so is everything where the text begins with
/// <think> and never closes it. Of the rest it returns all, or the contents of one of its fenced code blocks:
/// the last complete one that defines ModelNew, else the last that defines it and was cut off, else the last
/// Python block that mentions it, else by the first two of these rules one with a CUDA kernel, else the last.
/// Fences are CommonMark's, ``` and ~~~: one closes a block if it has the same mark, at least as
/// often. An indented fence takes its indentation from its block's lines. A fence that a program quotes, in a
/// docstring or in a comment between
/// /* and */, opens or closes no block. A block's language is the one that its fence names (cuda, cu, cpp,
/// c++, …; python, py); otherwise, and for an answer without fences, the first line that isn't empty
/// determines it.
Source extract_source(const std::string& answer);

/// The number of bytes of an answer that stand before its code, that is, of its plan: the text before the
/// line of the fence that opens the block which `extract_source` takes. Without a block that is the
/// reasoning up to </think>; all of the answer where <think> is opened and not closed; and nothing of an
/// answer that is a program as a whole. The text behind the code counts as code.
std::size_t bytes_of_plan(std::string_view answer);

}  // namespace trl::runtime
