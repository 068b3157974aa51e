#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/counted.hpp"
#include "language/check/inspection.hpp"
#include "language/check/steps.hpp"

namespace trl::language {
DECLARE_RULE(batch_exceeds_samples)
namespace {

/// Notes the fields whose product is the number of a round's samples.
void note_samples(Diagnostic& d, const Resolved& train) {
  for (const auto& [field, says] :
       {std::pair{"tasks_per_round", "the tasks of a round"}, std::pair{"candidates", "the answers to each"},
        std::pair{"keep", "how many of them are kept"}, std::pair{"pairs", "the most pairs of each"}})
    if (const Value* value = train.field(field); value != nullptr && value->given) d.note(says, value->range);
}

void check_batch_exceeds_samples(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Resolved& train = *stage.train;
    const Value *batch = train.field("batch"), *epochs = train.field("epochs"), *data = train.field("data");
    if (batch == nullptr || epochs == nullptr || !batch->given || !train.sound("batch") ||
        is_default(inspection, train, "batch") || takes_few_steps(train, inspection.suites))
      continue;  // that rule advises a smaller batch
    const bool rounds = data == nullptr;
    const double samples =
        rounds ? most_samples_of_round(train) : corpus_samples(*data, inspection.suites).value_or(0);
    // A batch is a multiple of what all GPUs take at once.
    const double unit = samples_at_once(inspection, train);
    if (samples < 1 || batch->number() <= std::ceil(samples / unit) * unit) continue;
    const std::string all =
        counted(static_cast<std::size_t>(samples), train.field("pairs") != nullptr ? "pair"
                                                   : rounds                        ? "answer"
                                                                                   : "sample");
    auto d = found(
        rules::batch_exceeds_samples, batch->range,
        fmt::format("`{}` has {}{} {} and a batch of {}: a batch is never filled up, so that {} one step on "
                    "all of them",
                    train.name, rounds ? "at most " : "", all, rounds ? "in a round" : "in all",
                    batch->number(),
                    epochs->number() > 1 ? fmt::format("each of the {} epochs is", epochs->number())
                    : rounds             ? "a round is"
                                         : "training is"));
    if (rounds)
      note_samples(d, train);
    else
      d.note("the samples", data->range);
    const double whole = std::floor(samples / unit) * unit, parts = round_batch(samples / 4, unit);
    if (whole < 1) {
      d.helped("sample more answers, or write a smaller batch");
    } else {
      d.helped(fmt::format(
          "write `batch = {}` for such steps{}", count_text(whole),
          parts >= 1 ? fmt::format(", or `batch = {}` for several steps in each pass", count_text(parts))
                     : ""));
      d.suggest(fmt::format("write `{}`", count_text(whole)), batch->range, count_text(whole));
    }
    inspection.report(std::move(d), {&train});
  }
}

}  // namespace

const Rule rules::batch_exceeds_samples{
    "batch_exceeds_samples",
    Severity::warning,
    true,
    "A batch of more samples than there are trains as one of all of them, whatever the number says.",
    R"(import example
train t : example.reinforce { tasks_per_round = 2, candidates = 4, keep = 2, batch = 4 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { tasks_per_round = 2, candidates = 4, keep = 2, batch = 64 }
experiment e : example.study { train = t }
)",
    check_batch_exceeds_samples};

}  // namespace trl::language
