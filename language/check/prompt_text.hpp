// The prompt of one's own that a model is asked by, for the rules about prompts.
#pragma once
#include <optional>
#include <string>

#include "base/support/feedback.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {

/// The text of the model's prompt, from the program or from the file that it names; nothing for the library's
/// prompts, for one that has an error, and for a file that can't be read.
std::optional<std::string> prompt_text(const Inspection& inspection);

/// A placeholder as other templates write it, `${task}` or `{{task}}`, whose sign stays in the text; empty if
/// it is one of this language.
inline std::string other_notation(const std::string& text, const Mention& one) {
  if (one.begin > 0 && text[one.begin - 1] == '$') return text.substr(one.begin - 1, one.end - one.begin + 1);
  if (one.begin > 0 && text[one.begin - 1] == '{' && one.end < text.size() && text[one.end] == '}')
    return text.substr(one.begin - 1, one.end - one.begin + 2);
  return "";
}

}  // namespace trl::language
