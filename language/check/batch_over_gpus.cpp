#include <fmt/format.h>

#include <cmath>

#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

void check(Inspection& inspection) {
  const Resolved* machine = inspection.machine();
  const Value* gpus = machine == nullptr ? nullptr : machine->field("gpus");
  if (gpus == nullptr || gpus->number() < 1) return;
  for (const auto& stage : inspection.stages()) {
    const Value *batch = stage.train->field("batch"), *micro = stage.train->field("micro_batch");
    if (batch == nullptr) continue;
    const double together = micro == nullptr || micro->absent() ? 1 : micro->number();
    const double unit = gpus->number() * together;
    const double left = std::fmod(batch->number(), unit);
    if (left == 0) continue;
    const std::string at_once = together > 1
                                    ? fmt::format("{} GPUs × {} samples at once", gpus->number(), together)
                                    : fmt::format("{} GPUs", gpus->number());
    auto d = found(rules::batch_over_gpus, batch->given ? batch->range : inspection.experiment.range,
                   fmt::format("`{}`: a batch of {} samples does not divide over {}: {} are left over",
                               stage.train->name, batch->number(), at_once, left));
    if (gpus->given) d.note("the GPUs", gpus->range);
    if (micro != nullptr && micro->given) d.note("the samples at once on a GPU", micro->range);
    const double above = std::ceil(batch->number() / unit) * unit, below = above - unit;
    d.helped(below > 0 ? fmt::format("{} and {} do", below, above) : fmt::format("{} does", above));
    if (batch->given) d.fix(fmt::format("write `{}`", above), batch->range, count_text(above));
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
                                  check};

}  // namespace trl::language
