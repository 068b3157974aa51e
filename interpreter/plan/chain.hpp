// The chain of stages of one row under one seed: model → training phases → exam.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// What a chain is built from.
struct ChainRequest {
  std::string label;
  std::uint64_t seed = 0;
  const nlohmann::json& experiment;        ///< resolved, with what the cell changes: model, adapter, evaluate
  std::vector<nlohmann::json> phases;      ///< train declarations, in order
  std::vector<nlohmann::json> extensions;  ///< extension declarations that are on
};

/// Adds chains to a plan. A stage that an earlier chain has already made is shared.
class ChainBuilder {
 public:
  ChainBuilder(const nlohmann::json& document, const PlanOptions& options, Plan& plan);
  Trace build(const ChainRequest& request);
  /// Notes what keeps the plan from being carried out here, once, and how to mend it.
  void missing(const std::string& what, const std::string& help);

 private:
  struct State;
  std::string add(State& state, Stage stage, bool training);
  void imitate(State& state, const nlohmann::json& phase);
  void pretrain(State& state, const nlohmann::json& phase);
  void best_of_n(State& state, const nlohmann::json& phase);
  /// A way to train that this version doesn't carry out: one stage, which can be planned.
  void other_training(State& state, const nlohmann::json& phase);
  void exam(State& state);
  /// Corpus stage of a `data` call.
  std::string corpus(State& state, const nlohmann::json& data);
  nlohmann::json tasks_of(const nlohmann::json& set);
  nlohmann::json training_protocol(const std::vector<nlohmann::json>& extensions) const;
  nlohmann::json finetune_spec(const State& state, const nlohmann::json& phase, int round) const;
  std::map<std::string, std::string> with_model(const State& state) const;
  const std::string& entering_model(const nlohmann::json& model);

  const nlohmann::json& document_;
  const PlanOptions& options_;
  Plan& plan_;
  std::map<std::string, std::size_t> known_;
  std::map<std::string, std::string> entering_models_;  ///< by `weights`
};

}  // namespace trl::interpreter
