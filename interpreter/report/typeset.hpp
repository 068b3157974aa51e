// Typesets texts as a printer would: typed substitutes are replaced by real signs and quotation marks.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// The text as it is set for readers: "−" for the hyphen before a number, "→" for "->", "×" for the "x"
/// between names or before a ratio, "≥", "≤" and "≠", curved quotation marks and apostrophes, and a dash for
/// a hyphen alone. Names keep their hyphens. Code, and whatever a program reads, isn't set.
std::string typeset(std::string text);

/// Like `typeset`, but names between backticks stay as they are.
std::string typeset_sentence(std::string_view text);

/// The text as it is set, escaped for HTML and SVG by `html_escaped`.
std::string html_typeset(std::string_view text);

/// Like `html_typeset`, but names between backticks are put in <code> elements, as they are.
std::string html_with_code(std::string_view text);

}  // namespace trl::interpreter
