// Other people's text in our files: candidates are hostile.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// For HTML and SVG, in text and in quoted attributes: & < > " ' escaped; control characters but newline and
/// tab, and those that turn the direction of writing, as a visible U+FFFD.
std::string html_escaped(std::string_view text);

/// The same text with names between backticks as <code>.
std::string html_with_code(std::string_view text);

/// For a terminal: control characters, escape sequences and turns of direction as \x1b, \u202e; tabs as four
/// blanks; newlines stay.
std::string terminal_safe(std::string_view text);

/// A field of a CSV file (RFC 4180): in quotation marks where it holds a comma, one of them or a newline.
std::string csv_field(const std::string& text);

}  // namespace trl::interpreter
