// Escapes text from candidates, which may be hostile, for files and terminals.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// For HTML and SVG, in text and in quoted attributes. & < > " ' are escaped; control characters except
/// newline and tab, and characters that change the direction of text, become a visible U+FFFD.
std::string html_escaped(std::string_view text);

/// The same, with names between backticks as <code>.
std::string html_with_code(std::string_view text);

/// For a terminal: control characters, escape sequences and changes of direction are written as \x1b or
/// \u202e, and tabs as four blanks; newlines stay.
std::string terminal_safe(std::string_view text);

/// A field of a CSV file (RFC 4180), quoted if it contains a comma, a quotation mark or a newline.
std::string csv_field(const std::string& text);

}  // namespace trl::interpreter
