#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unusual_temperature)
namespace {

/// Above the one the tokens are drawn nearly at random; below the other a group's answers are nearly one.
constexpr double hottest = 2, coldest = 0.1;

void examine_temperature(Inspection& inspection, const Resolved& drawn) {
  const Value *temperature = drawn.field("temperature"), *candidates = drawn.field("candidates");
  if (temperature == nullptr || !temperature->given) return;
  const double t = temperature->number();
  const bool cold = candidates != nullptr && candidates->number() > 1 && t > 0 && t < coldest;
  if (t <= hottest && !cold) return;
  auto d = found(
      rules::unusual_temperature, temperature->range,
      cold ? fmt::format("at temperature {:g} the {:g} candidates of a task are nearly one and the same", t,
                         candidates->number())
           : fmt::format("at temperature {:g} tokens are drawn nearly at random", t));
  if (cold) d.note("the number that is sampled", candidates->range);
  d.helped("0.6 to 1.0 is usual");
  constexpr double slip = 10;  // 7 for 0.7
  const double meant = cold ? 0.8 : t / slip;
  if (meant <= 1)
    d.suggest(fmt::format("write `{:g}`", meant), temperature->range, fmt::format("{:g}", meant));
  inspection.report(std::move(d), {&drawn});
}

void check_unusual_temperature(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine_temperature(inspection, *stage.train);
  for (const Resolved* evaluation : {inspection.evaluation(), inspection.dev()})
    if (evaluation != nullptr) examine_temperature(inspection, *evaluation);
}

}  // namespace

const Rule rules::unusual_temperature{
    "unusual_temperature",
    Severity::warning,
    true,
    "Far above 1 a model writes noise, and near 0 the answers of a group hardly differ, so that rewards have "
    "nothing to choose from.",
    R"(import example
evaluation x : example.exam { temperature = 0.7, samples = 4 }
experiment e : example.study { evaluate = x }
)",
    R"(import example
evaluation x : example.exam { temperature = 7, samples = 4 }
experiment e : example.study { evaluate = x }
)",
    check_unusual_temperature};

}  // namespace trl::language
