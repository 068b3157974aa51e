#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/counted.hpp"
#include "language/check/inspection.hpp"
#include "language/check/steps.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
DECLARE_RULE(too_few_steps)
namespace {

/// Adds notes about counts of a corpus that are below the number of tasks: they may be meant for each task.
/// Returns the end of an advice, with these counts multiplied by the numbers of tasks; empty if there are no
/// such counts.
std::string counted_for_each(const Value& corpus, const std::map<std::string, std::vector<SuiteTask>>& suites,
                             Diagnostic& d) {
  if (corpus.name == "kernelbook") return "";  // kernelbook's levels are no suites
  const auto excluded = corpus_tasks(corpus, suites).excluded;
  std::string instead;
  for (const auto& [name, value] : corpus.entries) {
    const auto* suite = labelled_suite(corpus, name, suites);
    if (suite == nullptr || value.number() < 1) continue;
    const auto tasks = static_cast<double>(std::count_if(
        suite->begin(), suite->end(), [&](const SuiteTask& t) { return !excluded.contains(t.overlap); }));
    if (value.number() >= tasks) continue;
    d.note(fmt::format("`{}` counts answers in all, not for each of its {} tasks", name, tasks), value.range);
    instead += fmt::format("{}{} = {}", instead.empty() ? "" : ", ", name, value.number() * tasks);
  }
  return instead.empty() ? "" : "; if so many were meant for each task, `" + instead + "`";
}

/// Returns the largest round batch (`round_batch`) that gives enough steps and divides evenly over the GPUs;
/// 0 if there is none. The number of steps is `samples` / batch.
double smaller_batch(const Inspection& inspection, const Resolved& train, double samples) {
  return round_batch(std::floor(samples / fewest_steps), samples_at_once(inspection, train));
}

/// Returns the stage of the study with which a control's stage is compared, if that stage has enough steps;
/// otherwise null.
const Resolved* compared_with(const Inspection& inspection, const Inspection::Stage& control) {
  if (!control.control) return nullptr;
  for (const auto& stage : inspection.stages())
    if (!stage.control && stage.train->variant == control.train->variant &&
        most_steps(*stage.train, inspection.suites) >= fewest_steps)
      return stage.train;
  return nullptr;
}

/// Adds advice on the fields that a control's stage should copy from the study's stage to get the same number
/// of steps.
void suggest_steps_of(Diagnostic& d, const Resolved& control, const Resolved& study) {
  std::vector<std::string> others;
  for (const char* name :
       {"rounds", "epochs", "batch", "tasks_per_round", "candidates", "keep", "pairs", "turns", "data"}) {
    const Value *own = control.field(name), *of = study.field(name);
    if (own != nullptr && of != nullptr && to_json(*own) != to_json(*of)) others.emplace_back(name);
  }
  d.helped(fmt::format("a control has the steps of what it is compared with: give it {} of `{}`",
                       others.empty() ? "the settings" : enumeration(others, others.size()), study.name));
}

/// Reports training in rounds whose steps are few in all and small.
void examine_rounds(Inspection& inspection, const Inspection::Stage& stage) {
  const Resolved& train = *stage.train;
  const Value *batch = train.field("batch"), *rate = train.field("learning_rate"),
              *rounds = train.field("rounds"), *epochs = train.field("epochs");
  const double steps = most_steps(train, inspection.suites), samples = most_samples_of_round(train);
  if (batch == nullptr || rate == nullptr || rounds == nullptr || epochs == nullptr ||
      !takes_few_steps(train, inspection.suites))
    return;
  const bool pairs = train.field("pairs") != nullptr;
  auto d = found(
      rules::too_few_steps, batch->given ? batch->range : train.range,
      fmt::format(
          "{} of at most {} at batch {}{} take{} {}{}: at a learning rate of {:g}, `{}` hardly moves the "
          "adapter",
          counted(static_cast<std::size_t>(rounds->number()), "round"),
          counted(static_cast<std::size_t>(samples), pairs ? "pair" : "answer"), batch->number(),
          epochs->number() > 1 ? fmt::format(" for {} epochs", epochs->number()) : "",
          rounds->number() > 1 ? "" : "s", counted(static_cast<std::size_t>(steps), "step"),
          rounds->number() > 1 ? " in all" : "", rate->number(), train.name));
  if (rate->given) d.note("the learning rate", rate->range);
  d.note("in the wind tunnel, four steps at 1e-4 changed no answer");
  const double smaller = smaller_batch(inspection, train, samples * rounds->number() * epochs->number());
  if (const Resolved* study = compared_with(inspection, stage))
    suggest_steps_of(d, train, *study);
  else
    d.helped(fmt::format("{}more rounds, or a learning rate of {:.1g}",
                         smaller >= 1
                             ? fmt::format("use a batch of {}, ", std::min(smaller, round_batch(samples, 1)))
                             : "use ",
                         rate_for(steps)));
  inspection.report(std::move(d), {&train});
}

void check_too_few_steps(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    if (!stage.train->is_a("sft")) {
      examine_rounds(inspection, stage);
      continue;
    }
    const Value *epochs = stage.train->field("epochs"), *batch = stage.train->field("batch");
    const Value* data = stage.train->field("data");
    if (epochs == nullptr || batch == nullptr || data == nullptr || batch->number() < 1) continue;
    const auto samples = corpus_samples(*data, inspection.suites);
    if (!samples || *samples < 1) continue;
    const double steps = std::ceil(*samples / batch->number()) * epochs->number();
    if (steps >= fewest_steps) continue;
    auto d =
        found(rules::too_few_steps, data->range,
              fmt::format("{} samples × {} epoch{} at batch {} are {} step{}: `{}` hardly moves the adapter",
                          *samples, epochs->number(), epochs->number() == 1 ? "" : "s", batch->number(),
                          steps, steps == 1 ? "" : "s", stage.train->name));
    if (batch->given) d.note("the batch", batch->range);
    const std::string each = counted_for_each(*data, inspection.suites, d);
    const double smaller = smaller_batch(inspection, *stage.train, *samples * epochs->number());
    if (const Resolved* study = compared_with(inspection, stage)) {
      suggest_steps_of(d, *stage.train, *study);
      inspection.report(std::move(d), {stage.train});
      continue;
    }
    d.helped(fmt::format("use {} samples for {} steps{}{}",
                         std::ceil(fewest_steps / epochs->number()) * batch->number(), fewest_steps,
                         smaller >= 1 ? fmt::format(", or a batch of {}", smaller) : "", each));
    if (batch->given && smaller >= 1)
      d.suggest(fmt::format("write `{}`", smaller), batch->range, count_text(smaller));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::too_few_steps{"too_few_steps",
                                Severity::warning,
                                true,
                                "Training of fewer than ten steps ends before the optimiser's moving "
                                "averages are meaningful, and small ones "
                                "change no answer.",
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
