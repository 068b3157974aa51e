#include "interpreter/report/planning.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/contract/machine.hpp"
#include "base/statistics/pilot.hpp"
#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;
using statistics::Components;

using statistics::most_samples, statistics::most_seeds, statistics::usual_prices;

constexpr double seconds_of_hour = 3600;

std::set<std::size_t> rows_of(const Comparison& comparison) {
  std::set<std::size_t> rows;
  for (const auto& [row, coefficient] : comparison.coefficients()) rows.insert(row);
  return rows;
}

/// The mean seconds of a row's training under one seed, and of one exam answer.
statistics::Prices prices_of(const std::set<std::size_t>& rows, const Evidence& evidence) {
  double training = 0, runs = 0, exams = 0, answers = 0;
  for (const auto row : rows)
    for (const auto& trace : evidence.plan().rows[row].traces) {
      ++runs;
      for (const auto& key : trace.training) training += seconds_of(evidence.store().stage(key));
      if (trace.exam_verify.empty()) continue;
      exams += seconds_of(evidence.store().stage(trace.exam_sample)) +
               seconds_of(evidence.store().stage(trace.exam_verify));
      for (const auto& turn : trace.exam_later)
        exams +=
            seconds_of(evidence.store().stage(turn.sample)) + seconds_of(evidence.store().stage(turn.verify));
      answers += static_cast<double>(evidence.exam(trace).size());
    }
  return {runs > 0 ? training / runs : 0, answers > 0 ? exams / answers : 0};
}

bool finished(const std::set<std::size_t>& rows, const Evidence& evidence) {
  for (const auto row : rows)
    for (const auto& trace : evidence.plan().rows[row].traces)
      for (const auto& [slot, key] : trace.slots)
        if (!evidence.store().has(key)) return false;
  return true;
}

std::optional<double> price_of_hour(const json& experiment) {
  const auto machine = experiment.value("machine", json());
  if (!machine.is_object()) return std::nullopt;
  const auto read = contract::Machine::read(machine);
  const auto price = read.spot ? read.spot : read.on_demand;
  return price ? std::optional(*price * seconds_of_hour) : std::nullopt;
}

/// The variances of a contrast whose rows are finished, and, if known, the degrees of freedom of the variance
/// between its runs for each seed after the first.
struct MeasuredVariances {
  Components components;
  std::optional<double> runs_freedom;
};

/// Returns the components that follow from the report's parts of the variance, so that a plan of the same
/// size has the same standard error as the report.
std::optional<MeasuredVariances> measured(const Comparison& comparison, const Column& metric,
                                          const Inference& inference, const statistics::StudySize& size) {
  const auto rows = rows_of(comparison);
  const auto observed = inference.observations(metric, {rows.begin(), rows.end()});
  std::vector<statistics::Term> terms;
  for (const auto& [row, coefficient] : comparison.coefficients())
    terms.push_back({&observed[terms.size()], coefficient});
  const auto own = statistics::components_of_contrast(terms);
  if (!own) return std::nullopt;
  const auto difference = own->seeds_known ? inference.difference(comparison, metric) : std::nullopt;
  if (!difference || difference->estimate.spread.seeds_freedom <= 0) return MeasuredVariances{*own, {}};
  const auto& spread = difference->estimate.spread;
  const double samples = own->sample / static_cast<double>(size.samples), cell = own->task_seed + samples;
  MeasuredVariances out{
      statistics::components_of(
          spread, {static_cast<std::size_t>(std::lround(spread.tasks_freedom)) + 1, size.seeds, size.samples},
          cell > 0 ? samples / cell : 0),
      {}};
  if (size.seeds > 1) out.runs_freedom = spread.seeds_freedom / static_cast<double>(size.seeds - 1);
  return out;
}

Components scaled(Components components, double factor) {
  components.task_row *= factor, components.seed *= factor, components.task_seed *= factor;
  components.sample *= factor;
  return components;
}

