#include "base/contract/next_prompt.hpp"

#include "base/support/feedback.hpp"

namespace trl::contract {

std::string next_prompt(const std::string& feedback, const std::string& task, const Candidate& last,
                        const Verdict& verdict) {
  return filled(feedback, {{"task", task},
                           {"prompt", last.prompt},
                           {"answer", last.answer},
                           {"stage", verdict.failed},
                           {"reason", verdict.reason},
                           {"message", first_line(verdict.message)},
                           {"line", verdict.line > 0 ? std::to_string(verdict.line) : "?"},
                           {"code", line_of(last.answer, verdict.line)}});
}

}  // namespace trl::contract
