// The verdicts that a candidate can get, and their rewards, for the rules about rewards.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "language/check/inspection.hpp"

namespace trl::language {

/// The staged evaluations with which a stage of training can run. The first element is always null, which
/// means no staged evaluation.
std::vector<const Resolved*> stagings(const Inspection::Stage& stage);

/// The incorrect candidate with the highest reward.
struct Best {
  std::string stage;  ///< the stage at which it failed: syntax, compile, tiny or full
  double reward = 0;
  const Resolved* staging = nullptr;
};
/// The ranges of a reward's inputs, such as `c.credit`, when the candidate is correct.
formulas::Ranges ranges_when_correct(const Value& reward, const Schema& schema, const Resolved& train);

/// Properties of a stage's reward over all possible verdicts.
struct RewardFacts {
  std::optional<Best> incorrect;
  /// Whether some correct candidate may get a higher reward than every incorrect candidate. If not, the value
  /// of min_reward doesn't matter.
  bool prefers_correct = true;
};

/// The facts about a stage's reward, computed at the first call. The stage's `reward` must be a formula with
/// one parameter.
const RewardFacts& reward_facts(Inspection& inspection, const Inspection::Stage& stage);

/// For a reward that never reads `c.correct`: returns the properties, such as `c.compiled`, for which it pays
/// an incorrect kernel more than `least`, even if extensions give no credit. Empty if it pays at most
/// `least`, or if it pays more even to a kernel without these properties.
std::vector<std::string> paid_unchecked(const Value& reward, const Schema& schema, const Resolved& train,
                                        double least);

/// In `reward_where`: the time that PyTorch takes and the time of an ordinary answer, in microseconds.
constexpr double ordinary_time = 100;
/// Returns the reward of a correct candidate that is ordinary except for the given fields, such as
/// {".tokens", 400}.
double reward_where(const Value& reward, const Schema& schema, const Resolved& train,
                    const std::vector<std::pair<const char*, double>>& fields);

/// The reward by which a stage selects candidates; null if it selects at random or has no reward, and for a
/// control whose reward sees nothing of an answer but its number of tokens.
const Value* selecting_reward(const Inspection::Stage& stage);

}  // namespace trl::language
