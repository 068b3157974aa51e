// The verdicts that a candidate can get, for rules that ask what a reward makes of them.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "language/check/inspection.hpp"

namespace trl::language {

/// The staged evaluations that a stage can run under; null, "none", is always among them.
std::vector<const Resolved*> stagings(const Inspection::Stage& stage);

/// The incorrect candidate that a reward gives most.
struct Best {
  std::string stage;  ///< that it failed: syntax, compile, tiny or full
  double reward = 0;
  const Resolved* staging = nullptr;
};
/// What a formula's parameter can be when the candidate is correct.
Ranges ranges_when_correct(const Value& reward, const Schema& schema);

/// What a stage's reward makes of the verdicts that can be.
struct RewardFacts {
  std::optional<Best> incorrect;
  /// Whether some correct candidate is worth more than each incorrect one. Where none is, min_reward is
  /// beside the point.
  bool prefers_correct = true;
};

/// Of a stage of this inspection whose `reward` is a formula of one parameter; found once.
const RewardFacts& reward_facts(Inspection& inspection, const Inspection::Stage& stage);

/// The reward by which a stage keeps candidates; null where it keeps at random, or has none.
const Value* selecting_reward(const Inspection::Stage& stage);

}  // namespace trl::language
