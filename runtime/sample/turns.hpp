// The prompts of a later turn, for episodes whose last answer failed.
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
  std::size_t task = 0;  ///< in tasks.json
  std::int64_t sample = 0;
  std::string prompt;              ///< as text
  std::vector<Token> tokens = {};  ///< of the prompt, where a model here reads it
};

/// The episodes of one turn that went on, and how many did not for want of room.
struct NextTurns {
  std::vector<NextTurn> prompts;  ///< in the order of the last turn's candidates
  std::int64_t ended_by_context = 0;
};

/// The prompt that follows an answer: `feedback` (base/support/feedback.hpp) with the facts of its verdict.
/// `task` is the task's own prompt.
std::string next_prompt(const std::string& feedback, const std::string& task, const contract::Candidate& last,
                        const contract::Verdict& verdict);

/// Reads the last turn's candidates.jsonl and verdicts.jsonl, which have the same rows. `tasks` are the
/// tasks' own prompts. Returns the next turns of the episodes whose last answer failed, in the order of
/// those answers, without tokens. Throws UserError where the files don't fit together.
std::vector<NextTurn> failed_turns(const std::filesystem::path& candidates,
                                   const std::filesystem::path& verdicts,
                                   const std::vector<std::string>& tasks, const std::string& feedback);

/// The same with tokens. An episode whose prompt leaves less than `max_tokens` of the model's context ends; a
/// context of 0 is boundless.
NextTurns next_turns(const std::filesystem::path& candidates, const std::filesystem::path& verdicts,
                     const std::vector<std::string>& tasks, const std::string& feedback,
                     const PromptFormat& format, std::int64_t context, std::int64_t max_tokens);

}  // namespace trl::runtime
