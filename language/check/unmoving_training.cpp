#include <fmt/format.h>

#include "language/check/inspection.hpp"
#include "language/check/steps.hpp"

namespace trl::language {
DECLARE_RULE(unmoving_training)
namespace {

void check_unmoving_training(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* rate = stage.train->field("learning_rate");
    if (rate == nullptr) continue;
    const double steps = most_steps(*stage.train, inspection.suites), reach = steps * rate->number();
    if (steps <= 0 || reach >= least_reach) continue;
    auto d =
        found(rules::unmoving_training, rate->range,
              fmt::format("{:.0f} step{} at a learning rate of {:g} move a weight by {:.1g} at most: `{}` "
                          "hardly changes the model",
                          steps, steps == 1 ? "" : "s", rate->number(), reach, stage.train->name));
    d.note(
        "AdamW moves a weight by about the learning rate in a step; rows that differ in such training give "
        "the same answers");
    d.helped(fmt::format("use a learning rate of {:.1g} or more, or more steps",
                         steps < fewest_steps ? rate_for(steps) : 10 * least_reach / steps));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::unmoving_training{
    "unmoving_training",
    Severity::warning,
    true,
    "A step of AdamW moves a weight by about the learning rate (Kingma and Ba 2015), so that few steps at a "
    "tiny learning rate cost a run and change no answer.",
    R"(import example
train t : example.reinforce { learning_rate = 1e-3 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { learning_rate = 1e-9 }
experiment e : example.study { train = t }
)",
    check_unmoving_training};

}  // namespace trl::language
