// The prompt of an episode's next turn: a template in which names in braces stand for facts about the
// last answer. Any other text in braces, such as Python's or C++'s own, is ordinary.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trl {

/// The names that a template may contain.
struct Placeholder {
  std::string_view name;     ///< without braces
  std::string_view meaning;  ///< for people
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

/// A name in braces: letters, digits and `_`, the first of which is a lower-case letter.
struct Mention {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< of the whole, with its braces
};
std::vector<Mention> mentions(std::string_view text);

/// Whether a template mentions a placeholder.
bool mentions(std::string_view text, std::string_view name);

/// The template with the value of each name that is among `values` in place of its mention. Values are put in
/// as they are: braces in them are not looked up again.
std::string filled(std::string_view text, const std::map<std::string, std::string>& values);

/// The first line of a message, cut to at most `most` bytes between two characters of UTF-8.
std::string first_line(std::string_view message, std::size_t most = 200);

/// A line of a text by its number, from 1, without blanks at its ends; empty where there is none.
std::string line_of(std::string_view text, int number);

}  // namespace trl
