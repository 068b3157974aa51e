#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(reference_undoes)
namespace {

/// The field that says how strongly a way to train is held near its reference; null if it isn't.
const Value* hold_of(const Resolved& train) {
  const Value* kl = train.field("kl");
  if (kl != nullptr) return kl->number() > 0 ? kl : nullptr;
  return train.field("beta");
}

void examine(Inspection& inspection, const Value& pipeline) {
  for (std::size_t i = 1; i < pipeline.items.size(); ++i) {
    const Resolved *train = pipeline.items[i].declaration.get(),
                   *before = pipeline.items[i - 1].declaration.get();
    if (train == nullptr || before == nullptr) return;
    const Value* reference = train->field("reference");
    if (reference == nullptr || reference->string() != "base" || !train->sound("reference")) continue;
    const Value* hold = hold_of(*train);
    if (hold == nullptr || is_varied(inspection, train->name + ".reference")) continue;
    auto d =
        found(rules::reference_undoes, reference->given ? reference->range : pipeline.range,
              fmt::format("`{}` is held near the model without an adapter, which undoes what `{}` before "
                          "it has taught",
                          train->name, before->name));
    d.note("the stages", pipeline.range);
    if (hold->given) d.note("how strongly", hold->range);
    d.helped(fmt::format("write `reference = start`, the policy as `{}` leaves it", before->name));
    if (reference->given) d.suggest("write `start`", reference->range, "start");
    inspection.report(std::move(d), {train});
  }
}

void check_reference_undoes(Inspection& inspection) {
  if (const Value* train = inspection.experiment.field("train")) examine(inspection, *train);
  if (const Value* controls = inspection.experiment.field("controls"))
    for (const Value& control : controls->items) examine(inspection, control);
}

}  // namespace

const Rule rules::reference_undoes{
    "reference_undoes",
    Severity::warning,
    true,
    "The divergence is measured from the policy before rewards came in; from the untrained model, it pulls "
    "back what earlier stages taught.",
    R"(import windtunnel
import example
train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
train rl : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3, kl = 0.04, reference = start }
experiment e : example.study { train = first -> rl }
)",
    R"(import windtunnel
import example
train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
train rl : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3, kl = 0.04, reference = base }
experiment e : example.study { train = first -> rl }
)",
    check_reference_undoes};

}  // namespace trl::language
