#include "interpreter/doctor/needs.hpp"

#include <algorithm>

#include "base/contract/kernel_language.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/contract/stages/pretrain.hpp"
#include "base/contract/stages/rollout.hpp"
#include "base/contract/stages/sample.hpp"
#include "interpreter/plan/cost.hpp"

namespace trl::interpreter {
namespace {

// `bytes_a_candidate`: the bytes of a candidate's rows in candidates.jsonl, verdicts.jsonl and plans.jsonl,
// without the answer's text. `bytes_a_token`: the bytes of a token of the text.
constexpr double bytes_a_candidate = 6000, bytes_a_token = 4;
// A trained weight is stored in f32. An adapter or a model that goes on with its optimiser also stores the
// two moments of each weight.
constexpr double bytes_a_weight = 4, bytes_with_optimiser = 12;

double stored_bytes(const Plan& plan, const Stage& stage, double trained) {
  if (stage.kind == contract::FinetuneSpec::kind) return trained * bytes_with_optimiser;
  if (stage.kind == contract::PretrainSpec::kind) return trained * bytes_a_weight;
  if (!contract::gives_candidates(stage.kind)) return 0;
  // Answers are taken to have half of the largest number of tokens, on average.
  const double tokens = static_cast<double>(contract::SampleSpec::read(stage.spec).sampling.max_tokens) / 2;
  return answers_of(plan, stage) * (bytes_a_candidate + tokens * bytes_a_token);
}

/// The rank of an experiment's adapter.
std::int64_t rank_of(const nlohmann::json& experiment) {
  return experiment.value("adapter", nlohmann::json::object()).value("rank", std::int64_t{0});
}

}  // namespace

Needs needs_of(const nlohmann::json& document, const Plan& plan, const Store& store,
               const std::string& device) {
  Needs needs;
  needs.experiment = plan.experiment;
  needs.missing = plan.missing;
  needs.inert = plan.inert;
  needs.gpu = device != "cpu";
  needs.running = needs.verification = needs.timed = false;
  const auto& experiment = document.at("experiments").at(plan.experiment);
  const auto estimate = largest_estimate(experiment);
  if (estimate) {
    needs.gpu_bytes = estimate->peak_bytes;
    needs.least_gpu_bytes = estimate->least_bytes;
    needs.least_gpu_bytes_stored = estimate->least_bytes_stored;
  }
  needs.tasks = task_memory(plan, [&](const Stage& stage) { return store.has(stage.key); });
  for (const auto& stage : plan.stages) {
    if (stage.local() || store.has(stage.key)) continue;
    needs.running = true;
    if (stage.kind == contract::Protocol::kind) {
      needs.verification = true;
      needs.timed = needs.timed || contract::Protocol::read(stage.spec).timed;
    }
    if (const auto asked = plan.endpoints.find(stage.key); asked != plan.endpoints.end()) {
      const auto& endpoint = asked->second.endpoint;
      const std::pair key(endpoint.key_env, endpoint.address);
      if (!endpoint.key_env.empty() &&
          std::find(needs.keys.begin(), needs.keys.end(), key) == needs.keys.end())
        needs.keys.push_back(key);
      if (stage.kind == contract::RolloutSpec::kind) {
        const std::pair server(
            endpoint.address,
            nlohmann::json{{"stage", "serves"},
                           {"spec", {{"model", stage.spec.at("model")}, {"rank", rank_of(experiment)}}},
                           {"endpoint", endpoint.write()}});
        if (std::find(needs.servers.begin(), needs.servers.end(), server) == needs.servers.end())
          needs.servers.push_back(server);
      }
    }
    if (contract::gives_candidates(stage.kind) &&
        contract::SampleSpec::read(stage.spec).language == contract::KernelLanguage::cuda)
      needs.cuda_kernels = true;
    needs.store_bytes += stored_bytes(plan, stage, estimate ? estimate->trained : 0);
  }
  return needs;
}

}  // namespace trl::interpreter
