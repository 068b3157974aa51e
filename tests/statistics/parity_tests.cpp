// The same inputs as SciPy and statsmodels had, and the same outputs: parity.txt, which
// tests/benchmarks/statistics/parity.py writes.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/statistics/decision.hpp"
#include "base/statistics/distributions.hpp"
#include "base/statistics/estimate.hpp"
#include "base/statistics/factorial.hpp"
#include "base/statistics/power.hpp"
#include "base/statistics/wilson.hpp"

using namespace trl::statistics;

namespace {

using Numbers = std::vector<double>;

/// One value a task, under one seed.
Observations one_sample_a_task(const Numbers& values, std::size_t from, std::size_t to) {
  Observations row(to - from, 1);
  for (std::size_t i = from; i < to; ++i) row.add(i - from, 0, values[i]);
  return row;
}

Numbers with_interval(const Estimate& estimate, Numbers before) {
  before.push_back(estimate.interval->low), before.push_back(estimate.interval->high);
  return before;
}

Numbers components(const Numbers& in) {
  const auto tasks = static_cast<std::size_t>(in[0]), seeds = static_cast<std::size_t>(in[1]),
             repeats = static_cast<std::size_t>(in[2]);
  Observations row(tasks, seeds);
  for (std::size_t i = 3; i < in.size(); ++i)
    row.add((i - 3) / (seeds * repeats), (i - 3) / repeats % seeds, in[i]);
  const auto found = *components_of({&row, 1});
  return {found.task, found.seed, found.task_seed, found.sample};
}

const std::map<std::string, std::function<Numbers(const Numbers&)>> functions = {
    {"normal_quantile", [](const Numbers& in) { return Numbers{normal_quantile(in[0])}; }},
    {"t_quantile", [](const Numbers& in) { return Numbers{t_quantile(in[0], in[1])}; }},
    {"t_probability", [](const Numbers& in) { return Numbers{t_probability(in[0], in[1])}; }},
    {"noncentral_t_probability",
     [](const Numbers& in) { return Numbers{noncentral_t_probability(in[0], in[1], in[2])}; }},
    {"chi_squared_quantile", [](const Numbers& in) { return Numbers{chi_squared_quantile(in[0], in[1])}; }},
    {"wilson",
     [](const Numbers& in) {
       const auto interval = wilson(in[0], in[1], in[2]);
       return Numbers{interval.low, interval.high};
     }},
    {"holm", [](const Numbers& in) { return holm(in); }},
    {"t_interval",
     [](const Numbers& in) {
       const auto level = *mean_level(one_sample_a_task(in, 0, in.size()));
       return with_interval(level, {level.value, level.standard_error});
     }},
    {"tost",
     [](const Numbers& in) {
       const auto level = *mean_level(one_sample_a_task(in, 1, in.size()));
       return Numbers{equivalence_p_value(level, -in[0], in[0])};
     }},
    {"paired",
     [](const Numbers& in) {
       const auto first = one_sample_a_task(in, 0, in.size() / 2),
                  second = one_sample_a_task(in, in.size() / 2, in.size());
       const Term terms[] = {{&first, 1}, {&second, -1}};
       const auto difference = *contrast(terms);
       return with_interval(difference, {difference.value, p_value(difference)});
     }},
    {"clustered_by_task",
     [](const Numbers& in) {
       Observations row(static_cast<std::size_t>(in[0]), 1);
       for (std::size_t i = 1; i < in.size(); i += 2) row.add(static_cast<std::size_t>(in[i]), 0, in[i + 1]);
       const auto level = *mean_level(row);
       return Numbers{level.value, level.standard_error};
     }},
    {"variance_by_task_and_seed",
     [](const Numbers& in) {
       const auto seeds = static_cast<std::size_t>(in[1]);
       Observations row(static_cast<std::size_t>(in[0]), seeds);
       for (std::size_t i = 2; i < in.size(); ++i) row.add((i - 2) / seeds, (i - 2) % seeds, in[i]);
       const auto scores = *scores_of(row, Weighting::by_sample);
       const double one = 1;
       const auto spread = spread_of({&scores, 1}, {&one, 1}, false);
       return Numbers{spread.tasks, spread.seeds};
     }},
    {"components_by_anova", components},
    {"components_by_reml", components},
    {"main_effects",
     [](const Numbers& in) {
       // Two tasks that are alike: nothing varies but the runs.
       std::vector<Observations> rows;
       std::vector<std::vector<bool>> levels;
       for (std::size_t row = 0; row < in.size(); ++row) {
         rows.push_back(one_sample_a_task({in[row], in[row]}, 0, 2));
         levels.push_back({(row & 1) != 0, (row & 2) != 0, (row & 4) != 0});
       }
       Numbers out;
       for (const auto& effect : factorial_effects(levels, rows))
         if (effect.factors.size() == 1)
           for (const double x : with_interval(
                    *effect.estimate,
                    {effect.estimate->value, effect.estimate->standard_error, p_value(*effect.estimate)}))
             out.push_back(x);
       return out;
     }},
    {"power",
     [](const Numbers& in) {
       Components only_tasks;
       only_tasks.task = 1;
       return Numbers{power(only_tasks, {static_cast<std::size_t>(in[1]), 1, 1},
                            {.squared_coefficients = 1, .rows = 1, .level = true}, in[0], {.alpha = in[2]})};
     }},
};

}  // namespace

TEST(Parity, WithSciPyAndStatsmodels) {
  std::ifstream file(PARITY);
  ASSERT_TRUE(file) << PARITY;
  std::map<std::string, int> compared;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    Numbers in, out;
    for (auto* to = &in; words >> word;)
      if (word == "=")
        to = &out;
      else
        to->push_back(std::stod(word));
    ASSERT_TRUE(functions.contains(name)) << name;
    const auto found = functions.at(name)(in);
    ASSERT_EQ(found.size(), out.size()) << line;
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_NEAR(found[i], out[i], 1e-6 * std::max(1.0, std::abs(out[i]))) << line.substr(0, 200);
    ++compared[name];
  }
  for (const auto& [name, function] : functions)
    EXPECT_GT(compared[name], 0) << name << " isn't in the table";
}
