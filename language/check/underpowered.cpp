#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics/factorial.hpp"
#include "base/statistics/pilot.hpp"
#include "base/support/counted.hpp"
#include "language/check/planned.hpp"

namespace trl::language {
namespace {

std::size_t looks_of(const Resolved& hypothesis) {
  const Value* declared = hypothesis.field("looks");
  return declared == nullptr ? 1 : static_cast<std::size_t>(declared->number(1));
}

}  // namespace

std::optional<PlannedComparison> planned_for(const Inspection& inspection, const Resolved& hypothesis) {
  const Resolved* exam = inspection.evaluation();
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  const Value* samples = exam == nullptr ? nullptr : exam->field("samples");
  const Value* seeds = inspection.experiment.field("seeds");
  if (split == nullptr || !split->is(Value::Kind::tasks) || samples == nullptr || seeds == nullptr ||
      !inspection.experiment.sound("vary") || hypothesis.field("metric") == nullptr)
    return std::nullopt;
  for (const char* field : {"contrast", "cell", "expect", "alpha"})
    if (!hypothesis.sound(field)) return std::nullopt;
  const Value *contrast = hypothesis.field("contrast"), *cell = hypothesis.field("cell"),
              *controls = inspection.experiment.field("controls"), *alpha = hypothesis.field("alpha"),
              *expect = hypothesis.field("expect");
  auto planned = planned_comparison(
      inspection.design, contrast == nullptr ? std::string() : contrast->string(),
      controls == nullptr ? 0 : controls->items.size(), cell != nullptr && !cell->absent());
  if (!planned) return std::nullopt;
  planned->size = {split->tasks.size(), seeds->items.size(), static_cast<std::size_t>(samples->number())};
  statistics::Certainty wanted;
  if (alpha != nullptr) wanted.alpha = alpha->number(wanted.alpha);
  wanted.alpha = statistics::alpha_of_look(wanted.alpha, looks_of(hypothesis));
  const auto expectation = expect == nullptr ? std::nullopt : statistics::expectation_named(expect->string());
  planned->certainty = statistics::certainty_of(expectation.value_or(statistics::Expectation::greater),
                                                inspection.hypotheses.size(), wanted);
  return planned;
}

bool of_share(const Value& metric) {
  const auto* column = column_of(metric);
  return column != nullptr && column->mean == contract::Mean::share;
}

SlowAnswers::Question power_question(std::string what, const PlannedComparison& planned, double effect) {
  const auto& [size, question, certainty] = planned;
  const auto number = [](auto value) { return static_cast<double>(value); };
  return {std::move(what),
          {number(size.tasks), number(size.seeds), number(size.samples), question.squared_coefficients,
           number(question.rows), question.runs_freedom, number(question.pooled_contrasts),
           number(question.level), certainty.power, certainty.alpha, number(certainty.equivalence), effect}};
}

DECLARE_RULE(underpowered)
namespace {

/// How the test is made stricter than its alpha: ", by two one-sided tests, at each of 2 looks, over 3
/// hypotheses".
std::string adjustment(bool same, std::size_t looks, std::size_t family) {
  return (same ? ", by two one-sided tests" : "") +
         (looks > 1 ? fmt::format(", at each of {} looks", looks) : std::string()) +
         (family > 1 ? fmt::format(", over {} hypotheses", family) : std::string());
}

void report_undecidable(const Resolved& hypothesis, const Value& seeds, Inspection& inspection) {
  auto d = found(rules::underpowered, hypothesis.range,
                 fmt::format("one seed can't decide `{}`", hypothesis.name));
  d.note("what another training run would give is unknown with this", seeds.range);
  d.note(fmt::format(
      "an error can be told from several seeds, or in a design of extensions from {} interactions or more",
      statistics::fewest_pooled));
  d.helped("give three seeds, `seeds = 1..3`");
  if (seeds.given) d.suggest("write `1..3`", seeds.range, "1..3");
  inspection.report(std::move(d), {&hypothesis});
}

/// Reports, as a note, that power isn't calculated: for metrics that aren't shares, the variance isn't known
/// before a run.
void report_uncalculated(const Resolved& hypothesis, const Value& metric, Inspection& inspection) {
  auto d = found(rules::underpowered, hypothesis.field("smallest_effect")->range,
                 fmt::format("whether this design finds the smallest effect of `{}` isn't checked: power is "
                             "calculated for shares, and `{}` is none",
                             hypothesis.name, called(metric)));
  d.severity = Severity::note;
  d.helped(
      "after a first run the report tells the interval of the difference, from which follows how many seeds "
      "and samples it takes");
  inspection.report(std::move(d), {&hypothesis});
}

/// The smallest effect that a design detects, and the size of a study that would detect the wanted effect.
struct Found {
  double detected = 1;
  std::optional<statistics::StudySize> would;
  /// If no study of these tasks detects the effect: the smallest effect that a study of the largest numbers
  /// of seeds and samples detects, and the number of tasks with which such a study detects the wanted effect;
  /// 0 if even `most_tasks` tasks are too few.
  double least = 1;
  std::size_t tasks = 0;
};

constexpr std::size_t most_tasks = 100'000;

/// Returns about the least number of tasks, more than it has, with which the planned study detects the
/// effect; it is at most 2% too large. 0 if `most_tasks` tasks may be too few.
std::size_t tasks_for(PlannedComparison planned, double effect) {
  const auto finds = [&](std::size_t tasks) {
    planned.size.tasks = tasks;
    return planned.detectable().value_or(1) <= effect;
  };
  std::size_t too_few = planned.size.tasks, enough = too_few;
  do {
    too_few = enough, enough *= 2;
    if (enough > most_tasks) return 0;
  } while (!finds(enough));
  while (enough - too_few > std::max<std::size_t>(1, enough / 50)) {
    const std::size_t middle = (too_few + enough) / 2;
    (finds(middle) ? enough : too_few) = middle;
  }
  return enough;
}

/// Returns null while the answer is put off.
const Found* found_by(const PlannedComparison& planned, double effect, SlowAnswers& slow) {
  return slow.to<Found>(
      power_question(std::string(rules::underpowered.id), planned, effect), [planned, effect] {
        Found out;
        out.detected = planned.detectable().value_or(1);
        if (out.detected <= effect) return out;
        out.would = planned.size_for(effect);
        if (out.would) return out;
        PlannedComparison largest = planned;
        largest.size.seeds = statistics::most_seeds, largest.size.samples = statistics::most_samples;
        out.least = largest.detectable().value_or(1);
        out.tasks = tasks_for(largest, effect);
        return out;
      });
}

/// Reports an exam on which not even a difference of 100 points would be detected.
void report_small_exam(const Resolved& hypothesis, const PlannedComparison& planned, const Value& split,
                       Inspection& inspection) {
  // With a smaller standard error (in shares), a difference of 100 points is always detected, so nothing is
  // calculated.
  constexpr double large_error = 0.15, usual_effect = 0.25;
  if (planned.size.tasks == 0 || planned.standard_error() < large_error) return;
  if (inspection.example_file == split.tasks.front()->range.file) return;
  if (planned.detectable().value_or(1) < 1) return;
  auto d = found(
      rules::underpowered, hypothesis.range,
      fmt::format("this design finds no difference for `{}`, not even one of 100 points", hypothesis.name));
  d.note(fmt::format("{} x {} x {}: a standard error of {:.3g} points", counted(planned.size.tasks, "task"),
                     counted(planned.size.seeds, "seed"), counted(planned.size.samples, "sample"),
                     planned.standard_error() * 100),
         split.range);
  const std::size_t tasks = tasks_for(planned, usual_effect);
  d.helped(tasks == 0
               ? "give the exam more tasks, and the experiment more seeds"
               : fmt::format("an exam of about {} tasks finds {:.0f} points, of so many seeds and samples",
                             tasks, 100 * usual_effect));
  inspection.report(std::move(d), {&hypothesis, inspection.evaluation()});
}

void check_underpowered(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const auto planned = planned_for(inspection, *hypothesis);
    const Value *effect = hypothesis->field("smallest_effect"), *metric = hypothesis->field("metric");
    if (!planned || effect == nullptr) continue;
    const Value& split = *exam->field("split");
    const Value& seeds = *inspection.experiment.field("seeds");
    const Value *alpha = hypothesis->field("alpha"), *expect = hypothesis->field("expect");
    const double alpha_of_all = alpha == nullptr ? statistics::Certainty().alpha : alpha->number();
    const std::size_t looks = looks_of(*hypothesis);
    const bool same = expect != nullptr && expect->string() == "same";
    if (!planned->decidable()) {
      report_undecidable(*hypothesis, seeds, inspection);
      continue;
    }
    if (effect->absent()) {
      if (!same && of_share(*metric)) report_small_exam(*hypothesis, *planned, split, inspection);
      continue;
    }
    if (!of_share(*metric)) {
      report_uncalculated(*hypothesis, *metric, inspection);
      continue;
    }
    const Found* answer = found_by(*planned, effect->number(), *inspection.options.slow);
    if (answer == nullptr) {
      // Counts as used an `allow` of this rule, since it may silence a finding.
      inspection.allowed(rules::underpowered.id, {hypothesis, exam});
      continue;
    }
    const auto& [detected, would, least, tasks] = *answer;
    if (detected <= effect->number()) continue;
    const auto& parts = statistics::pilot().components;
    const auto points = [&](double share) {
      // The texts have enough digits to differ.
      const bool near =
          fmt::format("{:.3g}", effect->number() * 100) == fmt::format("{:.3g}", detected * 100);
      return near ? fmt::format("{:.5g}", share * 100) : fmt::format("{:.3g}", share * 100);
    };
    auto d = found(rules::underpowered, effect->range,
                   fmt::format(fmt::runtime(same ? "`{}` is that less than {} points lie between, but this "
                                                   "design can't show less than {}"
                                                 : "`{}` is about {} points, but this design finds only "
                                                   "{} or more"),
                               hypothesis->name, points(effect->number()), points(detected)));
    d.note(
        fmt::format(
            "{} x {} x {} in {} that are compared: a standard error of {:.3g} points, and {:.0f}% power for "
            "{:.3g} points at alpha {:.3g}%{}",
            counted(planned->size.tasks, "task"), counted(planned->size.seeds, "seed"),
            counted(planned->size.samples, "sample"), counted(planned->question.rows, "row"),
            planned->standard_error() * 100, planned->certainty.power * 100, detected * 100,
            alpha_of_all * 100, adjustment(same, looks, inspection.hypotheses.size())),
        split.range);
    d.note(fmt::format(
        "by the variances of {}: {:.3g} points between runs, {:.3g} between tasks, {:.3g} between runs on "
        "a task, {:.3g} between samples (standard deviations of a row)",
        statistics::pilot().source, 100 * std::sqrt(parts.seed), 100 * std::sqrt(parts.task_row),
        100 * std::sqrt(parts.task_seed), 100 * std::sqrt(parts.sample)));
    // Rounded up, so that a study detects the printed effect.
    const auto percent = [](double share) { return std::ceil(100 * share - 1e-9); };
    const std::string as_it_is =
        percent(detected) < 100
            ? fmt::format("as it is, the design supports `smallest_effect = {:.0f}%`", percent(detected))
            : "no effect is found by the design as it is";
    if (would) {
      d.helped(fmt::format("{}; {:.3g} points take {} x {} a task", as_it_is, effect->number() * 100,
                           counted(would->seeds, "seed"), counted(would->samples, "sample")));
    } else {
      const std::string more =
          tasks == 0 ? fmt::format("nor do they on {} tasks, since runs vary", most_tasks)
                     : fmt::format("an exam of about {} tasks would, of so many seeds and samples", tasks);
      d.helped(fmt::format("{}; {} seeds x {} samples of these tasks find {:.0f}%, and {:.3g} points not: {}",
                           as_it_is, statistics::most_seeds, statistics::most_samples, percent(least),
                           effect->number() * 100, more));
    }
    inspection.report(std::move(d), {hypothesis, exam});
  }
}

}  // namespace

const Rule rules::underpowered{"underpowered",
                               Severity::warning,
                               true,
                               "A design that cannot find the smallest effect of interest, or has one seed "
                               "and nothing that stands for its error, cannot decide "
                               "the hypothesis.",
                               R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..5 }
hypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = 15% }
)",
                               R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2[1..20] }
experiment e : example.study { evaluate = x, vary = subsets(example.pace) }
hypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = 4% }
)",
                               check_underpowered};

}  // namespace trl::language
