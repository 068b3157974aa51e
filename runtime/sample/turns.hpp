// The prompts of a later turn. Only episodes whose last answer failed have a later turn.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/contract/rows.hpp"
#include "base/contract/verdict.hpp"
#include "runtime/model/config.hpp"
#include "runtime/train/prompt_format.hpp"

namespace trl::runtime {

/// The next turn of one episode.
struct NextTurn {
  std::size_t task = 0;  ///< the index of the task in tasks.json
  std::int64_t sample = 0;
  std::string prompt;              ///< the text of the prompt
  std::vector<Token> tokens = {};  ///< the tokens of the prompt; empty if only its text is used
};

/// The prompts of the episodes that go on, and the number of episodes that end because their prompt leaves
/// too little of the model's context.
struct NextTurns {
  std::vector<NextTurn> prompts;  ///< in the order of the last turn's candidates
  std::int64_t ended_by_context = 0;
};

/// Reads the last turn's candidates.jsonl and verdicts.jsonl, which have the same rows. `tasks` are the
/// prompts of the tasks' first turns. Returns the next turns of the episodes whose last answer failed, in the
/// order of those answers, without tokens. Throws UserError when the files don't match.
std::vector<NextTurn> failed_turns(const std::filesystem::path& candidates,
                                   const std::filesystem::path& verdicts,
                                   const std::vector<std::string>& tasks, const std::string& feedback);

/// Like `failed_turns`, but with tokens. An episode ends if its prompt leaves less than `max_tokens` of the
/// model's context; `context` 0 means no limit.
NextTurns next_turns(const std::filesystem::path& candidates, const std::filesystem::path& verdicts,
                     const std::vector<std::string>& tasks, const std::string& feedback,
                     const PromptFormat& format, std::int64_t context, std::int64_t max_tokens);

}  // namespace trl::runtime
