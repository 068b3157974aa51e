// Wraps text to the 80 columns of a terminal.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// The text in lines of at most `width` columns, as far as its words allow; lines after the first are
/// indented by `indent` blanks. Line breaks of the text are kept.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

/// The columns that UTF-8 text takes, one for each code point.
std::size_t display_width(std::string_view text);

/// The text with blanks up to this width.
std::string padded(std::string_view text, std::size_t width);

}  // namespace trl::interpreter
