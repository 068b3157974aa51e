// The prompt of an episode's next turn: a template in which names in braces are replaced by facts about the
// last answer. Any other text in braces, such as Python or C++ code, stays as it is.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trl {

/// A name that a template may contain in braces.
struct Placeholder {
  std::string_view name;     ///< without braces
  std::string_view meaning;  ///< an explanation for users
};
inline constexpr std::array<Placeholder, 8> placeholders = {{
    {"task", "the task's own prompt, as it is in the first turn"},
    {"prompt",
     "the whole prompt of the last turn: the task and, from the third turn on, all earlier answers"},
    {"answer", "the last answer"},
    {"stage", "the stage that the last answer didn't pass: syntax, compile, tiny or full"},
    {"reason", "why, in one word: wrong_values"},
    {"message", "what the verifier says about it: the first line, at most 200 bytes"},
    {"line", "the number of the answer's line that is to blame; `?` where none is"},
    {"code", "that line itself"},
}};

/// A name in braces in a template. A name has letters, digits and `_`, and begins with a lower-case letter.
struct Mention {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< the bytes of the name with its braces
};
std::vector<Mention> mentions(std::string_view text);

/// Whether a template mentions a placeholder.
bool mentions(std::string_view text, std::string_view name);

/// Returns the template with each name in braces replaced by its value, if `values` has one. Names in braces
/// within a value are not replaced.
std::string filled(std::string_view text, const std::map<std::string, std::string>& values);

/// Returns the first line of a message, cut to at most `most` bytes, but never inside a character of UTF-8.
std::string first_line(std::string_view message, std::size_t most = 200);

/// Returns the line of a text with this number (from 1), without blanks at its ends; empty if there is no
/// such line.
std::string line_of(std::string_view text, int number);

}  // namespace trl
