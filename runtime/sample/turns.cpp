#include "runtime/sample/turns.hpp"

#include <fmt/format.h>

#include "base/contract/next_prompt.hpp"
#include "base/stage/contract.hpp"
#include "base/support/error.hpp"

namespace trl::runtime {

std::vector<NextTurn> failed_turns(const std::filesystem::path& candidates,
                                   const std::filesystem::path& verdicts,
                                   const std::vector<std::string>& tasks, const std::string& feedback) {
  std::vector<contract::VerdictRow> judged;
  for_each_as<contract::VerdictRow>(verdicts / "verdicts.jsonl",
                                    [&](const contract::VerdictRow& row) { judged.push_back(row); });
  std::vector<NextTurn> failed;
  std::size_t row = 0;
  for_each_as<contract::Candidate>(candidates / "candidates.jsonl", [&](const contract::Candidate& last) {
    if (row >= judged.size() || judged[row].task != last.task || judged[row].sample != last.sample ||
        last.task >= tasks.size())
      throw UserError(fmt::format("row {} of {} and of {} are not about the same answer", row + 1,
                                  (candidates / "candidates.jsonl").string(),
                                  (verdicts / "verdicts.jsonl").string()));
    const auto& verdict = judged[row++];
    if (verdict.correct) return;
    failed.push_back(
        {last.task, last.sample, contract::next_prompt(feedback, tasks[last.task], last, verdict)});
  });
  return failed;
}

NextTurns next_turns(const std::filesystem::path& candidates, const std::filesystem::path& verdicts,
                     const std::vector<std::string>& tasks, const std::string& feedback,
                     const PromptFormat& format, std::int64_t context, std::int64_t max_tokens) {
  NextTurns next;
  for (auto& turn : failed_turns(candidates, verdicts, tasks, feedback)) {
    turn.tokens = format.prompt(turn.prompt);
    const auto length = static_cast<std::int64_t>(turn.tokens.size());
    if (context > 0 && length + max_tokens > context)
      ++next.ended_by_context;
    else
      next.prompts.push_back(std::move(turn));
  }
  return next;
}

}  // namespace trl::runtime
