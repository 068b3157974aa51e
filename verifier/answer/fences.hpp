#pragma once
// Finds the marks that may open or close a code block in a model's answer, and the comments and string
// literals of a program in which such marks mean nothing.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/answer/source.hpp"

namespace trl::runtime::answers {

/// A mark of at least three ` or ~. It stands at the beginning of a line, behind the marks of a list or a
/// quotation, or behind words.
struct Fence {
  std::size_t begin, at, next;  ///< where its line, its marks and the line after it begin
  std::string_view before;      ///< the line's text before the marks
  std::string_view marks;
  std::string_view tag;  ///< the line's text behind the marks
  bool behind_words;     ///< whether `before` is more than indentation and the marks of a list or a quotation

  /// Returns the text with which the lines of a block that this fence opens begin.
  std::string indentation() const;
  /// Whether the tag (the text behind the marks) is blank; or a single word that names no language, neither
  /// of a program nor of another text, as in "```end"; or begins with "<", as the answer's closing tag in
  /// "```</answer>".
  bool bare() const;
  /// Whether the fence can open a block. A fence behind words can do so only if its tag names a program's
  /// language, or if the tag is blank and a colon or a ">" precedes the fence.
  bool opens() const;
  /// Whether the fence can close the block that `opening` opens: it must have at least as many marks of the
  /// same kind.
  bool closes(const Fence& opening) const;
};

/// Finds the fences of a text, in their order.
std::vector<Fence> find_fences(std::string_view text);

/// Returns the language of a program that stands behind a fence with this tag.
Source::Language language_of(std::string_view text, std::string_view tag);

/// A part of a program that isn't code.
struct Quotation {
  enum class Kind { long_text, comment, literal };
  std::size_t begin, end;
  Kind kind;
};

/// Finds a program's texts of several lines (string literals between three quotation marks in Python,
/// comments between /* and */ in C++), its comments, and its literals of one line. If a text of several lines
/// is never closed, it and later texts of its kind are left out.
std::vector<Quotation> find_quotations(std::string_view text, std::size_t at, Source::Language language);

/// Returns the quotation around a place, or null.
const Quotation* quotation_at(const std::vector<Quotation>& quotations, std::size_t place);

}  // namespace trl::runtime::answers
