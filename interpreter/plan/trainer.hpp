// What the ways to train of the schema come to in stages: one file each in interpreter/plan/trainers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/plan/chain.hpp"

namespace trl::interpreter {

namespace trainers {
struct RoundsDeclared;
}

/// Adds a phase's stages, and leaves its model and adapter in the chain.
using AddStages = void (*)(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared);
/// Says what the rounds of a phase are (rounds.hpp), which answers they keep and how they weigh them.
using ReadRounds = trainers::RoundsDeclared (*)(const nlohmann::json& declared);

/// A variant of `train`.
struct Trainer {
  const char* variant;  ///< as stdlib/schema.trl has it
  std::variant<AddStages, ReadRounds> stages;
  bool from_nothing;  ///< makes its own model: the one that the experiment names isn't there before

  void add(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared) const;
  /// Whether it has rounds of sampling and verifying, on which extensions act.
  bool has_rounds() const { return std::holds_alternative<ReadRounds>(stages); }
  /// Whether it chooses or weighs by what verification found.
  bool uses_rewards(const nlohmann::json& declared) const;
};

/// Every trainer that is carried out.
const std::vector<const Trainer*>& all_trainers();

/// The one that a declaration derives from. Throws UserError where this version carries out none of that
/// name.
const Trainer& trainer_of(const nlohmann::json& declared);

}  // namespace trl::interpreter
