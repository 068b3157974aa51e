#include <fmt/format.h>

#include <cmath>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(steps_against_epochs)
namespace {

void check_steps_against_epochs(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *steps = stage.train->field("steps"), *epochs = stage.train->field("epochs");
    const Value *batch = stage.train->field("batch"), *data = stage.train->field("data");
    if (steps == nullptr || steps->absent() || epochs == nullptr || batch == nullptr || data == nullptr)
      continue;
    const auto samples = corpus_samples(*data, inspection.suites);
    if (!samples || batch->number() < 1) continue;
    const double taken = std::ceil(*samples / batch->number()) * epochs->number();
    if (taken == steps->number()) continue;
    auto d = found(rules::steps_against_epochs, steps->range,
                   fmt::format("{} steps × batch {} are {} samples; {} epoch{} of {} samples {} {}: {} steps",
                               steps->number(), batch->number(), steps->number() * batch->number(),
                               epochs->number(), epochs->number() == 1 ? "" : "s", *samples,
                               epochs->number() == 1 ? "is" : "are", *samples * epochs->number(), taken));
    d.note("the samples", data->range);
    if (epochs->given) d.note("the epochs", epochs->range);
    if (batch->given) d.note("the batch", batch->range);
    const double once = taken / epochs->number();
    const double enough = std::ceil(steps->number() / once);
    d.helped(fmt::format(
        "write {} steps, or leave them out{}", taken,
        enough > epochs->number() ? fmt::format("; {} epochs are {} steps", enough, once * enough) : ""));
    d.suggest(fmt::format("write `{}`", taken), steps->range, count_text(taken));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::steps_against_epochs{
    "steps_against_epochs",
    Severity::error,
    true,
    "Steps and epochs both state the length of training: where they disagree, one of them is wrong.",
    R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 200), steps = 13, epochs = 1, batch = 16 }
experiment e : example.study { train = t }
)",
    R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 200), steps = 50, epochs = 1, batch = 16 }
experiment e : example.study { train = t }
)",
    check_steps_against_epochs};

}  // namespace trl::language
