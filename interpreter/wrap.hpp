// Wraps text to the 80 columns of a terminal.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// The text in lines of at most `width` columns, as far as its words allow; lines after the first are
/// indented by `indent` blanks. Line breaks of the text are kept.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

}  // namespace trl::interpreter
