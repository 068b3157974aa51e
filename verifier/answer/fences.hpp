#pragma once
// Finds what may open or close a code block in a model's answer, and the texts in a program that quote such
// marks.
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
  /// Whether the tag says nothing of a program: it is blank, a word that names no language, as in "```end",
  /// or the closing tag of the answer, as in "```</answer>".
  bool bare() const;
  /// Whether it can open a block. Behind words its tag must name a program's language, or be blank behind a
  /// colon or a ">".
  bool opens() const;
  /// Whether it can close a block, which a fence with as many of the same marks does.
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
/// comments between /* and */ in C++), its comments, and its literals of one line. A text of several lines
/// that is never closed is none, and neither are later texts of its kind.
std::vector<Quotation> find_quotations(std::string_view text, std::size_t at, Source::Language language);

/// Returns the quotation around a place, or null.
const Quotation* quotation_at(const std::vector<Quotation>& quotations, std::size_t place);

}  // namespace trl::runtime::answers
