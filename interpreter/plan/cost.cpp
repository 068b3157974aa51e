#include "interpreter/plan/cost.hpp"

#include <algorithm>
#include <cmath>

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr double wave = 256;               // answers that a GPU samples at the same time
constexpr double tokens_of_sample = 1024;  // tokens of prompt and answer in training

class Model {
 public:
  Model(const Plan& plan, const json& machine, const json& estimate)
      : plan_(plan),
        gpus_(machine.value("gpus", 1.0)),
        bandwidth_(machine.at("bandwidth").get<double>()),
        compute_(machine.at("compute").get<double>()),
        efficiency_(machine.at("efficiency").get<double>()),
        cores_(machine.at("cores").get<double>()),
        verify_(machine.at("verify").get<double>()),
        weights_(estimate.at("weights").get<double>()),
        weight_bytes_(estimate.at("weight_bytes").get<double>()),
        cache_(estimate.at("cache_bytes_per_token").get<double>()) {}

  double seconds(const Stage& stage) const {
    if (stage.kind == "sample") return sampling(answers(stage), stage.spec.at("max_tokens"));
    if (stage.kind == "verify") return verifying(candidates(stage));
    if (stage.kind == "finetune") return training(samples(stage) * stage.spec.value("epochs", 1.0), 4);
    if (stage.kind == "pretrain")
      return stage.spec.value("steps", 0.0) * stage.spec.value("batch", 0.0) *
             stage.spec.value("sequence", 0.0) * 6 * weights_ / (compute_ * gpus_ * efficiency_);
    if (stage.kind == "train") {
      const double each = stage.spec.value("tasks_per_round", 0.0) * stage.spec.value("candidates", 0.0);
      return stage.spec.value("rounds", 1.0) *
             (sampling(each, stage.spec.value("max_tokens", 512.0)) + verifying(each) +
              training(each * stage.spec.value("epochs", 1.0), 4));
    }
    return 0;
  }

 private:
  const Stage* input(const Stage& stage, const char* name) const {
    const auto key = stage.inputs.find(name);
    return key == stage.inputs.end() ? nullptr : plan_.find(key->second);
  }

  double tasks(const Stage& stage) const {
    const Stage* from = input(stage, "tasks");
    if (from == nullptr) return 0;
    if (from->kind == "tasks") return static_cast<double>(from->spec.at("tasks").size());
    const double groups = from->spec.contains("each") ? static_cast<double>(from->spec["each"].size()) : 1;
    return from->spec.value("count", 0.0) * groups;
  }

  double answers(const Stage& stage) const { return tasks(stage) * stage.spec.value("samples", 1.0); }

  double candidates(const Stage& stage) const {
    const Stage* from = input(stage, "candidates");
    if (from == nullptr) return 0;
    if (from->kind == "sample") return answers(*from);
    return tasks(*from) * from->spec.value("keep", 0.0);  // the samples that a select stage kept
  }

  double samples(const Stage& stage) const {
    const Stage* from = input(stage, "samples");
    if (from == nullptr) return 0;
    if (from->kind == "select") return tasks(*from) * from->spec.value("keep", 0.0);
    if (!from->spec.contains("samples")) {
      const auto arguments = from->spec.value("arguments", json::array());
      return arguments.empty() ? 0 : arguments[0].get<double>();
    }
    if (from->spec["samples"].is_number()) return from->spec["samples"];
    double sum = 0;
    for (const auto& [group, count] : from->spec["samples"].items()) sum += count.get<double>();
    return sum;
  }

  double sampling(double answers, double tokens) const {
    const double at_once = std::min(answers / gpus_, wave);
    if (at_once <= 0) return 0;
    const double memory = (weight_bytes_ + at_once * tokens / 2 * cache_) / bandwidth_;
    const double arithmetic = 2 * weights_ * at_once / compute_;
    return std::ceil(answers / gpus_ / wave) * tokens * std::max(memory, arithmetic) / efficiency_;
  }

  double verifying(double candidates) const { return candidates * verify_ / cores_; }

  double training(double samples, double flop_a_weight) const {
    return samples * tokens_of_sample * flop_a_weight * weights_ / (compute_ * gpus_ * efficiency_);
  }

  const Plan& plan_;
  double gpus_, bandwidth_, compute_, efficiency_, cores_, verify_, weights_, weight_bytes_, cache_;
};

}  // namespace

std::optional<Cost> cost_of(const json& document, const Plan& plan, const Store& store, std::string& why) {
  const auto& experiment = document.at("experiments").at(plan.experiment);
  if (!experiment.contains("machine")) {
    why = "`" + plan.experiment +
          "` declares no machine; add `machine node { gpus = 8, memory = 40 GiB, spot = 6.84 usd / 1 h }`, "
          "and `machine = node` in the experiment";
    return std::nullopt;
  }
  if (!experiment.contains("estimate")) {
    why = "the shape of the model of `" + plan.experiment + "` is unknown";
    return std::nullopt;
  }
  const auto& machine = experiment["machine"];
  const Model model(plan, machine, experiment["estimate"]);
  Cost cost;
  cost.gpus = machine.value("gpus", 1);
  cost.peak_bytes = experiment["estimate"].value("peak_bytes", 0.0);
  for (const auto& cell : experiment.value("cells", json::array()))
    if (cell.contains("with") && cell["with"].contains("estimate"))
      cost.peak_bytes = std::max(cost.peak_bytes, cell["with"]["estimate"].value("peak_bytes", 0.0));
  for (const auto& stage : plan.stages) {
    if (store.has(stage.key) && !store.damage(stage.key, Check::sizes)) {
      cost.done_seconds += store.stage(stage.key).value("seconds", 0.0);
      continue;
    }
    auto& of_kind = cost.to_do[stage.kind];
    ++of_kind.stages;
    const double seconds = model.seconds(stage);
    of_kind.seconds += seconds;
    cost.seconds += seconds;
  }
  // Prices are in usd per second.
  if (machine.contains("spot")) cost.spot = cost.seconds * machine["spot"].get<double>();
  if (machine.contains("on_demand")) cost.on_demand = cost.seconds * machine["on_demand"].get<double>();
  return cost;
}

}  // namespace trl::interpreter
