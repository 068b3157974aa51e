#include "base/contract/no_text.hpp"

#include <utility>

namespace trl::contract {

namespace {

/// Returns a cause in words, for one answer and for several answers.
std::pair<const char*, const char*> words_of(NoText cause) {
  switch (cause) {
    case NoText::reasoning:
      return {"only reasoning", "only reasoning"};
    case NoText::tool_call:
      return {"tool call", "tool calls"};
    case NoText::refusal:
      return {"refusal", "refusals"};
    case NoText::filtered:
      return {"withheld by the server's filter", "withheld by the server's filter"};
    case NoText::cut_off:
      return {"cut off before its text began", "cut off before their text began"};
    case NoText::empty:
      return {"empty", "empty"};
    case NoText::unreadable:
      break;
  }
  return {"unreadable", "unreadable"};
}

}  // namespace

bool is_models_own(NoText cause) {
  return cause == NoText::cut_off || cause == NoText::refusal || cause == NoText::empty;
}

std::string said(NoText cause) { return words_of(cause).first; }

std::string counted_causes(const std::map<NoText, std::size_t>& causes) {
  std::string text;
  for (const auto& [cause, count] : causes) {
    const auto [one, several] = words_of(cause);
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : several);
  }
  return text;
}

}  // namespace trl::contract
