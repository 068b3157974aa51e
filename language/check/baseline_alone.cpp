#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(baseline_alone)
namespace {

void check_baseline_alone(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *baseline = stage.train->field("baseline"), *candidates = stage.train->field("candidates");
    if (baseline == nullptr || candidates == nullptr || !stage.train->sound("baseline") ||
        !stage.train->sound("candidates"))
      continue;
    if (baseline->string() == "none" || candidates->number() != 1) continue;
    auto d = found(rules::baseline_alone, candidates->range,
                   fmt::format("`{}` samples one candidate of each task, whose reward has no others to be "
                               "compared with",
                               stage.train->name));
    if (baseline->given) d.note("the baseline", baseline->range);
    d.helped("sample several candidates, or use `baseline = none`");
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::baseline_alone{
    "baseline_alone",
    Severity::error,
    true,
    "The baselines `mean` and `leave_one_out` compare a candidate's reward with those of its task's other "
    "candidates. With one candidate nothing is learned from `mean`, and `leave_one_out` subtracts nothing.",
    R"(import example
train t : policy_gradient { tasks = example.easy, max_tokens = 256, candidates = 4, learning_rate = 1e-3 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : policy_gradient { tasks = example.easy, max_tokens = 256, candidates = 1, learning_rate = 1e-3 }
experiment e : example.study { train = t }
)",
    check_baseline_alone};

}  // namespace trl::language
