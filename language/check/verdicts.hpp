// The verdicts that a candidate can get, for rules that ask what a reward makes of them.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/check/inspection.hpp"

namespace trl::language {

/// A verdict of a candidate that is not correct.
struct Failing {
  std::string stage;  ///< that it failed: syntax, compile, tiny or full
  nlohmann::json verdict;
};

/// One verdict for each stage that a candidate can fail; without staged evaluation, credit is 0.
std::vector<Failing> failing_verdicts(const Resolved* staged);

/// The staged evaluations that a stage can run under; null, "none", is always among them.
std::vector<const Resolved*> stagings(const Inspection::Stage& stage);

/// The incorrect candidate that a reward gives most.
struct Best {
  Failing failing;
  double reward = 0;
  const Resolved* staging = nullptr;
};
std::optional<Best> best_incorrect(const Value& reward, const Inspection::Stage& stage);

/// What a formula's parameter can be when the candidate is correct.
Ranges ranges_when_correct(const Value& reward, const Schema& schema);

/// Whether some correct candidate is worth more than each incorrect one. Where none is, min_reward is beside
/// the point.
bool prefers_correct(const Value& reward, const Inspection::Stage& stage, const Schema& schema);

/// The reward by which a stage keeps candidates; null where it keeps at random, or has none.
const Value* selecting_reward(const Inspection::Stage& stage);

}  // namespace trl::language
