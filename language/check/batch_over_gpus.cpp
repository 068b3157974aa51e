#include <fmt/format.h>

#include <cmath>

#include "language/check/inspection.hpp"
#include "language/check/steps.hpp"

namespace trl::language {
DECLARE_RULE(batch_over_gpus)
namespace {

void check_batch_over_gpus(Inspection& inspection) {
  if (!inspection.experiment.sound("machine")) return;
  const Resolved* machine = inspection.machine();
  const Value* gpus = machine == nullptr ? nullptr : machine->field("gpus");
  const double count = gpus == nullptr ? 1 : gpus->number();
  for (const auto& stage : inspection.stages()) {
    const Value *batch = stage.train->field("batch"), *micro = stage.train->field("micro_batch"),
                *times = stage.train->field("accumulation");
    if (batch == nullptr || !stage.train->sound("micro_batch") || !stage.train->sound("accumulation") ||
        (machine != nullptr && !machine->sound("gpus")))
      continue;
    const double together = micro == nullptr || micro->absent() ? 1 : micro->number();
    const double unit = samples_at_once(inspection, *stage.train);
    if (times != nullptr && !times->absent() && unit * times->number() != batch->number()) {
      auto d = found(rules::batch_over_gpus, times->range,
                     fmt::format("{} GPU{} × {} at once × {} times is {} samples a step, not {}", count,
                                 count == 1 ? "" : "s", together, times->number(), unit * times->number(),
                                 batch->number()));
      if (batch->given) d.note("the samples of a step, over all GPUs", batch->range);
      d.helped("leave it out: it follows from the others");
      inspection.report(std::move(d), machine == nullptr
                                          ? std::vector<const Resolved*>{stage.train}
                                          : std::vector<const Resolved*>{stage.train, machine});
      continue;
    }
    if (gpus == nullptr) continue;
    const double left = std::fmod(batch->number(), unit);
    if (left == 0) continue;
    const std::string at_once = together > 1 ? fmt::format("{} GPUs × {} samples at once", count, together)
                                             : fmt::format("{} GPUs", count);
    auto d = found(rules::batch_over_gpus, batch->given ? batch->range : inspection.experiment.range,
                   fmt::format("`{}`: a batch of {} samples does not divide over {}: {} are left over",
                               stage.train->name, batch->number(), at_once, left));
    if (gpus->given) d.note("the GPUs", gpus->range);
    if (micro != nullptr && micro->given) d.note("the samples at once on a GPU", micro->range);
    const double above = std::ceil(batch->number() / unit) * unit, below = above - unit;
    const double on_each = batch->number() * count;
    const std::string divide =
        below > 0 ? fmt::format("{} and {} do", below, above) : fmt::format("{} does", above);
    d.helped(batch->given && std::fmod(on_each, unit) == 0
                 ? fmt::format("`batch` counts samples over all GPUs: for {} on each write {}; otherwise {}",
                               batch->number(), on_each, divide)
                 : divide);
    // A batch that leaves GPUs idle may be meant for each GPU. But a larger batch may leave too few steps.
    const double steps = most_steps(*stage.train, inspection.suites);
    const bool few = steps >= fewest_steps && steps * batch->number() / above < fewest_steps;
    const double instead = few ? below : above;
    if (batch->given && below > 0)
      d.suggest(fmt::format("write `{}`", instead), batch->range, count_text(instead));
    inspection.report(std::move(d), {stage.train, machine});
  }
}

}  // namespace

const Rule rules::batch_over_gpus{"batch_over_gpus",
                                  Severity::error,
                                  true,
                                  "A batch that does not divide over the GPUs leaves some idle in each step, "
                                  "or changes the mean of gradients.",
                                  R"(import example
machine node { gpus = 8, memory = 40 GiB }
train t : example.reinforce { batch = 16, micro_batch = 2 }
experiment e : example.study { train = t, machine = node }
)",
                                  R"(import example
machine node { gpus = 8, memory = 40 GiB }
train t : example.reinforce { batch = 20 }
experiment e : example.study { train = t, machine = node }
)",
                                  check_batch_over_gpus};

}  // namespace trl::language
