// Escapes text for files and terminals, since the text of candidates may be hostile.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// Escapes a text for HTML and SVG, as content or in a quoted attribute. & < > " ' are escaped; control
/// characters except newline and tab, and characters that change the direction of text, become a visible
/// U+FFFD.
std::string html_escaped(std::string_view text);

/// Escapes a text for a terminal: control characters and characters that change the direction of text are
/// written as \x1b or \u202e, and tabs as four blanks. Newlines are kept.
std::string terminal_safe(std::string_view text);

/// A field of a CSV file (RFC 4180), quoted if it contains a comma, a quotation mark or a newline.
std::string csv_field(const std::string& text);

}  // namespace trl::interpreter
