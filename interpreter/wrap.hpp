// Text for people, in lines that a terminal of 80 columns holds.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// The text's words in lines of at most `width` columns, as far as words allow; lines after the first begin
/// with `indent` blanks. Line breaks of the text are kept.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = 80);

}  // namespace trl::interpreter
