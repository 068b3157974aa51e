#include "tests/statistics/simulated_study.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include "base/statistics/distributions.hpp"

namespace trl::statistics {

SimulatedStudy simulate(const StudyModel& model, RandomStream& stream) {
  const double task_sd = std::sqrt(model.variance * (1 - model.row_share - model.run_share)),
               row_sd = std::sqrt(model.variance * model.row_share),
               run_sd = std::sqrt(model.variance * model.run_share), spread = 1 + model.variance;
  std::vector<double> task_effects(model.tasks);
  for (double& effect : task_effects) effect = task_sd * stream.normal();
  // In units of the latent variable; drawn only where they are used, so that other studies stay as they are.
  const auto latent = [&](double share, double z) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return share * std::sqrt(spread) / density;
  };
  const double middle = normal_quantile(model.accuracy), shared_sd = latent(model.shared_noise, middle),
               first_sd = latent(model.first_run_noise, middle);
  std::vector<double> shared(model.seeds, 0.0);
  std::map<std::pair<std::size_t, std::size_t>, double> first;
  for (std::size_t s = 0; s < model.seeds; ++s) {
    if (shared_sd > 0) shared[s] = shared_sd * stream.normal();
    if (first_sd > 0)
      for (const auto run : model.first_runs)
        if (!first.contains({run, s})) first[{run, s}] = first_sd * stream.normal();
  }
  SimulatedStudy study;
  for (std::size_t r = 0; r < model.rows; ++r) {
    const double accuracy = model.accuracy + (r < model.shifts.size() ? model.shifts[r] : 0),
                 z = normal_quantile(accuracy),
                 seed_sd = latent(model.seed_noise * (r == 0 ? model.first_noise : 1), z),
                 centre =
                     z * std::sqrt(spread + seed_sd * seed_sd + shared_sd * shared_sd + first_sd * first_sd);
    auto& row = study.rows.emplace_back(model.tasks, model.seeds);
    auto& accuracies = study.accuracies.emplace_back();
    std::vector<double> row_effects(model.tasks);
    for (double& effect : row_effects) effect = row_sd * stream.normal();
    for (std::size_t s = 0; s < model.seeds; ++s) {
      const double own_run = centre + seed_sd * stream.normal(),
                   run = own_run + shared[s] + (first_sd > 0 ? first[{model.first_runs[r], s}] : 0);
      accuracies.push_back(normal_probability(run / std::sqrt(spread)));
      for (std::size_t t = 0; t < model.tasks; ++t) {
        const double own = run_sd > 0 ? run_sd * stream.normal() : 0;
        const double right = normal_probability(run + task_effects[t] + row_effects[t] + own);
        int successes = 0;
        for (std::size_t k = 0; k < model.samples; ++k) successes += stream.uniform() < right;
        row.add_successes(t, s, successes, static_cast<double>(model.samples));
      }
    }
  }
  return study;
}

void make_alike(Observations& row, const Observations& other, double share_of_its_own, RandomStream& stream) {
  Observations mixed(row.tasks(), row.seeds());
  for (std::size_t t = 0; t < row.tasks(); ++t)
    for (std::size_t s = 0; s < row.seeds(); ++s) {
      const auto& from = stream.uniform() < share_of_its_own ? row : other;
      mixed.add_successes(t, s, from.sum(t, s), from.count(t, s));
    }
  row = std::move(mixed);
}

std::vector<Observations> simulate(const SpeedModel& model, RandomStream& stream) {
  const double difficulty_sd = 1.5;  // Of the probit model, where a sample's own is 1.
  std::vector<double> difficulties(model.tasks), speeds(model.tasks);
  for (std::size_t t = 0; t < model.tasks; ++t) {
    difficulties[t] = stream.normal();
    speeds[t] = 0.5 - model.difficulty_slope * difficulties[t] + model.task_noise * stream.normal();
  }
  std::vector<Observations> rows;
  for (const double accuracy : {model.first_accuracy, model.second_accuracy}) {
    auto& row = rows.emplace_back(model.tasks, model.seeds);
    const double centre = normal_quantile(accuracy) * std::sqrt(1 + difficulty_sd * difficulty_sd);
    for (std::size_t s = 0; s < model.seeds; ++s) {
      const double run = model.run_noise * stream.normal();
      for (std::size_t t = 0; t < model.tasks; ++t) {
        const double right = normal_probability(centre - difficulty_sd * difficulties[t]);
        for (std::size_t k = 0; k < model.samples; ++k) {
          const double noise = model.sample_noise * stream.normal();
          if (stream.uniform() < right) row.add(t, s, speeds[t] + run + noise);
        }
      }
    }
  }
  return rows;
}

}  // namespace trl::statistics
