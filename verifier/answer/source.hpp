#pragma once
// Extracts the program from a model's answer.
#include <compare>
#include <string>
#include <string_view>

namespace trl::runtime {

/// A candidate's program, extracted from the answer.
struct Source {
  /// A Python module that defines ModelNew, or one CUDA C++ file whose `forward` takes the task's inputs.
  enum class Language { python, cuda };

  std::string text;  ///< has the answer's line numbers: lines before the code block are empty
  Language language = Language::python;
  /// Whether the answer ended within the program, at its largest number of tokens. Only the caller knows.
  bool cut_off = false;

  auto operator<=>(const Source&) const = default;
};

/// Returns the program of an answer. The model's reasoning is left out first: the text up to the last
/// </think>, unless that tag is part of a program; all text if it begins with <think> and never closes it; or
/// the messages before the one in the channel `final`. Other models' tags, such as <thinking>, count as
/// <think>. The program is the whole remaining text, without <answer> tags, if that has no fenced code block
/// or is itself a program. Otherwise the program is the first block found by this list:
/// - the last complete block that defines ModelNew;
/// - the last incomplete (cut off) block that defines ModelNew;
/// - the last Python block that mentions ModelNew;
/// - the last complete block with a CUDA kernel;
/// - the last incomplete block with a CUDA kernel;
/// - the last block.
///
/// Fences follow CommonMark: a line of at least three ` or ~ opens a block, and a line of the same mark, at
/// least as long, closes it. The lines of a block lose the marks of the list or
/// quotation that it stands in. Models write more forms, which are read, too: an opening fence behind words,
/// a closing fence behind the last line or before a word or a tag ("```end", "```</answer>"), and a block
/// that another block ends. Fences inside a program's docstring, comment or literal are ignored. The language
/// is the name after the fence (cuda, cu, cpp, c++, …; python, py). Where no name is given, the first line
/// that isn't empty determines the language. A byte-order mark is no part of a program.
Source extract_source(const std::string& answer);

/// Whether the answer goes on after its program: the program stands in a block that a fence closes. The
/// program is then complete.
bool ends_after_program(const std::string& answer);

/// Returns the size in bytes of the plan: the text of an answer before its code. The code begins at the
/// opening fence of the block that `extract_source` chooses; text after the block counts as code, too.
/// Without a block the plan is the reasoning up to </think>, or the whole answer if <think> is never closed.
/// The plan is empty if there is neither a block nor reasoning.
std::size_t bytes_of_plan(std::string_view answer);

}  // namespace trl::runtime
