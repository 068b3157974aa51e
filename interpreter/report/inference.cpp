#include "interpreter/report/inference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "base/statistics/power.hpp"
#include "base/statistics/speed.hpp"
#include "interpreter/report/hardware.hpp"
#include "interpreter/report/runs.hpp"

namespace trl::interpreter {
namespace {

using statistics::Estimate;
using statistics::EstimateOptions;
using statistics::Observations;

/// Numbers for tasks and seeds, sorted by their names so that sums don't depend on the order of the rows.
struct Numbers {
  std::map<std::string, std::size_t> tasks;
  std::map<std::uint64_t, std::size_t> seeds;

  void add(const std::vector<Part>& parts) {
    for (const auto& part : parts) tasks[part.task], seeds[part.seed];
  }
  void number() {
    std::size_t next = 0;
    for (auto& [task, at] : tasks) at = next++;
    next = 0;
    for (auto& [seed, at] : seeds) at = next++;
  }
};

/// Returns the samples by task and seed.
Observations crossed(const std::vector<Part>& parts, const Numbers& numbers) {
  Observations out(numbers.tasks.size(), numbers.seeds.size());
  for (const auto& part : parts)
    if (part.weight > 0)
      out.add(numbers.tasks.at(part.task), numbers.seeds.at(part.seed), part.sum / part.weight);
  return out;
}

/// Returns the samples of each seed. Rows are paired by seed here, so that a seed's index stands where
/// Observations has the index of a task. With Mean::by_seed each seed has one sample: the sum of its parts
/// divided by their weights.
Observations by_seed(const std::vector<Part>& parts, Mean mean, const Numbers& numbers) {
  Observations out(numbers.seeds.size(), 1);
  std::map<std::uint64_t, std::pair<double, double>> sums;
  for (const auto& part : parts) {
    if (mean != Mean::by_seed && part.weight > 0)
      out.add(numbers.seeds.at(part.seed), 0, part.sum / part.weight);
    sums[part.seed].first += part.sum, sums[part.seed].second += part.weight;
  }
  if (mean != Mean::by_seed) return out;
  for (const auto& [seed, sum] : sums)
    if (sum.second > 0) out.add(numbers.seeds.at(seed), 0, sum.first / sum.second);
  return out;
}

/// Whether seeds, not tasks, are the independent units.
bool seeds_alone(Mean mean, Tasks tasks, std::size_t seeds) {
  return mean == Mean::by_seed || (tasks == Tasks::drawn && seeds > 1);
}

Observations observations_of(const std::vector<Part>& parts, Mean mean, Tasks tasks, const Numbers& numbers) {
  return seeds_alone(mean, tasks, numbers.seeds.size()) ? by_seed(parts, mean, numbers)
                                                        : crossed(parts, numbers);
}

int count_of(const Observations& row) {
  double count = 0;
  for (std::size_t t = 0; t < row.tasks(); ++t)
    for (std::size_t s = 0; s < row.seeds(); ++s) count += row.count(t, s);
  return static_cast<int>(std::lround(count));
}

std::optional<Estimate> mean_estimate(const Observations& row, Mean mean) {
  return mean == Mean::share ? share_level(row) : mean_level(row);
}

/// Leaves out a seed's exam answers if they repeat an earlier seed's answers.
std::vector<Part> without_repeats(std::vector<Part> parts, const Column& column, const Row& row,
                                  const Store& store) {
  if (column.on != MeasuredOn::exam_answers || row.traces.size() < 2) return parts;
  const auto repeated = repeated_seeds(row, store);
  std::erase_if(parts, [&](const Part& part) { return repeated.contains(part.seed); });
  return parts;
}

}  // namespace

namespace {

/// Whether an imported row's results have the data that a column needs.
bool known(const Column& column, const Row& row, const Evidence& evidence) {
  if (!column.imported) return false;
  const auto summary = evidence.store().stage(row.traces.front().exam_verify).at("summary");
  switch (column.needs) {
    case ColumnNeeds::nothing:
      return true;
    case ColumnNeeds::kernelbench_verdicts:
      return summary.at("by_kernelbench").get<bool>();
    case ColumnNeeds::kernel_times:
      return summary.at("timed").get<bool>();
    case ColumnNeeds::compiled_times:
      return summary.at("compiled_timed").get<bool>();
    case ColumnNeeds::kept_verdicts:
      break;
  }
  return false;
}

}  // namespace

Difference difference_of(const Estimate& estimate) {
  Difference out;
  out.value = estimate.value, out.interval = estimate.interval, out.estimate = estimate;
  out.plan({});
  return out;
}

Difference difference_of(const statistics::SpeedRatio& found) {
  Difference out;
  out.value = found.ratio, out.interval = found.interval, out.estimate = found.log_ratio;
  out.common_tasks = found.common_tasks;
  out.plan({});
  return out;
}

Tasks tasks_of(const Column& column) {
  return column.on == MeasuredOn::training_answers ? Tasks::drawn : Tasks::crossed;
}

Figure level_of(const std::vector<Part>& parts, Mean mean, Tasks tasks) {
  Numbers numbers;
  numbers.add(parts), numbers.number();
  const auto row = observations_of(parts, mean, tasks, numbers);
  Figure figure;
  figure.n = count_of(row);
  auto estimate = mean_estimate(row, mean);
  if (!estimate) return figure;
  if (seeds_alone(mean, tasks, numbers.seeds.size())) {
    estimate->scope = numbers.seeds.size() > 1 ? Scope::recipe : Scope::these_runs;
    if (mean != Mean::by_seed && !estimate->testable()) {
      // If all seeds have equal values, they don't show how much other seeds would differ. Tasks still show
      // the variation for these runs.
      estimate = mean_estimate(crossed(parts, numbers), mean);
      estimate->scope = Scope::these_runs;
    }
  }
  figure.value = estimate->value, figure.interval = estimate->interval, figure.scope = estimate->scope;
  // Seconds and tokens can't be negative. An interval that is cut at 0 contains the true mean as often as
  // before. Other numbers of a seed, such as a margin of training, may be negative.
  const bool negative =
      std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.sum < 0; });
  if (mean == Mean::by_seed && figure.interval && !negative)
    figure.interval->low = std::max(0.0, figure.interval->low);
  if (mean != Mean::geometric) return figure;
  figure.value = std::exp(*figure.value);
  if (figure.interval)
    figure.interval = Interval{std::exp(figure.interval->low), std::exp(figure.interval->high)};
  return figure;
}

