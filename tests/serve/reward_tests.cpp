// The parts of a reward, and the rewards that a server offers of planned experiments.
#include <gtest/gtest.h>

#include "base/support/error.hpp"
#include "interpreter/local/reward.hpp"
#include "interpreter/serve/offer.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using Parts = std::vector<std::pair<std::string, double>>;

namespace {

/// if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit
contract::Formula usual() {
  const auto plans = small_study();
  const auto home = Scratch();
  write_model(home.path);
  const Plan plan = make_plan(plans, "study", options(home.path));
  Offer offer;
  offer_plans({&plan}, false, offer);
  return offer.rewards.begin()->second.select.reward;
}

formulas::Record record_of(bool correct, double speedup) {
  contract::Verdict verdict;
  verdict.valid = true, verdict.correct = correct, verdict.speedup = speedup;
  contract::SelectSpec spec;
  return reward_record(verdict, 1, 0, spec);
}

}  // namespace

TEST(RewardParts, AddUpToTheReward) {
  const auto formula = usual();
  for (const bool correct : {false, true})
    for (const double speedup : {0.5, 2.0}) {
      const auto record = record_of(correct, speedup);
      double sum = 0;
      const Parts parts = reward_parts(formula, record);
      EXPECT_FALSE(parts.empty());
      for (const auto& [text, value] : parts) sum += value;
      EXPECT_DOUBLE_EQ(sum, reward_of(formula, record)) << formula_text(formula.body);
    }
}

TEST(Offer, HasTheExamAndTheRewardsOfAPlan) {
  const Scratch home;
  write_model(home.path);
  const Plan plan = make_plan(study(), "study", options(home.path));
  Offer offer;
  offer_plans({&plan}, false, offer);
  EXPECT_TRUE(offer.protocols.at("exam").strict);
  EXPECT_FALSE(offer.protocols.at("training").strict);
  ASSERT_FALSE(offer.rewards.empty());
  std::set<std::string> protocols;
  for (const auto& [name, reward] : offer.rewards) {
    EXPECT_EQ(reward.text().find("_0"), std::string::npos) << reward.text();
    EXPECT_TRUE(offer.protocols.contains(reward.protocol)) << name;
    protocols.insert(offer.protocols.at(reward.protocol).write().dump());
  }
  EXPECT_GT(protocols.size(), 1u) << "extensions change how a row's answers are judged";
}

TEST(Offer, WithoutAPlanHasTheUsualProtocolsAndNoReward) {
  Offer offer;
  offer_plans({}, false, offer);
  EXPECT_TRUE(offer.rewards.empty());
  EXPECT_TRUE(offer.protocols.at("exam").strict);
  EXPECT_EQ(offer.protocols.at("training").modelled_for, "H200");
}
