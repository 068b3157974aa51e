#include <fmt/format.h>

#include <cmath>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(too_few_steps)
namespace {

constexpr double fewest = 10;

void check_too_few_steps(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    if (!stage.train->is_a("sft")) continue;
    const Value *epochs = stage.train->field("epochs"), *batch = stage.train->field("batch");
    const Value* data = stage.train->field("data");
    if (epochs == nullptr || batch == nullptr || data == nullptr || batch->number() < 1) continue;
    const auto samples = corpus_samples(*data, inspection.suites);
    if (!samples || *samples < 1) continue;
    const double steps = std::ceil(*samples / batch->number()) * epochs->number();
    if (steps >= fewest) continue;
    auto d =
        found(rules::too_few_steps, data->range,
              fmt::format("{} samples × {} epoch{} at batch {} are {} step{}: `{}` hardly moves the adapter",
                          *samples, epochs->number(), epochs->number() == 1 ? "" : "s", batch->number(),
                          steps, steps == 1 ? "" : "s", stage.train->name));
    if (batch->given) d.note("the batch", batch->range);
    const double smaller = std::floor(*samples * epochs->number() / fewest);
    d.helped(fmt::format("use {} samples for {} steps{}",
                         std::ceil(fewest / epochs->number()) * batch->number(), fewest,
                         smaller >= 1 ? fmt::format(", or a batch of {}", smaller) : ""));
    if (batch->given && smaller >= 1)
      d.suggest(fmt::format("write `{}`", smaller), batch->range, count_text(smaller));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::too_few_steps{
    "too_few_steps",
    Severity::warning,
    true,
    "Fine-tuning of fewer than ten steps ends before the optimiser's moving averages are meaningful.",
    R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
experiment e : example.study { train = t }
)",
    R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 40), batch = 16 }
experiment e : example.study { train = t }
)",
    check_too_few_steps};

}  // namespace trl::language
