#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(greedy_candidates)
namespace {

void examine_sampling(Inspection& inspection, const Resolved& drawn, const char* count_field) {
  const Value *temperature = drawn.field("temperature"), *count = drawn.field(count_field);
  if (temperature == nullptr || count == nullptr || temperature->number() > 0 || count->number() <= 1) return;
  auto d = found(rules::greedy_candidates, temperature->range,
                 fmt::format("at temperature 0 the {} {} of a task are one and the same text",
                             count->number(), count_field));
  if (count->given) d.note("the number that is sampled", count->range);
  const bool exam = drawn.kind == "evaluation";
  d.helped(exam ? "sample one, or sample at the temperature of training"
                : "sample at a temperature of 0.6 to 1.0");
  if (exam && count->given)
    d.suggest("draw one", count->range, "1");
  else if (temperature->given)
    d.suggest("write `0.8`", temperature->range, "0.8");
  inspection.report(std::move(d), {&drawn});
}

void check_greedy_candidates(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine_sampling(inspection, *stage.train, "candidates");
  if (const Resolved* exam = inspection.evaluation()) examine_sampling(inspection, *exam, "samples");
}

}  // namespace

const Rule rules::greedy_candidates{
    "greedy_candidates",
    Severity::error,
    true,
    "Greedy decoding gives one answer. Further samples cost as much and count the same kernel again.",
    R"(import example
evaluation x : example.exam { temperature = 0, samples = 1 }
experiment e : example.study { evaluate = x }
)",
    R"(import example
train t : example.reinforce { temperature = 0 }
experiment e : example.study { train = t }
)",
    check_greedy_candidates};

}  // namespace trl::language
