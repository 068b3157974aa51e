#include <fmt/format.h>

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
    d.helped("keep at most as many as are sampled");
    if (keep->given) d.suggest("keep all", keep->range, count_text(candidates->number()));
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
