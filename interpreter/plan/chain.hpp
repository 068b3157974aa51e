// The chain of stages of one row under one seed: model → training phases → exam.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/document.hpp"
#include "base/contract/task.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::contract {
struct Episodes;
struct FinetuneSpec;
struct Passes;
struct Protocol;
struct SampleSpec;
}  // namespace trl::contract

namespace trl::interpreter {

/// The data from which a chain is built.
struct ChainRequest {
  std::string label;
  std::uint64_t seed = 0;
  contract::Experiment experiment;         ///< with the changes of the cell
  std::vector<nlohmann::json> phases;      ///< train declarations, in order
  std::vector<nlohmann::json> extensions;  ///< extension declarations that are on
};

/// A chain as far as it is built.
struct Chain {
  const ChainRequest& request;
  Trace trace;
  std::string model = {}, adapter = {};  ///< keys of the last phase's results; empty: none yet
  std::uint64_t seed =
      0;  ///< of the phase's random draws: the request's, or an extension's substitute for it
  int round = 0;
};

/// Adds chains to a plan. Stages that an earlier chain has made are shared.
class ChainBuilder {
 public:
  using Inputs = std::map<std::string, std::string>;

  ChainBuilder(const nlohmann::json& document, const PlanOptions& options, Plan& plan);
  Trace build(const ChainRequest& request);
  /// The chain of results that were made elsewhere, which a call of `imported` names, for an exam's tasks.
  Trace imported(const contract::Call& call, std::uint64_t seed, const contract::TaskSet& split);
  /// Records once why the plan can't be run here, and how to correct that.
  void missing(const std::string& what, const std::string& help);

  // Functions by which trainers (trainer.hpp) build their part of a chain:

  const PlanOptions& options() const { return options_; }
  /// Adds a stage and returns its key. `training`: its seconds are the row's cost.
  std::string add(Chain& chain, Stage stage, bool training);
  /// The same of a spec of the contract.
  template <class Spec>
  std::string add(Chain& chain, const Spec& spec, Inputs inputs, std::string slot, bool training,
                  const nlohmann::json& variant_version = nullptr) {
    return add(chain,
               make_stage(Spec::kind, spec.write(), std::move(inputs), std::move(slot), variant_version),
               training);
  }
  /// Adds answers and verdicts of all turns of episodes about `tasks`, at `where`: at least one turn. `spec`
  /// is the first turn's.
  std::vector<Turn> add_turns(Chain& chain, contract::SampleSpec spec, const contract::Episodes& episodes,
                              const contract::Protocol& protocol, const std::string& tasks,
                              const std::string& where, bool training,
                              const nlohmann::json& verify_version = nullptr);
  /// The stage `ask` of the same answers by a server's model: its spec, and the server beside the plan.
  std::string add_asking(Chain& chain, const contract::DeclaredEndpoint& declared,
                         const contract::SampleSpec& spec, Inputs inputs, const std::string& slot);
  /// The stage `generations` of answers that were given elsewhere.
  std::string add_generations(Chain& chain, const contract::SampleSpec& spec, const std::string& tasks,
                              const std::string& slot);
  /// Whether the experiment's model is known by its answers alone.
  static bool has_generations(const Chain& chain);
  /// The server that has the experiment's model, as long as nothing has trained another.
  static std::optional<contract::DeclaredEndpoint> endpoint_of(const Chain& chain);
  /// The inputs `model` and, where there is one, `adapter`; a chain without a model gets the experiment's.
  Inputs with_model(Chain& chain);
  /// The corpus stage of a `data` call.
  std::string corpus(Chain& chain, const contract::Call& data);
  /// The tasks of a set, without their documentation.
  std::vector<contract::Task> tasks_of(const contract::TaskSet& set) const;
  /// The same for a set whose tasks are answered and judged: tasks that can't be judged are recorded as
  /// missing.
  std::vector<contract::Task> judged_tasks_of(const contract::TaskSet& set);
  /// The spec of an adapter's training. Throws UserError where the experiment has no adapter.
  static contract::FinetuneSpec finetune_spec(const Chain& chain, const std::string& phase,
                                              const contract::Passes& passes, int round);
  /// The same for sampling in training, without the tasks that are sampled.
  static contract::SampleSpec sample_spec(const Chain& chain, const char* purpose, int round);
  /// The protocol of the experiment's exam, by which the answers that training kept are judged, too.
  contract::Protocol exam_of(const Chain& chain) const;
  /// Adds the experiment's `dev` of the chain as it is; nothing where there is none.
  void add_dev(Chain& chain, const std::string& where);

 private:
  void exam(Chain& chain);
  /// Adds the tasks, answers and verdicts of an evaluation; returns its turns.
  std::vector<Turn> evaluate(Chain& chain, const contract::Evaluation& evaluation, const char* purpose,
                             const std::string& where);
  /// The corpus of kernelbook(…): a stage that makes pairs, and one that takes some of them.
  std::string pairs(Chain& chain, const contract::Call& data);
  /// The key of a data set's rows; absent files are recorded as missing.
  std::string entering_rows(const nlohmann::json& call, const std::string& remedy);
  const std::string& entering_model(const contract::Model& model);

  const nlohmann::json& document_;
  const PlanOptions& options_;
  Plan& plan_;
  std::map<std::string, std::size_t> known_;
  std::map<std::string, std::string> entering_models_;  ///< keys of models, by their `weights`
};

/// The field by which a stage is told the language of the experiment's kernels. None for Triton, so that keys
/// from before there was another language stay.
std::optional<contract::KernelLanguage> said_language(const contract::Experiment& experiment);

}  // namespace trl::interpreter
