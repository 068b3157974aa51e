// What the ways to train of the schema come to in stages: one file each in interpreter/plan/trainers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/chain.hpp"

namespace trl::interpreter {

/// A variant of `train`.
struct Trainer {
  const char* variant;  ///< as stdlib/schema.trl has it
  /// Adds the phase's stages, and leaves its model and adapter in the chain.
  void (*add)(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared);
  /// Whether it chooses or weighs by what verification found.
  bool (*uses_rewards)(const nlohmann::json& declared);
  bool has_rounds = false;    ///< of sampling and verifying, which extensions act on
  bool from_nothing = false;  ///< makes its own model: the one that the experiment names isn't there before
};

/// Every trainer that is carried out.
const std::vector<const Trainer*>& all_trainers();

/// The one that a declaration derives from. Throws UserError where this version carries out none of that
/// name.
const Trainer& trainer_of(const nlohmann::json& declared);

}  // namespace trl::interpreter
