// Training in rounds: tasks are drawn and sampled, candidates verified, and the adapter is fine-tuned on
// their answers. Trainers differ in which answers they choose and how they weigh them.
#pragma once

#include "base/contract/objective.hpp"
#include "base/contract/optimisation.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/sampling.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainer.hpp"

namespace trl::interpreter::trainers {

/// A declaration's settings for its rounds.
struct RoundsDeclared {
  contract::TaskSet tasks;
  int rounds = 0, tasks_per_round = 0;
  std::int64_t candidates = 0;
  contract::Sampling sampling;
  contract::Episodes episodes;
  contract::Precision precision = contract::Precision::task;
  contract::Framework framework = contract::Framework::none;
  contract::SelectSpec select;  ///< which answers are trained on, and how much each counts
  contract::Passes passes;
  contract::OptimiserState optimiser_state = contract::OptimiserState::fresh;
  std::optional<contract::Objective> objective;               ///< none: the weighted likelihood
  contract::Reference reference = contract::Reference::base;  ///< of objectives that have one
};

/// The fields that every trainer in rounds has: of `select` the reward alone.
RoundsDeclared read_rounds(const nlohmann::json& declared);
/// The discount of rewards of later turns, where there are any.
void read_discount(const nlohmann::json& declared, RoundsDeclared& fields);

/// Adds the stages of all rounds.
void add_rounds(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared, RoundsDeclared said);

}  // namespace trl::interpreter::trainers
