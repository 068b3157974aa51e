#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(plot_without_data)
namespace {

/// If servers sample the answers of all stages that train in rounds, returns the server of the first such
/// stage; otherwise null.
const Value* only_rollouts(const Inspection& inspection) {
  const Value* first = nullptr;
  for (const auto& stage : inspection.stages()) {
    if (stage.train->field("rounds") == nullptr) continue;
    const Value* rollout = rollout_of(*stage.train);
    if (rollout == nullptr) return nullptr;
    if (first == nullptr) first = rollout;
  }
  return first;
}

/// Reports plots of entropy and KL divergence if a server samples: only a program with the model's weights
/// can measure them.
void examine_rollouts(Inspection& inspection, const Resolved& plot, const Value& y) {
  const Value* rollout = only_rollouts(inspection);
  if (rollout == nullptr || (called(y) != "entropy" && called(y) != "kl")) return;
  auto d = found(rules::plot_without_data, y.range,
                 "nothing measures " + called(y) + " of answers that a server samples");
  d.note("it samples in every round", rollout->range);
  inspection.report(
      std::move(
          d.helped("write `y = sampling_ratio`, with `mismatch = measure` of grpo; or leave `rollout` out")),
      {&plot});
}

void check_plot_without_data(Inspection& inspection) {
  for (const Resolved* plot : inspection.plots) {
    const Value *on = plot->field("on"), *y = plot->field("y"), *dev = inspection.experiment.field("dev");
    if (on != nullptr && y != nullptr && on->string() == "training") examine_rollouts(inspection, *plot, *y);
    if (on == nullptr || y == nullptr || on->string() != "dev") continue;
    if (!inspection.experiment.sound("dev")) continue;
    if (dev == nullptr || dev->absent()) {
      auto d = found(rules::plot_without_data, on->range,
                     "`" + plot->name + "` is on dev, and `" + inspection.experiment.name + "` has no `dev`");
      d.helped("give the experiment `dev = …`, an evaluation on tasks of its own");
      inspection.report(std::move(d), {plot});
      continue;
    }
    const std::string measure = called(*y);
    const auto* column = column_of(*y);
    const bool on_dev = column != nullptr ? column->on != contract::MeasuredOn::training_answers
                                          : measure == "truncated" || measure == "distinct";
    if (!on_dev) {
      auto d = found(rules::plot_without_data, y->given ? y->range : on->range,
                     "answers to `dev` have no " + measure + ", only a round of training has");
      d.helped("write `on = training`, or a column of tables such as `y = correct`");
      inspection.report(std::move(d), {plot});
    }
  }
}

}  // namespace

const Rule rules::plot_without_data{"plot_without_data",
                                    Severity::error,
                                    true,
                                    "A plot of what nothing measures would be empty after the last GPU-hour.",
                                    R"(import windtunnel
import example
evaluation tuning : example.exam { split = windtunnel.level2[41..60] }
experiment e : example.study { dev = tuning, seeds = 1..3 }
plot learning { of = e, y = correct, on = dev }
)",
                                    R"(import example
experiment e : example.study { seeds = 1..3 }
plot learning { of = e, y = correct, on = dev }
)",
                                    check_plot_without_data};

}  // namespace trl::language