void Difference::plan(const statistics::Certainty& certainty) {
  detectable = statistics::smallest_detectable(estimate, certainty);
  if (detectable && common_tasks) detectable = std::exp(*detectable);
}

bool Difference::clear() const {
  const double none = common_tasks ? 1 : 0;
  return interval && (interval->low > none || interval->high < none);
}

Inference::Inference(const Evidence& evidence) : evidence_(evidence) {
  const auto& plan = evidence.plan();
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    seeds_ = std::max(seeds_, plan.rows[i].traces.size());
    if (plan.rows[i].kind == Row::Kind::cell && !plan.rows[i].traces.empty()) cells_.push_back(i);
  }

  TwoLevels design;
  for (const auto& factor : plan.factors) {
    if (std::find(plan.inert.begin(), plan.inert.end(), factor.name) != plan.inert.end()) continue;
    if (factor.levels.size() != 2) return;
    design.factors.push_back(factor.name);
  }
  for (const auto cell : cells_) {
    auto& levels = design.levels.emplace_back();
    for (const auto& factor : plan.factors)
      if (std::find(design.factors.begin(), design.factors.end(), factor.name) != design.factors.end())
        levels.push_back(plan.rows[cell].levels.at(factor.name) == factor.levels.back());
  }
  if (design.factors.empty()) return;
  try {
    design.effects = statistics::effects_of_design(design.levels);
    two_levels_ = std::move(design);
  } catch (const std::invalid_argument&) {
    // Some cells are the same on this machine, or the cells aren't a complete design: its contrasts have no
    // common error.
  }
}

