// What the intervals and tests of statistics cover, on simulated studies whose truth is known.
//
//   statistics_benchmark [REPETITIONS] [PART…]
// PART is one of: levels rates compared contrasts effects speed power shared same kinds. Every part is
// printed without one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "base/statistics/decision.hpp"
#include "base/statistics/distributions.hpp"
#include "base/statistics/estimate.hpp"
#include "base/statistics/factorial.hpp"
#include "base/statistics/power.hpp"
#include "base/statistics/runs.hpp"
#include "base/statistics/speed.hpp"
#include "base/support/random.hpp"
#include "tests/benchmarks/statistics/bootstrap.hpp"
#include "tests/statistics/simulated_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace trl;
using namespace trl::statistics;

namespace {

constexpr double noises[] = {0, 0.02, 0.05, 0.09};

/// The stream of one line of a table: another order of lines gives the same figures.
RandomStream stream_of(const std::string& part, const StudyModel& model) {
  return RandomStream(fmt::format("statistics_benchmark/{}/{}/{}/{}/{}/{}/{}/{}/{}", part, model.tasks,
                                  model.seeds, model.samples, model.rows, model.accuracy, model.seed_noise,
                                  model.row_share, model.run_share));
}

bool covers(const std::optional<Interval>& interval, double truth) {
  return interval && interval->low <= truth && truth <= interval->high;
}

/// The row as the bootstrap takes it.
Measurement measurement_of(const Observations& row) {
  Measurement out;
  for (std::size_t t = 0; t < row.tasks(); ++t)
    for (std::size_t s = 0; s < row.seeds(); ++s)
      out.clusters.push_back({s, std::to_string(t), row.sum(t, s), row.count(t, s)});
  return out;
}

/// How often intervals cover, and their half width in points.
struct Covered {
  Tally tally;
  double width = 0;
  void add(const std::optional<Interval>& interval, double truth) {
    tally.count(covers(interval, truth));
    if (interval) width += interval->high - interval->low;
  }
  std::string text() const {
    return fmt::format("{:.1f} ({:.0f})", tally.percent(), 100 * width / tally.trials / 2);
  }
};

void heading(const std::string& first) {
  fmt::print("| {} |", first);
  for (const double noise : noises) fmt::print(" noise {:.0f} |", 100 * noise);
  fmt::print("\n|---|---|---|---|---|\n");
}

/// A line for each model, a column for each noise: what `cell` says.
void line(const std::string& name, StudyModel model,
          const std::function<std::string(const StudyModel&)>& cell) {
  fmt::print("| {} |", name);
  for (const double noise : noises) {
    model.seed_noise = noise;
    fmt::print(" {} |", cell(model));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The truth that a row's interval is about: with one seed its run's accuracy.
double truth_of(const SimulatedStudy& study, const StudyModel& model, const Estimate& estimate) {
  return estimate.scope == Scope::recipe ? model.accuracy : mean(study.accuracies.front());
}

/// What a table's cells span, by numbers of seeds.
class Summary {
 public:
  void add(std::size_t seeds, const Tally& tally) { by_seeds_[seeds].push_back(tally.percent()); }
  void print() const {
    for (const auto& [seeds, percents] : by_seeds_) {
      int inside = 0;
      for (const double percent : percents) inside += percent >= 93 && percent <= 97;
      fmt::print("\n{} seed{}: {:.1f} to {:.1f} %, {} of {} cells within 93 to 97.", seeds,
                 seeds == 1 ? "" : "s", *std::min_element(percents.begin(), percents.end()),
                 *std::max_element(percents.begin(), percents.end()), inside, percents.size());
    }
    fmt::print("\n");
  }

 private:
  std::map<std::size_t, std::vector<double>> by_seeds_;
};

void levels(int repetitions, double run_share) {
  fmt::print("\n## Levels, run's share of a task's variance {:.0f} %\n", 100 * run_share);
  heading("tasks × seeds × samples");
  Summary summary;
  for (const std::size_t tasks : {16, 40, 60, 100})
    for (const std::size_t seeds : {1, 2, 3, 5})
      for (const std::size_t samples : {1, 4, 10}) {
        StudyModel model{.tasks = tasks, .seeds = seeds, .samples = samples, .run_share = run_share};
        line(fmt::format("{} × {} × {}", tasks, seeds, samples), model, [&](const StudyModel& m) {
          auto stream = stream_of("levels", m);
          Covered covered;
          for (int i = 0; i < repetitions; ++i) {
            const auto study = simulate(m, stream);
            const auto estimate = share_level(study.rows.front());
            covered.add(estimate->interval, truth_of(study, m, *estimate));
          }
          summary.add(m.seeds, covered.tally);
          return covered.text();
        });
      }
  summary.print();
}

void low_rates(int repetitions) {
  fmt::print("\n## Levels of other accuracies, 60 tasks, 4 samples\n");
  heading("accuracy, seeds");
  for (const double accuracy : {0.01, 0.02, 0.05, 0.1, 0.2, 0.8, 0.95, 0.99})
    for (const std::size_t seeds : {1, 2, 3}) {
      StudyModel model{.seeds = seeds, .samples = 4, .accuracy = accuracy};
      line(fmt::format("{} %, {}", 100 * accuracy, seeds), model, [&](StudyModel m) {
        m.seed_noise *= accuracy * (1 - accuracy) / 0.24;
        auto stream = stream_of("low rates", m);
        Covered covered;
        for (int i = 0; i < repetitions; ++i) {
          const auto study = simulate(m, stream);
          const auto estimate = share_level(study.rows.front());
          covered.add(estimate->interval, truth_of(study, m, *estimate));
        }
        return covered.text();
      });
    }
}

/// The chance that one of k of a cell's n samples is right, as one number a cell: 1 − C(n − c, k) / C(n, k).
Observations pass_at(const Observations& row, int k) {
  Observations out(row.tasks(), row.seeds());
  for (std::size_t t = 0; t < row.tasks(); ++t)
    for (std::size_t s = 0; s < row.seeds(); ++s) {
      double none = 1;
      for (int i = 0; i < k; ++i)
        none *= std::max(0.0, row.count(t, s) - row.sum(t, s) - i) / (row.count(t, s) - i);
      out.add(t, s, 1 - none);
    }
  return out;
}

void pass_rates(int repetitions) {
  fmt::print(
      "\n## pass@4 of 8 samples, 60 tasks, by the expected pass@4 (the mean of five times as many "
      "studies)\n");
  heading("accuracy of a sample, seeds");
  for (const double accuracy : {0.8, 0.95, 0.99, 0.999})
    for (const std::size_t seeds : {2, 3, 5}) {
      const StudyModel model{.seeds = seeds, .samples = 8, .accuracy = accuracy};
      line(fmt::format("{} %, {}", 100 * accuracy, seeds), model, [&](StudyModel m) {
        m.seed_noise *= accuracy * (1 - accuracy) / 0.24;
        auto stream = stream_of("pass rates", m), other = stream_of("pass rates, truth", m);
        double truth = 0;
        for (int i = 0; i < 5 * repetitions; ++i)
          truth += mean_level(pass_at(simulate(m, other).rows.front(), 4))->value / (5.0 * repetitions);
        Covered covered;
        for (int i = 0; i < repetitions; ++i)
          covered.add(share_level(pass_at(simulate(m, stream).rows.front(), 4))->interval, truth);
        return fmt::format("{} of {:.2f} %", covered.text(), 100 * truth);
      });
    }
}

std::vector<std::vector<bool>> complete_design(std::size_t factors) {
  std::vector<std::vector<bool>> levels;
  for (std::size_t row = 0; row < std::size_t{1} << factors; ++row) {
    levels.emplace_back();
    for (std::size_t f = 0; f < factors; ++f) levels.back().push_back(row >> f & 1);
  }
  return levels;
}

void compared(int repetitions) {
  fmt::print("\n## Levels of a row of eight, 60 tasks, 10 samples: other intervals\n");
  heading("seeds, interval");
  struct Method {
    std::string name;
    std::function<std::optional<Interval>(const SimulatedStudy&)> interval;
    int share;  // Of the repetitions: the bootstrap takes long.
  };
  const Method methods[] = {
      {"bootstrap by task and seed",
       [](const SimulatedStudy& study) -> std::optional<Interval> {
         const auto found = bootstrap(measurement_of(study.rows.front()));
         return found ? std::optional(Interval{found->low, found->high}) : std::nullopt;
       },
       10},
      {"two-way, Satterthwaite",
       [](const SimulatedStudy& study) -> std::optional<Interval> {
         const auto scores = *scores_of(study.rows.front(), Weighting::by_sample);
         const double one = 1;
         const auto variance = combined_by_satterthwaite(spread_of({&scores, 1}, {&one, 1}, false));
         const double half = t_quantile(0.975, variance.degrees_of_freedom) * std::sqrt(variance.value);
         return Interval{scores.mean - half, scores.mean + half};
       },
       1},
      {"`share_level`", [](const SimulatedStudy& study) { return share_level(study.rows.front())->interval; },
       1},
      {"`share_level`, seeds pooled",
       [](const SimulatedStudy& study) {
         return share_level(study.rows.front(), {.seeds = pooled_seeds(study.rows)})->interval;
       },
       1},
      {"`share_level`, seeds from interactions",
       [](const SimulatedStudy& study) {
         return share_level(study.rows.front(), {.seeds = seeds_of_design(complete_design(3), study.rows)})
             ->interval;
       },
       1}};
  for (const double first_noise : {1.0, 2.0})
    for (const std::size_t seeds : {1, 2, 3, 5})
      for (const auto& method : methods) {
        const bool by_design = &method == &methods[4];
        if (by_design != (seeds == 1) && method.share == 1) continue;
        // Of rows that vary differently between runs, what matters is what the pooled variance covers.
        if (first_noise != 1 && &method != &methods[3] && !by_design) continue;
        StudyModel model{.seeds = seeds, .samples = 10, .rows = 8, .first_noise = first_noise};
        line(fmt::format("{}, {}{}", seeds, method.name,
                         first_noise != 1 ? ", the row's noise twice the others'" : ""),
             model, [&](const StudyModel& m) {
               auto stream = stream_of("compared", m);
               Covered covered;
               for (int i = 0; i < repetitions / method.share; ++i) {
                 const auto study = simulate(m, stream);
                 covered.add(method.interval(study), m.accuracy);
               }
               return covered.text();
             });
      }
}

void contrasts(int repetitions) {
  fmt::print(
      "\n## Differences of two rows of eight, 60 tasks; row's and run's shares of a task's variance 10 % "
      "each\n");
  heading("seeds × samples, interval");
  for (const std::size_t seeds : {1, 2, 3, 5})
    for (const std::size_t samples : {1, 4, 10})
      for (const bool pooled : {false, true}) {
        if (seeds == 1 && pooled) continue;
        StudyModel model{.seeds = seeds, .samples = samples, .rows = 8, .row_share = 0.1, .run_share = 0.1};
        line(fmt::format("{} × {}, {}", seeds, samples,
                         seeds == 1 ? "of these runs"
                         : pooled   ? "seeds pooled"
                                    : "own seeds"),
             model, [&](const StudyModel& m) {
               auto stream = stream_of("contrasts", m);
               Covered covered;
               for (int i = 0; i < repetitions; ++i) {
                 const auto study = simulate(m, stream);
                 const Term terms[] = {{&study.rows[0], 1}, {&study.rows[1], -1}};
                 EstimateOptions options;
                 if (pooled) options.seeds = pooled_seeds(study.rows);
                 const auto estimate = contrast(terms, options);
                 covered.add(estimate->interval, estimate->scope == Scope::recipe
                                                     ? 0
                                                     : mean(study.accuracies[0]) - mean(study.accuracies[1]));
               }
               return covered.text();
             });
      }
}

/// How often a null study of a complete design finds something: `of` looks at the effects of one study.
void null_studies(int repetitions, std::size_t factors, double row_share, const std::string& name,
                  const std::function<void(const std::vector<Effect>&, Tally&)>& of) {
  const auto levels = complete_design(factors);
  for (const std::size_t seeds : {1, 2, 3})
    for (const std::size_t samples : {1, 4, 10}) {
      StudyModel model{.seeds = seeds, .samples = samples, .rows = levels.size(), .row_share = row_share};
      line(fmt::format("2^{}, {} × {}, {}", factors, seeds, samples, name), model, [&](const StudyModel& m) {
        auto stream = stream_of("effects", m);
        Tally tally;
        for (int i = 0; i < repetitions; ++i) {
          const auto study = simulate(m, stream);
          of(factorial_effects(levels, study.rows), tally);
        }
        return fmt::format("{:.1f}", tally.percent());
      });
    }
}

void effects(int repetitions) {
  fmt::print("\n## Null studies, 60 tasks: how many of 100 effects (or families) are clear of 0\n");
  heading("design, seeds × samples");
  const auto each_main = [](const std::vector<Effect>& effects, Tally& tally) {
    for (const auto& effect : effects)
      if (effect.factors.size() == 1) tally.count(!covers(effect.estimate->interval, 0));
  };
  const auto family = [](const std::vector<Effect>& effects, Tally& tally) {
    std::vector<double> p;
    for (const auto& effect : effects)
      if (effect.estimate->scope == Scope::recipe) p.push_back(p_value(*effect.estimate));
    bool any = false;
    for (const double adjusted : holm(p)) any |= adjusted <= 0.05;
    tally.count(any);
  };
  null_studies(repetitions, 3, 0, "a main effect", each_main);
  null_studies(repetitions, 3, 0.1, "a main effect, row's share 10 %", each_main);
  null_studies(repetitions, 3, 0.1, "family by Holm", family);
  null_studies(repetitions / 2, 4, 0.1, "an interaction of two",
               [](const std::vector<Effect>& effects, Tally& tally) {
                 for (const auto& effect : effects)
                   if (effect.factors.size() == 2) tally.count(!covers(effect.estimate->interval, 0));
               });
  // The report's contrast, on the first main effect.
  for (const std::size_t seeds : {1, 2, 3})
    for (const std::size_t samples : {1, 4}) {
      StudyModel model{.seeds = seeds, .samples = samples, .rows = 8, .row_share = 0.1};
      line(fmt::format("2^3, {} × {}, bootstrap of a main effect", seeds, samples), model,
           [&](const StudyModel& m) {
             auto stream = stream_of("effects", m);
             Tally tally;
             for (int i = 0; i < std::max(1, repetitions / 50); ++i) {
               const auto study = simulate(m, stream);
               std::vector<std::pair<Measurement, Measurement>> pairs;
               for (std::size_t row = 0; row < 8; row += 2)
                 pairs.emplace_back(measurement_of(study.rows[row + 1]), measurement_of(study.rows[row]));
               const auto interval = paired_contrast(pairs)->interval;
               tally.count(!(interval->low <= 0 && 0 <= interval->high));
             }
             return fmt::format("{:.0f}", tally.percent());
           });
    }
}

void speed(int repetitions) {
  fmt::print(
      "\n## Speed-ups that are equal, one row solves 60 % and the other 35 %: how many of 100 ratios are "
      "clear of 1\n");
  fmt::print(
      "| tasks × seeds × samples, runs' standard deviation | on common tasks | of all solved, t by task | "
      "bootstrap of all solved |\n|---|---|---|---|\n");
  for (const std::size_t tasks : {40, 60, 100})
    for (const std::size_t seeds : {1, 2, 3})
      for (const std::size_t samples : {1, 4, 10})
        for (const double run_noise : {0.0, 0.1}) {
          if (seeds == 1 && run_noise > 0) continue;
          SpeedModel model{.tasks = tasks, .seeds = seeds, .samples = samples, .run_noise = run_noise};
          RandomStream stream(
              fmt::format("statistics_benchmark/speed/{}/{}/{}/{}", tasks, seeds, samples, run_noise));
          Tally common, all, bootstrapped;
          for (int i = 0; i < repetitions; ++i) {
            const auto rows = simulate(model, stream);
            const auto ratio = speed_ratio(rows[0], rows[1]);
            common.count(ratio && !covers(ratio->interval, 1));
            const Term terms[] = {{&rows[0], 1}, {&rows[1], -1}};
            all.count(!covers(contrast(terms)->interval, 0));
            if (i >= repetitions / 50) continue;
            std::pair<Measurement, Measurement> pair{measurement_of(rows[0]), measurement_of(rows[1])};
            pair.first.geometric = pair.second.geometric = true;
            const auto interval = paired_contrast({pair})->interval;
            bootstrapped.count(!(interval->low <= 0 && 0 <= interval->high));
          }
          fmt::print("| {} × {} × {}, {} | {:.1f} | {:.1f} | {:.0f} |\n", tasks, seeds, samples, run_noise,
                     common.percent(), all.percent(), bootstrapped.percent());
          std::fflush(stdout);
        }
}

void powers(int repetitions) {
  fmt::print(
      "\n## Power for the difference of two rows of eight, 60 tasks, 4 samples: predicted from a finished "
      "study of 8 rows and 3 seeds (mean over studies), and found\n");
  fmt::print(
      "| noise, seeds, difference in points | predicted | found | predicted, seeds pooled | found "
      "|\n|---|---|---|---|---|\n");
  for (const double noise : {0.02, 0.05})
    for (const std::size_t seeds : {2, 3, 5})
      for (const double difference : {0.1, 0.2}) {
        StudyModel pilot{
            .seeds = 3, .samples = 4, .rows = 8, .seed_noise = noise, .row_share = 0.1, .run_share = 0.1};
        StudyModel model = pilot;
        model.seeds = seeds, model.shifts = {difference / 2, -difference / 2};
        auto pilots = stream_of("pilots", pilot);
        double own = 0, pooled = 0;
        const int studies = std::max(1, repetitions / 20);
        for (int i = 0; i < studies; ++i) {
          const auto components = *components_of(simulate(pilot, pilots).rows);
          own += power(components, {60, seeds, 4}, {}, difference) / studies;
          pooled += power(components, {60, seeds, 4}, {.runs_freedom = 8}, difference) / studies;
        }
        auto stream = stream_of(fmt::format("power/{}", difference), model);
        Tally own_found, pooled_found;
        for (int i = 0; i < repetitions; ++i) {
          const auto study = simulate(model, stream);
          const Term terms[] = {{&study.rows[0], 1}, {&study.rows[1], -1}};
          own_found.count(!covers(contrast(terms)->interval, 0));
          pooled_found.count(!covers(contrast(terms, {.seeds = pooled_seeds(study.rows)})->interval, 0));
        }
        fmt::print("| {:.0f}, {}, {:.0f} | {:.0f} % | {:.0f} % | {:.0f} % | {:.0f} % |\n", 100 * noise, seeds,
                   100 * difference, 100 * own, own_found.percent(), 100 * pooled, pooled_found.percent());
        std::fflush(stdout);
      }
}

/// A null 2³ in which rows that differ in the third factor alone share their first run.
void shared(int repetitions) {
  fmt::print(
      "\n## Null studies of a 2^3, 60 tasks, whose rows share first runs with 5 points of noise: how many of "
      "100 "
      "effects are clear of 0\n");
  heading("seeds × samples, effect, and noise of each row's own run");
  const auto levels = complete_design(3);
  SharedRuns runs, blind_runs;
  for (std::size_t row = 0; row < levels.size(); ++row)
    runs.push_back({0, 1 + (row & 3), 10 + row}), blind_runs.push_back({0, 10 + row});
  struct Judged {
    const char* name;
    std::size_t factor;
    bool knowing;
  };
  for (const std::size_t seeds : {1, 2, 3, 5})
    for (const std::size_t samples : {1, 4})
      for (const auto& judged : {Judged{"of a factor that acts in first runs", 0, true},
                                 Judged{"the same, not knowing what is shared", 0, false},
                                 Judged{"of the factor that acts after them", 2, true}}) {
        // With one seed nothing stands for the error of the first runs: there is no claim.
        if (seeds == 1 && judged.factor == 0 && judged.knowing) continue;
        StudyModel model{.seeds = seeds,
                         .samples = samples,
                         .rows = levels.size(),
                         .shared_noise = 0.05,
                         .first_run_noise = 0.05,
                         .first_runs = {0, 1, 2, 3, 0, 1, 2, 3}};
        line(fmt::format("{} × {}, {}", seeds, samples, judged.name), model, [&](const StudyModel& m) {
          auto stream = stream_of("shared", m);
          Tally tally;
          for (int i = 0; i < repetitions / 2; ++i) {
            const auto rows = simulate(m, stream).rows;
            const auto effects = factorial_effects(levels, rows, {}, judged.knowing ? runs : blind_runs);
            tally.count(!covers(effects[judged.factor].estimate->interval, 0));
          }
          return fmt::format("{:.1f}", tally.percent());
        });
      }
}

/// The rows of a study's first seeds.
std::vector<Observations> first_seeds(const std::vector<Observations>& rows, std::size_t seeds) {
  std::vector<Observations> out;
  for (const auto& row : rows) {
    auto& kept = out.emplace_back(row.tasks(), seeds);
    for (std::size_t t = 0; t < row.tasks(); ++t)
      for (std::size_t s = 0; s < seeds; ++s) kept.add_successes(t, s, row.sum(t, s), row.count(t, s));
  }
  return out;
}

/// The errors of one kind of contrast: false claims, and the half width of its interval in points.
struct Errors {
  Tally claims;
  double width = 0;
  void add(const Estimate& estimate) {
    claims.count(p_value(estimate) <= 0.05);
    if (estimate.interval) width += estimate.interval->high - estimate.interval->low;
  }
  std::string text() const {
    const auto percent = fmt::format("{:.1f}", claims.percent());
    return width > 0 ? percent + fmt::format(" ({:.0f})", 100 * width / claims.trials / 2) : percent;
  }
};

/// A null study of 2 x 2 cells and a control that all go on from one run, judged by every kind of contrast.
std::map<std::string, Errors> errors_of_kinds(const StudyModel& model, int repetitions) {
  const auto root = [](std::size_t rows) {
    SharedRuns runs;
    for (std::size_t row = 0; row < rows; ++row) runs.push_back({0, row + 1});
    return runs;
  };
  std::map<std::string, Errors> errors;
  auto stream = stream_of("kinds", model);
  for (int i = 0; i < repetitions; ++i) {
    const auto study = simulate(model, stream);
    const auto& rows = study.rows;
    const auto add = [&](const std::string& kind, const std::vector<double>& coefficients) {
      errors[kind].add(*contrast_by_runs(rows, coefficients, root(5)));
    };
    add("a cell against the control", {1, 0, 0, 0, -1});
    add("a cell against a cell", {1, -1, 0, 0, 0});
    add("the mean of the cells against the control", {0.25, 0.25, 0.25, 0.25, -1});
    add("a main effect of the 2 x 2", {-0.5, 0.5, -0.5, 0.5, 0});
    add("the interaction of the 2 x 2", {0.5, -0.5, -0.5, 0.5, 0});
    errors["a cell against a cell, rows that share no run"].add(
        *contrast_by_runs(rows, std::vector<double>{1, -1, 0, 0, 0}, {}));
    // The fifth row's answers stand in the place of the third's: two twins.
    auto twins = rows;
    twins[2] = rows[4];
    SharedRuns same = root(5);
    same[2] = same[4];
    errors["a cell against the control, whose twin is a cell"].add(
        *contrast_by_runs(twins, std::vector<double>{1, 0, 0, 0, -1}, same));
    // A factor of the 2 x 2 hardly acts: two pairs of near twins.
    auto pairs = rows;
    make_alike(pairs[1], pairs[0], 0.1, stream), make_alike(pairs[3], pairs[2], 0.1, stream);
    const auto add_pairs = [&](const std::string& kind, const std::vector<double>& coefficients) {
      errors[kind + ", of near twins"].add(*contrast_by_runs(pairs, coefficients, root(5)));
    };
    add_pairs("the main effect that acts", {-0.5, -0.5, 0.5, 0.5, 0});
    add_pairs("the main effect that hardly acts", {-0.5, 0.5, -0.5, 0.5, 0});
    add_pairs("a cell against the control", {1, 0, 0, 0, -1});
    add_pairs("a cell against a cell of the other pair", {1, 0, -1, 0, 0});
    const std::vector<Observations> two = {rows[0], rows[4]};
    errors["two rows alone"].add(*contrast_by_runs(two, std::vector<double>{1, -1}, root(2)));
    std::vector<double> p;
    for (std::size_t cell = 0; cell < 4; ++cell) {
      std::vector<double> coefficients(5, 0.0);
      coefficients[cell] = 1, coefficients[4] = -1;
      p.push_back(p_value(*contrast_by_runs(rows, coefficients, root(5))));
    }
    bool any = false;
    for (const double adjusted : holm(p)) any |= adjusted <= 0.05;
    errors["family of four cells against the control, by Holm"].claims.count(any);
    const Term terms[] = {{&rows[0], 1}, {&rows[4], -1}};
    errors["before: a cell against the control by its own seeds"].add(
        *contrast(terms, {.shared_seeds = true}));
    if (model.seeds < 3) continue;
    bool at_alpha = false, at_look = false;
    for (std::size_t seeds = 2; seeds <= model.seeds; ++seeds) {
      const double found =
          p_value(*contrast_by_runs(first_seeds(rows, seeds), std::vector<double>{1, 0, 0, 0, -1}, root(5)));
      at_alpha |= found <= 0.05, at_look |= found <= alpha_of_look(0.05, model.seeds - 1);
    }
    errors["a cell against the control, looked at after each seed from the second, without `looks`"]
        .claims.count(at_alpha);
    errors["the same with `looks`"].claims.count(at_look);
  }
  return errors;
}

void kinds(int repetitions) {
  fmt::print(
      "\n## Null studies of 2 x 2 cells and a control, 4 samples; row's and run's shares of a task's "
      "variance "
      "10 % each, 3 points of noise in what all rows of a seed share: false claims of 100 at alpha 5 %, in "
      "brackets the interval's half width in points\n");
  heading("tasks × seeds, contrast");
  for (const double first_noise : {1.0, 2.0})
    for (const std::size_t tasks : {20, 60})
      for (const std::size_t seeds : {2, 3, 5}) {
        if (first_noise != 1 && (tasks != 60 || seeds == 5)) continue;
        std::map<std::string, std::vector<std::string>> lines;
        for (const double noise : noises) {
          const StudyModel model{.tasks = tasks,
                                 .seeds = seeds,
                                 .samples = 4,
                                 .rows = 5,
                                 .seed_noise = noise,
                                 .row_share = 0.1,
                                 .run_share = 0.1,
                                 .first_noise = first_noise,
                                 .shared_noise = 0.03};
          for (const auto& [kind, errors] : errors_of_kinds(model, repetitions))
            lines[kind].push_back(errors.text());
        }
        for (const auto& [kind, cells] : lines)
          fmt::print("| {} × {}, {}{} | {} |\n", tasks, seeds, kind,
                     first_noise == 1 ? "" : ", the first cell's noise twice the others'",
                     fmt::join(cells, " | "));
        std::fflush(stdout);
      }
}

/// The margin that a plan for `same` names, and how often a study of two equal rows shows it.
void equivalences(int repetitions) {
  fmt::print(
      "\n## Equivalence of two equal rows, 60 tasks, 4 samples: the margin in points that is planned for 80 "
      "% "
      "power, by components of 400 tasks x 300 seeds, and how many of 100 studies show it by two one-sided "
      "tests\n");
  heading("seeds");
  for (const std::size_t seeds : {2, 3, 5, 8}) {
    StudyModel model{.seeds = seeds, .samples = 4, .rows = 2, .row_share = 0.1, .run_share = 0.1};
    line(fmt::format("{}", seeds), model, [&](const StudyModel& m) {
      auto pilot = m;
      pilot.tasks = 400, pilot.seeds = 300;
      auto pilots = stream_of("same, pilot", pilot), stream = stream_of("same", m);
      const auto components = *components_of(simulate(pilot, pilots).rows);
      const double margin = *smallest_detectable(components, {m.tasks, m.seeds, m.samples}, {},
                                                 certainty_of(Expectation::same, 1));
      Tally tally;
      for (int i = 0; i < repetitions; ++i) {
        const auto rows = simulate(m, stream).rows;
        const Term terms[] = {{&rows[0], 1}, {&rows[1], -1}};
        const Hypothesis hypothesis{.difference = *contrast(terms),
                                    .expectation = Expectation::same,
                                    .smallest_effect = margin,
                                    .alpha = 0.05,
                                    .inert = false};
        tally.count(decide({&hypothesis, 1}).front().verdict == Verdict::supported);
      }
      return fmt::format("{:.0f}: {:.0f} %", 100 * margin, tally.percent());
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 4000;
  if (repetitions < 1) {
    fmt::print(stderr, "usage: statistics_benchmark [REPETITIONS] [PART…]\n");
    return 2;
  }
  const std::set<std::string> chosen(argv + std::min(argc, 2), argv + argc);
  const std::map<std::string, std::function<void()>> parts = {
      {"1 levels", [&] { levels(repetitions, 0), levels(repetitions, 0.2); }},
      {"2 rates", [&] { low_rates(repetitions), pass_rates(repetitions); }},
      {"3 compared", [&] { compared(repetitions); }},
      {"4 contrasts", [&] { contrasts(repetitions); }},
      {"5 effects", [&] { effects(repetitions); }},
      {"6 speed", [&] { speed(repetitions); }},
      {"7 power", [&] { powers(repetitions); }},
      {"8 shared", [&] { shared(repetitions); }},
      {"9 same", [&] { equivalences(repetitions); }},
      {"A kinds", [&] { kinds(repetitions); }}};
  for (const auto& [name, run] : parts)
    if (chosen.empty() || chosen.contains(name.substr(2))) run();
  return 0;
}
