// Turns each way to train of the schema into stages. Each trainer is one file in interpreter/plan/trainers.
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

/// Adds the stages of a training phase to a chain, and stores the keys of the trained model and adapter in
/// the chain.
using AddStages = void (*)(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared);
/// Reads the rounds of a training phase (rounds.hpp): their settings, the answers that they keep, and the
/// answers' weights.
using ReadRounds = trainers::RoundsDeclared (*)(const nlohmann::json& declared);

/// A way to train: a variant of `train` in the schema.
struct Trainer {
  const char* variant;  ///< the trainer's name in stdlib/schema.trl
  std::variant<AddStages, ReadRounds> stages;
  bool from_nothing;  ///< whether training creates the model that the experiment names, which doesn't exist
                      ///< before

  void add(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared) const;
  /// Whether training has rounds of sampling and verification, which extensions can change.
  bool has_rounds() const { return std::holds_alternative<ReadRounds>(stages); }
  /// Whether training selects or weighs answers by rewards from verification.
  bool uses_rewards(const nlohmann::json& declared) const;
};

/// All trainers that this version supports.
const std::vector<const Trainer*>& all_trainers();

/// The trainer of a `train` declaration. Throws UserError if this version doesn't support it.
const Trainer& trainer_of(const nlohmann::json& declared);

}  // namespace trl::interpreter
