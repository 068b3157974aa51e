// The measured numbers of a study's stages, one by one, for other tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// One number that a stage measured.
struct Measured {
  std::string row;
  std::uint64_t seed = 0;
  std::string stage;                  ///< "reinforce/round 2/finetune"
  std::optional<std::int64_t> round;  ///< the stage's round; none without rounds
  std::optional<std::int64_t> step;   ///< of the stage; none for numbers of the stage as a whole
  std::string measure;                ///< "loss", "mean_reward", "correct"
  double value = 0;
  std::string series;      ///< "reinforce/finetune/loss": the same in every round
  std::int64_t total = 0;  ///< the place in the series: steps over all rounds, or the round, or 0
  double time = 0;         ///< when the stage's result was made, in seconds since 1970
};

/// How many of a plan's stages have a result.
struct Coverage {
  std::size_t done = 0, all = 0;
};
Coverage coverage_of(const Plan& plan, const Store& store);

/// The numbers of every finished stage of a plan, by row, seed and stage: training's numbers at each step,
/// the numbers of stages' summaries, and the shares and speedups of verdicts. Throws DamagedResult.
std::vector<Measured> measured(const Plan& plan, const Store& store);

}  // namespace trl::interpreter