std::vector<Observations> Inference::observations(const Column& column,
                                                  const std::vector<std::size_t>& rows) const {
  std::vector<std::vector<Part>> parts;
  Numbers numbers;
  for (const auto row : rows) {
    const auto& its = evidence_.plan().rows[row];
    // While power is planned, some rows may lack their results.
    if (column.on == MeasuredOn::exam_answers && !examined(its, evidence_.store()))
      parts.emplace_back();
    else
      parts.push_back(this->parts(column, its));
    numbers.add(parts.back());
  }
  numbers.number();
  std::vector<Observations> out;
  for (const auto& of_row : parts)
    out.push_back(observations_of(of_row, column.mean, tasks_of(column), numbers));
  return out;
}

const std::vector<Observations>& Inference::observations(const Column& column) const {
  const auto found = observations_.find(column.id);
  if (found != observations_.end()) return found->second;
  std::vector<std::size_t> all(evidence_.plan().rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return observations_[column.id] = observations(column, all);
}

std::vector<Observations> Inference::of_cells(const Column& column) const {
  std::vector<Observations> cells;
  for (const auto cell : cells_) cells.push_back(observations(column)[cell]);
  return cells;
}

std::vector<Part> Inference::parts(const Column& column, const Row& row) const {
  return without_repeats(parts_of(column, row, evidence_), column, row, evidence_.store());
}

Figure Inference::figure(const Column& column, const Row& row) const {
  // The baseline needed no training.
  if (row.kind == Row::Kind::base && !column.of_answers()) return {};
  if (row.kind == Row::Kind::imported && !known(column, row, evidence_)) return {};
  return level_of(parts(column, row), column.mean, tasks_of(column));
}

const std::vector<statistics::Effect>& Inference::factorial(const Column& column) const {
  const auto found = factorial_.find(column.id);
  if (found != factorial_.end()) return found->second;
  return factorial_[column.id] =
             statistics::factorial_effects(two_levels_->levels, of_cells(column), {}, chains_of(cells_));
}

const statistics::SharedRuns& Inference::chains() const {
  if (!chains_) {
    std::vector<std::size_t> all(evidence_.plan().rows.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    chains_ = runs_of_rows(evidence_.plan(), all, evidence_.store());
  }
  return *chains_;
}

statistics::SharedRuns Inference::chains_of(const std::vector<std::size_t>& rows) const {
  statistics::SharedRuns out;
  for (const auto row : rows) out.push_back(chains()[row]);
  return out;
}

std::vector<std::size_t> Inference::pool(const std::map<std::size_t, double>& coefficients) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < evidence_.plan().rows.size(); ++row) {
    const auto kind = evidence_.plan().rows[row].kind;
    // The baseline isn't trained, so it says nothing about the variance between runs.
    if (coefficients.contains(row) || kind == Row::Kind::cell || kind == Row::Kind::control)
      rows.push_back(row);
  }
  return rows;
}

std::vector<double> Inference::coefficients_in(const std::vector<std::size_t>& rows,
                                               const std::map<std::size_t, double>& coefficients) {
  std::vector<double> out;
  for (const auto row : rows) {
    const auto found = coefficients.find(row);
    out.push_back(found == coefficients.end() ? 0 : found->second);
  }
  return out;
}

bool Inference::same_runs(std::size_t first, std::size_t second) const {
  const auto &one = chains()[first], &other = chains()[second];
  return !one.empty() && !other.empty() && one.back() == other.back();
}

