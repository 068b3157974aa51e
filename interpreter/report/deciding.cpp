#include "interpreter/report/deciding.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "contract/machine.hpp"
#include "interpreter/report/evidence.hpp"
#include "interpreter/statistics/power.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr std::size_t most_seeds = 20, most_samples = 32;
constexpr double seconds_of_hour = 3600;

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
      answers += static_cast<double>(evidence.verdicts(trace.exam_verify).size());
    }
  return {runs > 0 ? training / runs : 0, answers > 0 ? exams / answers : 0};
}

std::optional<double> price_of_hour(const json& experiment) {
  const auto machine = experiment.value("machine", json());
  if (!machine.is_object()) return std::nullopt;
  const auto read = contract::Machine::read(machine);
  const auto price = read.spot ? read.spot : read.on_demand;
  return price ? std::optional(*price * seconds_of_hour) : std::nullopt;
}

}  // namespace

std::optional<Deciding> deciding(const HypothesisResult& result, const Inference& inference,
                                 const json& experiment) {
  if (mean_of(result.metric) != Mean::share || tasks_of(result.metric) != Tasks::crossed ||
      !result.difference)
    return std::nullopt;
  Deciding out;
  out.effect = result.smallest_effect.value_or(std::abs(result.difference->value));
  if (out.effect <= 0) return std::nullopt;
  const auto coefficients = result.comparison.coefficients();
  std::set<std::size_t> rows;
  std::vector<statistics::Term> terms;
  const auto& observations = inference.observations(result.metric);
  for (const auto& [row, coefficient] : coefficients)
    rows.insert(row), terms.push_back({&observations[row], coefficient});
  const statistics::Question question{.squared_coefficients = 1,
                                      .rows = rows.size(),
                                      .pooled_rows = std::max<std::size_t>(1, result.difference->pooled)};
  const auto components = statistics::components_of_contrast(terms);
  if (!components) return std::nullopt;
  out.runs_known = components->seeds_known;
  if (!out.runs_known) return out;
  // With one sample a task it is unknown how much more samples would help.
  const statistics::StudySize limit{observations.front().tasks(), most_seeds,
                                    components->samples_known ? most_samples : 1};
  const auto plan = statistics::cheapest_plan(
      *components, limit, question, prices_of(rows, inference.evidence()), out.effect, 0.8, result.alpha);
  if (!plan) return out;
  out.seeds = plan->size.seeds, out.samples = plan->size.samples, out.hours = plan->cost / seconds_of_hour;
  if (const auto price = price_of_hour(experiment)) out.usd = out.hours * *price;
  return out;
}

}  // namespace trl::interpreter
