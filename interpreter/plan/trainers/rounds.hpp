// Training in rounds: each round samples tasks, samples and verifies answers to them, and fine-tunes the
// adapter on the answers. Trainers differ in the answers that they select and in the answers' weights.
#pragma once

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/objective.hpp"
#include "base/contract/optimisation.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/sampling.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainer.hpp"

namespace trl::interpreter::trainers {

/// The settings of a `train` declaration for its rounds.
struct RoundsDeclared {
  contract::TaskSet tasks;
  int rounds = 0, tasks_per_round = 0;
  std::int64_t candidates = 0;
  contract::Sampling sampling;
  std::optional<contract::DeclaredEndpoint>
      rollout;  ///< the server that samples; none: answers are sampled here
  contract::Episodes episodes;
  contract::Precision precision = contract::Precision::task;
  contract::Framework framework = contract::Framework::none;
  contract::SelectSpec select;  ///< the selection of answers to train on, and their weights
  contract::Passes passes;
  contract::OptimiserState optimiser_state = contract::OptimiserState::fresh;
  /// The training objective; nothing means the weighted likelihood.
  std::optional<contract::Objective> objective;
  /// The reference model, for objectives that have one.
  contract::Reference reference = contract::Reference::base;
};

/// Reads the fields that all trainers with rounds have. Only the reward and the number of turns are set in
/// `select`.
RoundsDeclared read_rounds(const nlohmann::json& declared);
/// Reads the discount of rewards of later turns, if episodes have several turns.
void read_discount(const nlohmann::json& declared, RoundsDeclared& fields);

/// Adds the stages of all rounds.
void add_rounds(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared, RoundsDeclared said);

}  // namespace trl::interpreter::trainers