/// Returns the mean of the components of finished contrasts, each divided by its squared coefficients.
std::optional<Components> mean_of(const std::vector<std::pair<Components, double>>& found) {
  if (found.empty()) return std::nullopt;
  Components sum;
  sum.seeds_known = sum.samples_known = true;
  const double n = static_cast<double>(found.size());
  for (const auto& [components, squares] : found) {
    const auto one = scaled(components, 1 / (squares * n));
    sum.task_row += one.task_row, sum.seed += one.seed, sum.task_seed += one.task_seed;
    sum.sample += one.sample;
    sum.seeds_known &= components.seeds_known, sum.samples_known &= components.samples_known;
  }
  return sum;
}

/// Returns the largest number of samples for each task that a plan may have: one if the variance of samples
/// isn't known, since it is then unknown how much more of them would help.
std::size_t samples_to_try(const Components& components) {
  return components.samples_known ? most_samples : 1;
}

}  // namespace

statistics::StudySize size_of(const json& experiment) {
  const auto& exam = experiment.at("evaluate");
  return {exam.at("split").at("tasks").size(), experiment.at("seeds").size(),
          exam.at("samples").get<std::size_t>()};
}

statistics::StudySize planned_size(const json& experiment, const PowerRequest& request) {
  auto size = size_of(experiment);
  if (request.size.tasks) size.tasks = request.size.tasks;
  if (request.size.seeds) size.seeds = request.size.seeds;
  if (request.size.samples) size.samples = request.size.samples;
  return size;
}

std::optional<Deciding> deciding(const HypothesisResult& result, const Inference& inference,
                                 const json& experiment) {
  if (result.metric.mean != Mean::share || tasks_of(result.metric) != Tasks::crossed || !result.difference)
    return std::nullopt;
  Deciding out;
  out.effect = result.smallest_effect.value_or(std::abs(result.difference->value));
  if (out.effect <= 0) return std::nullopt;
  const auto found = measured(result.comparison, result.metric, inference, size_of(experiment));
  if (!found) return std::nullopt;
  const auto* components = &found->components;
  out.runs_known = components->seeds_known;
  if (!out.runs_known) return out;
  auto question = inference.question(result.comparison, 2);
  question.squared_coefficients = 1;
  question.runs_freedom = found->runs_freedom.value_or(question.runs_freedom);
  const auto prices = prices_of(rows_of(result.comparison), inference.evidence());
  const auto plan = statistics::cheapest_plan(
      *components, {size_of(experiment).tasks, most_seeds, samples_to_try(*components)}, question, prices,
      out.effect, result.certainty());
  if (!plan) return out;
  // If the study already was large enough to detect the effect in most cases, no larger study is proposed.
  const auto now = size_of(experiment);
  if (plan->size.seeds <= now.seeds && plan->size.samples <= now.samples) return std::nullopt;
  out.seeds = plan->size.seeds, out.samples = plan->size.samples, out.hours = plan->cost / seconds_of_hour;
  if (const auto price = price_of_hour(experiment)) out.usd = out.hours * *price;
  return out;
}

