// The causes for which a server's reply has no text.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// Why a reply has no text that could be judged as an answer.
enum class NoText {
  reasoning,  ///< all of the model's text is reasoning
  tool_call,  ///< the model called a tool
  refusal,    ///< the model refused to answer
  filtered,   ///< the server's filter withheld the answer
  cut_off,    ///< the reply ended at its largest number of tokens before the answer began
  empty,      ///< nothing came
  unreadable  ///< no reply could be read in any attempt
};
template <>
struct Words<NoText> {
  static constexpr std::array<std::pair<NoText, const char*>, 7> list = {
      {{NoText::reasoning, "reasoning"},
       {NoText::tool_call, "tool_call"},
       {NoText::refusal, "refusal"},
       {NoText::filtered, "filtered"},
       {NoText::cut_off, "cut_off"},
       {NoText::empty, "empty"},
       {NoText::unreadable, "unreadable"}}};
};

/// Whether this cause makes the reply a wrong answer of the model: a refusal, an empty reply, or a reply that
/// used up its tokens. For other causes the server may be responsible, and the reply isn't judged.
bool is_models_own(NoText cause);

/// Returns a cause in words: "only reasoning".
std::string said(NoText cause);

/// Returns "2 only reasoning, 1 refusal" from the number of answers for each cause.
std::string counted_causes(const std::map<NoText, std::size_t>& causes);

}  // namespace trl::contract
