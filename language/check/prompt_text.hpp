// A program's own prompt for a model, for the rules about prompts.
#pragma once
#include <optional>
#include <string>

#include "base/support/feedback.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {

/// Returns the text of the model's prompt, from the program or from a file that the program names. Nothing if
/// the prompt is one of the library's, if it has an error, or if the file can't be read.
std::optional<std::string> prompt_text(const Inspection& inspection);

/// If a placeholder is written as in other template languages, `${task}` or `{{task}}`, returns that text;
/// its `$` or outer braces would stay in the prompt. Empty for a placeholder of this language.
inline std::string other_notation(const std::string& text, const Mention& one) {
  if (one.begin > 0 && text[one.begin - 1] == '$') return text.substr(one.begin - 1, one.end - one.begin + 1);
  if (one.begin > 0 && text[one.begin - 1] == '{' && one.end < text.size() && text[one.end] == '}')
    return text.substr(one.begin - 1, one.end - one.begin + 2);
  return "";
}

}  // namespace trl::language
