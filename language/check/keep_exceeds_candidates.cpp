#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(keep_exceeds_candidates)
namespace {

void check_keep_exceeds_candidates(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *keep = stage.train->field("keep"), *candidates = stage.train->field("candidates");
    if (keep == nullptr || candidates == nullptr || keep->number() <= candidates->number()) continue;
    auto d = found(rules::keep_exceeds_candidates, keep->range,
                   fmt::format("`{}` keeps {} of {} candidates", stage.train->name, keep->number(),
                               candidates->number()));
    if (candidates->given) d.note("the number of candidates of a task", candidates->range);
    const double half = std::max(1.0, std::floor(candidates->number() / 2));
    d.helped("keep fewer than are sampled, such as half of them: of all of them `min_reward` alone chooses");
    if (keep->given) d.suggest("keep half", keep->range, count_text(half));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::keep_exceeds_candidates{"keep_exceeds_candidates",
                                          Severity::error,
                                          true,
                                          "A task cannot keep more candidates than were sampled for it.",
                                          R"(import example
train t : example.reinforce { candidates = 4, keep = 3 }
experiment e : example.study { train = t }
)",
                                          R"(import example
train t : example.reinforce { candidates = 4, keep = 5 }
experiment e : example.study { train = t }
)",
                                          check_keep_exceeds_candidates};

}  // namespace trl::language
