// Wraps text to the 80 columns of a terminal.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// Breaks a text between words into lines of at most `width` columns; a longer word is a line by itself.
/// Lines after the first are indented by `indent` blanks. Existing line breaks are kept.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

/// The number of terminal columns that UTF-8 text takes: one for each code point, none for colours.
std::size_t display_width(std::string_view text);

/// The text, filled up with blanks at its end to `width` columns.
std::string padded(std::string_view text, std::size_t width);

}  // namespace trl::interpreter