std::vector<PlannedEffect> planned_effects(const std::vector<std::pair<std::string, json>>& hypotheses,
                                           const Inference& inference, const json& experiment,
                                           const PowerRequest& request) {
  const auto& evidence = inference.evidence();
  const auto metric = parse_column(request.metric);
  const auto size = planned_size(experiment, request);
  // The report adjusts over the hypotheses that it can judge, without hypotheses whose rows are the same.
  std::size_t family = 0;
  for (const auto& [name, hypothesis] : hypotheses)
    family += !comparison_of(hypothesis, evidence.plan()).pairs.empty();
  std::vector<PlannedEffect> effects;
  std::vector<statistics::Certainty> wanted;
  const auto add = [&](Comparison comparison) -> std::size_t {
    for (std::size_t i = 0; i < effects.size(); ++i)
      if (effects[i].comparison.name == comparison.name) return i;
    auto& effect = effects.emplace_back();
    effect.comparison = std::move(comparison);
    effect.wanted = request.effect.value_or(usual_effect);
    wanted.push_back({request.power, request.alpha});
    return effects.size() - 1;
  };
  for (const auto& [name, hypothesis] : hypotheses) {
    if (parse_column(hypothesis.at("metric")).mean != Mean::share) continue;
    const auto at = add(comparison_of(hypothesis, evidence.plan()));
    effects[at].hypotheses.push_back(name);
    wanted[at] = statistics::certainty_of(
        expectation_of(hypothesis), family,
        {request.power,
         statistics::alpha_of_look(hypothesis.value("alpha", request.alpha), looks_of(hypothesis))});
    if (const auto smallest = hypothesis.value("smallest_effect", json());
        smallest.is_number() && !request.effect)
      effects[at].wanted = smallest.get<double>(), effects[at].declared = true;
  }
  for (auto& comparison : all_comparisons(evidence.plan())) add(std::move(comparison));

  std::vector<std::pair<Components, double>> found;
  std::vector<std::optional<MeasuredVariances>> own;
  for (const auto& effect : effects) {
    own.emplace_back();
    if (effect.comparison.pairs.empty() || !finished(rows_of(effect.comparison), evidence)) continue;
    own.back() = measured(effect.comparison, metric, inference, size_of(experiment));
    const double squares = inference.question(effect.comparison, 2).squared_coefficients;
    if (own.back() && squares > 0) found.emplace_back(own.back()->components, squares);
  }
  const auto others = mean_of(found);
  std::set<std::size_t> all;
  for (std::size_t row = 0; row < evidence.plan().rows.size(); ++row) all.insert(row);
  const bool all_finished = finished(all, evidence);

  for (std::size_t i = 0; i < effects.size(); ++i) {
    auto& effect = effects[i];
    if (effect.comparison.pairs.empty()) continue;
    effect.question = inference.question(effect.comparison, size.seeds);
    const double squares = effect.question.squared_coefficients;
    effect.question.squared_coefficients = 1;
    // A single seed shows nothing about the variance between runs, so the pilot study's variances are used.
    const auto known = own[i]   ? std::optional(own[i]->components)
                       : others ? std::optional(scaled(*others, squares))
                                : std::nullopt;
    const auto pilot = scaled(statistics::pilot().components, squares);
    effect.variances_of = !known || !known->seeds_known ? VariancesOf::pilot
                          : own[i]                      ? VariancesOf::its_rows
                                                        : VariancesOf::others;
    effect.components = effect.variances_of == VariancesOf::pilot ? pilot : *known;
    const auto runs_freedom =
        own[i] && effect.variances_of == VariancesOf::its_rows ? own[i]->runs_freedom : std::nullopt;
    effect.question.runs_freedom = runs_freedom.value_or(effect.question.runs_freedom);
    if (own[i] && all_finished)
      if (const auto difference = inference.difference(effect.comparison, metric);
          difference && difference->estimate.testable())
        effect.measured_error = difference->estimate.standard_error;
    if (size.seeds > 1 || effect.question.pooled_contrasts >= statistics::fewest_pooled) {
      effect.standard_error = std::sqrt(planned_variance(effect.components, size, effect.question).value);
      effect.detectable = smallest_detectable(effect.components, size, effect.question, wanted[i]);
    }
    auto question = inference.question(effect.comparison, 2);
    question.squared_coefficients = 1;
    question.runs_freedom = effect.question.runs_freedom;
    const auto prices = own[i] ? prices_of(rows_of(effect.comparison), evidence) : usual_prices;
    effect.would = statistics::cheapest_plan(effect.components,
                                             {size.tasks, most_seeds, samples_to_try(effect.components)},
                                             question, prices, effect.wanted, wanted[i]);
    if (effect.would && own[i]) effect.hours = effect.would->cost / seconds_of_hour;
  }
  return effects;
}

}  // namespace trl::interpreter
