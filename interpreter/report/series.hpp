// All numbers that a study's stages measured, as a list for export to other tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/measures.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/report/evidence.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// One number that a stage's result has.
struct StageNumber {
  std::string measure;  ///< "loss", "mean_reward", "correct"
  /// The training step in the stage; nothing for a number of the whole stage.
  std::optional<std::int64_t> step;
  double value = 0;
};

/// The numbers of one finished stage: the metrics of each training step, the numbers in its summary, and of a
/// stage `verify` the shares and the speed-up of its verdicts. Throws DamagedResult.
std::vector<StageNumber> numbers_of(const Stage& stage, const Evidence& evidence);

/// The place of a stage's slot in the course of training, without the round, and its round.
struct TrainingPlace {
  std::string name;                   ///< "reinforce/finetune" of "reinforce/round 2/finetune"
  std::optional<std::int64_t> round;  ///< 2; nothing if training has no rounds
};
TrainingPlace training_place(const std::string& slot);

/// The number of training steps to which these numbers belong.
std::int64_t steps_in(const std::vector<StageNumber>& numbers);

/// One number that a stage measured.
struct Measured {
  std::string row;
  std::uint64_t seed = 0;
  std::string stage;                  ///< "reinforce/round 2/finetune"
  std::optional<std::int64_t> round;  ///< the stage's round; nothing if training has no rounds
  /// The training step in the stage; nothing for a number of the whole stage.
  std::optional<std::int64_t> step;
  std::string measure;  ///< "loss", "mean_reward", "correct"
  double value = 0;
  std::string series;  ///< the name of the curve, which is the same in every round: "reinforce/finetune/loss"
  /// The position on the curve: the number of steps over all rounds, or the round, or 0.
  std::int64_t total = 0;
  double time = 0;  ///< when the stage's result was made, in seconds since 1970
  /// The measure's description; null if base/contract/measures.cpp has no row for it.
  const contract::Measure* known = nullptr;
};

/// The number of a plan's stages that have a result, and the number of all its stages.
struct Coverage {
  std::size_t done = 0, all = 0;
};
Coverage coverage_of(const Plan& plan, const Store& store);

/// The numbers of every finished stage of a plan, ordered by row, seed and stage: the metrics of each
/// training step, the numbers in stages' summaries, and the shares and speed-ups of verdicts. Throws
/// DamagedResult.
std::vector<Measured> measured(const Plan& plan, const Store& store);

}  // namespace trl::interpreter