std::optional<std::size_t> Inference::effect_with(const std::map<std::size_t, double>& coefficients) const {
  if (!two_levels_) return std::nullopt;
  for (std::size_t i = 0; i < two_levels_->effects.size(); ++i) {
    std::size_t matched = 0;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const auto found = coefficients.find(cells_[cell]);
      matched += found != coefficients.end() &&
                 std::abs(two_levels_->effects[i].coefficients[cell] - found->second) < 1e-9;
    }
    if (matched == cells_.size() && matched == coefficients.size()) return i;
  }
  return std::nullopt;
}

statistics::Question Inference::question(const Comparison& comparison, std::size_t seeds) const {
  const auto coefficients = comparison.coefficients();
  const auto rows = pool(coefficients);
  const auto chains = chains_of(rows);
  const auto by_row = coefficients_in(rows, coefficients);
  statistics::Question out{.squared_coefficients = 0, .rows = coefficients.size()};
  for (const double one :
       statistics::coefficients_of_runs(by_row, statistics::distinct_runs(chains, rows.size())))
    out.squared_coefficients += one * one;
  out.runs_freedom = statistics::freedom_for_each_seed(by_row, chains);
  if (seeds == 1)
    if (const auto effect = effect_with(coefficients))
      out.pooled_contrasts =
          statistics::contrasts_for_error(two_levels_->effects, *effect, chains_of(cells_)).size();
  return out;
}

const std::optional<std::string>& Inference::refusal(const Comparison& comparison) const {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& pair : comparison.pairs) pairs.emplace_back(pair.first, pair.second);
  const auto found = refusals_.find(pairs);
  if (found != refusals_.end()) return found->second;
  return refusals_[pairs] = mixed_hardware(evidence_.plan(), evidence_.store(), pairs);
}

std::optional<Difference> Inference::difference(const Comparison& comparison, const Column& column) const {
  if (refusal(comparison)) return std::nullopt;
  const auto& all = observations(column);
  EstimateOptions options;
  options.shared_seeds = seeds_ > 1;
  if (column.mean == Mean::geometric) {
    std::vector<statistics::SpeedPair> pairs;
    for (const auto& pair : comparison.pairs)
      pairs.push_back({&all[pair.first], &all[pair.second], static_cast<double>(pair.cells)});
    statistics::RunsOfRows runs;
    for (std::size_t row = 0; row < all.size() && seeds_ > 1; ++row) runs[&all[row]] = chains()[row];
    const auto ratio = statistics::speed_ratio(pairs, comparison.same, options, runs);
    return ratio ? std::optional(difference_of(*ratio)) : std::nullopt;
  }
  const auto coefficients = comparison.coefficients();
  return of_coefficients(coefficients, column);
}

std::optional<Difference> Inference::of_coefficients(const std::map<std::size_t, double>& coefficients,
                                                     const Column& column) const {
  const auto& all = observations(column);
  const bool seeds_are_units = seeds_alone(column.mean, tasks_of(column), seeds_);
  if (!seeds_are_units && seeds_ > 1) {
    const auto rows = pool(coefficients);
    std::vector<Observations> pooled;
    for (const auto row : rows) pooled.push_back(all[row]);
    const auto estimate =
        statistics::contrast_by_runs(pooled, coefficients_in(rows, coefficients), chains_of(rows));
    return estimate ? std::optional(difference_of(*estimate)) : std::nullopt;
  }
  if (!seeds_are_units)
    if (const auto effect = effect_with(coefficients)) {
      const auto& estimate = factorial(column)[*effect].estimate;
      return estimate ? std::optional(difference_of(*estimate)) : std::nullopt;
    }
  std::vector<statistics::Term> terms;
  for (const auto& [row, coefficient] : coefficients) terms.push_back({&all[row], coefficient});
  auto estimate = statistics::contrast(terms);
  if (!estimate) return std::nullopt;
  if (seeds_are_units) estimate->scope = seeds_ > 1 ? Scope::recipe : Scope::these_runs;
  return difference_of(*estimate);
}

