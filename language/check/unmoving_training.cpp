#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unmoving_training)
namespace {

/// How far AdamW moves a weight at least in training that isn't named. The wind tunnel's imitation moves its
/// adapter by ten steps at 2e-4, 2e-3 (experiments/ablation.trl); two a round at 1e-5 changed no answer.
constexpr double least_reach = 3e-5;

/// The largest number of steps that a stage of training takes; 0 if it can't be told from the file.
double most_steps(const Resolved& train, const Inspection& inspection) {
  const auto number = [&](const char* name) {
    const Value* value = train.field(name);
    return value == nullptr ? 0 : value->number();
  };
  const double batch = number("batch");
  if (batch < 1) return 0;
  if (train.is_a("sft")) {
    const Value* data = train.field("data");
    const auto samples = data == nullptr ? std::nullopt : corpus_samples(*data, inspection.suites);
    return samples ? std::ceil(*samples / batch) * number("epochs") : 0;
  }
  if (train.field("rounds") == nullptr || train.field("candidates") == nullptr) return 0;
  const double answers = number("tasks_per_round") * (train.field("keep") == nullptr
                                                          ? number("candidates")
                                                          : std::min(number("keep"), number("candidates")));
  return number("rounds") * std::ceil(answers / batch) * std::max(1.0, number("epochs"));
}

void check_unmoving_training(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* rate = stage.train->field("learning_rate");
    if (rate == nullptr) continue;
    const double steps = most_steps(*stage.train, inspection), reach = steps * rate->number();
    if (steps <= 0 || reach >= least_reach) continue;
    auto d =
        found(rules::unmoving_training, rate->range,
              fmt::format("{:.0f} step{} at a learning rate of {:g} move a weight by {:.1g} at most: `{}` "
                          "hardly changes the model",
                          steps, steps == 1 ? "" : "s", rate->number(), reach, stage.train->name));
    d.note(
        "AdamW moves a weight by about the learning rate in a step; rows that differ in such training give "
        "the same answers");
    d.helped(fmt::format("use a learning rate of {:.1g} or more, or more steps", 10 * least_reach / steps));
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
