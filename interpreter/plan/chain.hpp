// The chain of stages of one row under one seed: model → training phases → exam.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The data from which a chain is built.
struct ChainRequest {
  std::string label;
  std::uint64_t seed = 0;
  const nlohmann::json& experiment;        ///< resolved under the cell's settings: model, adapter, evaluate
  std::vector<nlohmann::json> phases;      ///< train declarations, in order
  std::vector<nlohmann::json> extensions;  ///< extension declarations that are on
};

/// Adds chains to a plan. Stages that an earlier chain has made are shared.
class ChainBuilder {
 public:
  ChainBuilder(const nlohmann::json& document, const PlanOptions& options, Plan& plan);
  Trace build(const ChainRequest& request);
  /// Records once why the plan can't be run here, and how to correct that.
  void missing(const std::string& what, const std::string& help);

 private:
  struct State;
  std::string add(State& state, Stage stage, bool training);
  void imitate(State& state, const nlohmann::json& phase);
  void pretrain(State& state, const nlohmann::json& phase);
  void best_of_n(State& state, const nlohmann::json& phase);
  /// Adds one stage for a way of training that this version can plan but not run.
  void other_training(State& state, const nlohmann::json& phase);
  void exam(State& state);
  /// The key of the corpus stage for a `data` call.
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
  std::map<std::string, std::string> entering_models_;  ///< keys of models, by their `weights`
};

}  // namespace trl::interpreter
