// The tasks, protocols and rewards that a server offers its clients.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/protocol.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

struct OfferedTask {
  nlohmann::json task;
  std::string id;        ///< "level1/7"
  std::string prompt;    ///< as a model gets it
  std::string unjudged;  ///< why answers to it can't be judged; empty for all others
};

/// The reward of one way to train of a program.
struct OfferedReward {
  std::string protocol;         ///< a name among `Offer::protocols`
  contract::SelectSpec select;  ///< with the formula, whose parameter is called c
  std::string
      feedback;  ///< the template of a next turn's prompt (base/support/feedback.hpp); empty: one turn

  std::string text() const;  ///< the formula as a program writes it
};

struct Offer {
  std::vector<OfferedTask> tasks;                       ///< in the order in which clients are shown them
  std::map<std::string, contract::Protocol> protocols;  ///< always "exam" and "training"
  std::map<std::string, OfferedReward> rewards;
  std::string prompt;  ///< the template of prompts (base/support/asking.hpp); empty: the module alone
  std::string language = "triton";

  /// Returns the index of the task with this ID, or with this suite and name. Nothing if there is no such
  /// task, or more than one.
  std::optional<std::size_t> find(const std::string& called) const;
};

/// Adds the protocols and the rewards of planned experiments to an offer. If the plans have no exam, adds the
/// usual exam. If they have no rewards, adds a training protocol without extensions, and no reward. A reward
/// has the name of its `train` declaration, `reinforce`. If that name would also mean a different reward, or
/// one with another protocol, the name is `ROW/reinforce`; if that would, too, it is
/// `EXPERIMENT/ROW/reinforce`. The first reward's protocol is called "training".
void offer_plans(const std::vector<const Plan*>& plans, bool times_kernels, Offer& offer);

}  // namespace trl::interpreter