std::string Inference::effect_name(const statistics::Factors& factors) const {
  std::string name;
  for (const auto factor : factors) name += (name.empty() ? "" : " x ") + two_levels_->factors[factor];
  return name;
}

bool Inference::has_effects(const Column& column) const {
  if (!two_levels_ || column.mean != Mean::share || seeds_alone(Mean::share, tasks_of(column), seeds_))
    return false;
  if (!cells_mixed_) cells_mixed_ = mixed_hardware(evidence_.plan(), evidence_.store(), cells_).has_value();
  return !*cells_mixed_;
}

std::vector<Interaction> Inference::interactions(const Column& column) const {
  std::vector<Interaction> out;
  if (!has_effects(column)) return out;
  for (const auto& effect : factorial(column)) {
    if (effect.factors.size() != 2) continue;
    auto& interaction = out.emplace_back();
    interaction.name = effect_name(effect.factors);
    for (const auto& alias : effect.aliases)
      interaction.also += (interaction.also.empty() ? "" : ", ") + effect_name(alias);
    for (const auto& other : two_levels_->effects)
      if (other.factors.size() == 1 && compares_the_same(effect, other))
        interaction.also += (interaction.also.empty() ? "" : ", ") + effect_name(other.factors);
    std::map<std::size_t, double> coefficients;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      coefficients[cells_[cell]] = effect.coefficients[cell];
    interaction.difference = of_coefficients(coefficients, column);
  }
  return out;
}

bool Inference::compares_the_same(const statistics::Effect& one, const statistics::Effect& other) const {
  const auto run_of_cell = statistics::distinct_runs(chains_of(cells_), cells_.size());
  std::vector<std::vector<double>> basis;
  return statistics::extend_basis(basis, statistics::coefficients_of_runs(one.coefficients, run_of_cell)) &&
         !statistics::extend_basis(basis, statistics::coefficients_of_runs(other.coefficients, run_of_cell));
}

Inference::Cells Inference::cells_of_design() const {
  return two_levels_ ? Cells{two_levels_->factors, two_levels_->levels, cells_} : Cells{};
}

std::vector<std::pair<std::string, double>> Inference::all_effects(const Column& column) const {
  std::vector<std::pair<std::string, double>> out;
  if (!has_effects(column)) return out;
  for (const auto& effect : factorial(column))
    if (effect.estimate) out.emplace_back(effect_name(effect.factors), effect.estimate->value);
  return out;
}

std::vector<std::string> Inference::sentences() const {
  std::vector<std::string> out;
  if (seeds_ > 1) {
    out.push_back(fmt::format(
        "brackets: 95 % intervals for the recipe, by t; tasks and the {} training seeds are both random "
        "(crossed random effects, docs/statistics.md); with † of these training runs only",
        seeds_));
    std::string text =
        "differences: rows are paired by task, and by seed where they go on from one training run. What "
        "runs vary by is pooled over all cells and controls, in proportion to how much the rows that are "
        "compared "
        "differ in single tasks and seeds; rows that gave the same answers under every seed are one run";
    out.push_back(text);
  } else {
    out.push_back(
        "brackets with †: 95 % intervals of this training run only, by t over tasks; another training seed "
        "may "
        "give other figures, by an amount that one seed can't tell, so that no hypothesis is supported by "
        "them");
    const auto& effects =
        two_levels_ ? factorial(column_of(ColumnName::correct)) : std::vector<statistics::Effect>();
    if (std::any_of(effects.begin(), effects.end(), [](const auto& effect) { return effect.pooled > 0; }))
      out.push_back(
          "brackets without †: 95 % intervals for the recipe. What runs vary by is taken from the "
          "interactions "
          "of more factors, which supposes that these are 0; what a run that all cells share would vary by "
          "isn't covered");
  }
  out.push_back(
      "samples of a task aren't independent and count within it; where a row's tasks are all alike, such as "
      "all wrong, the interval is Wilson's for one sample a task");
  return out;
}

}  // namespace trl::interpreter
