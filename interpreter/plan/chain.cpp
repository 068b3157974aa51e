#include "interpreter/plan/chain.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ground/digest.hpp"
#include "ground/error.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/plan/model_folder.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

const json* find_extension(const std::vector<json>& extensions, const std::string& variant) {
  for (const auto& extension : extensions)
    if (extension.value("variant", "") == variant) return &extension;
  return nullptr;
}

/// The fields of a declaration that are there, under their own names.
json fields(const json& declaration, std::initializer_list<const char*> names) {
  auto picked = json::object();
  for (const char* name : names)
    if (declaration.contains(name)) picked[name] = declaration[name];
  return picked;
}

/// What carries a declaration out, "train/finetune 1"; null where the schema names nothing.
json version_of(const json& declaration) {
  if (!declaration.contains("version")) return nullptr;
  return declaration.value("implementation", "") + " " + declaration["version"].dump();
}

/// The same of those extensions that are on, of the variants named.
json versions_of(const std::vector<json>& extensions, std::initializer_list<const char*> variants) {
  json versions = json::array();
  for (const char* variant : variants)
    if (const json* extension = find_extension(extensions, variant))
      versions.push_back(version_of(*extension));
  return versions.empty() ? json() : versions;
}

/// What a stage is told of the language in which the experiment has kernels written: nothing of Triton, which
/// is what stages have always been about.
json in_language(json spec, const json& experiment) {
  if (const auto language = experiment.value("language", "triton"); language != "triton")
    spec["language"] = language;
  return spec;
}

/// How the experiment's exam judges; what training kept is judged so, too.
json exam_of(const json& experiment, bool times_kernels) {
  const json& evaluation = experiment.contains("evaluate") ? experiment["evaluate"] : json::object();
  const json protocol = exam_protocol(times_kernels);
  return in_language(evaluation.is_object() ? with_precision(protocol, evaluation) : protocol, experiment);
}

/// Groups whose accuracy a share formula asks for.
void collect_accuracies(const json& node, std::vector<std::string>& groups) {
  if (node.is_object() && node.value("call", json()) == "accuracy" && !node.at("args").empty()) {
    const auto& argument = node["args"][0];
    const auto group = argument.is_object() ? argument.value("name", "") : argument.get<std::string>();
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    return;
  }
  if (node.is_structured())
    for (const auto& item : node) collect_accuracies(item, groups);
}

}  // namespace

struct ChainBuilder::State {
  const ChainRequest& request;
  Trace trace;
  std::string model, adapter;
  int round = 0;
};

ChainBuilder::ChainBuilder(const json& document, const PlanOptions& options, Plan& plan)
    : document_(document), options_(options), plan_(plan) {}

std::string ChainBuilder::add(State& state, Stage stage, bool training) {
  const std::string key = stage.key, slot = stage.slot;
  state.trace.slots[slot] = key;
  if (training) state.trace.training.push_back(key);
  if (known_.emplace(key, plan_.stages.size()).second) {
    stage.slot = state.request.label + "/seed " + std::to_string(state.request.seed) + "/" + slot;
    plan_.stages.push_back(std::move(stage));
  }
  return key;
}

void ChainBuilder::missing(const std::string& what, const std::string& help) {
  const std::pair entry(what, help);
  if (std::find(plan_.missing.begin(), plan_.missing.end(), entry) == plan_.missing.end())
    plan_.missing.push_back(entry);
}

const std::string& ChainBuilder::entering_model(const json& model) {
  const auto quantize = model.value("quantize", "none");
  const json identity = {{"weights", model.at("weights")}, {"quantize", quantize}};
  auto& key = entering_models_[identity.dump()];
  if (!key.empty()) return key;
  if (quantize != "none")
    missing("quantize = " + quantize + " isn't carried out by this version", "Use quantize = none.");
  try {
    const auto folder =
        find_model(model.at("weights"), options_.home, options_.file_folder, FileDigests(options_.store));
    key = folder.key;
    plan_.models[folder.key] = folder.path;
  } catch (const UserError& error) {
    missing(error.what(), error.help);
    key = sha256_hex("a model that is missing: " + identity.dump());
  }
  return key;
}

json ChainBuilder::tasks_of(const json& set) {
  auto tasks = json::array();
  const auto& all = document_.at("tasks");
  for (const auto& id : set.at("tasks")) {
    auto task = all.at(id.get<std::string>());
    task["doc"] = "";
    if (task.contains("source"))
      missing("the tasks of " + task["source"].get<std::string>() + " can't be verified by this version",
              "Use suites that are written in the language: windtunnel, or your own.");
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::map<std::string, std::string> ChainBuilder::with_model(const State& state) const {
  std::map<std::string, std::string> inputs = {{"model", state.model}};
  if (!state.adapter.empty()) inputs["adapter"] = state.adapter;
  return inputs;
}

namespace {

/// Pairs of operators of which the first's value is an argument of the second.
void neighbours(const json& node, std::set<std::pair<std::string, std::string>>& pairs) {
  for (const auto& argument : node.value("args", json::array())) {
    if (argument.contains("op")) pairs.emplace(argument.at("op"), node.at("op"));
    neighbours(argument, pairs);
  }
}

}  // namespace

std::string ChainBuilder::corpus(State& state, const json& data) {
  const auto call = data.value("call", "");
  const auto& named = data.at("named");
  json spec = {{"flawed", named.value("flawed", json(0))}, {"seed", state.request.seed}};
  auto excluded = json::array();
  if (named.contains("exclude"))
    for (const auto& task : tasks_of(named["exclude"])) excluded.push_back(task.at("key"));
  const auto is_excluded = [&](const json& task) {
    return std::find(excluded.begin(), excluded.end(), task.at("key")) != excluded.end();
  };

  if (call == "windtunnel.corpus") {
    spec["source"] = "suites";
    auto samples = json::object();
    for (const char* group : {"level1", "level2"})
      if (named.contains(group)) samples[group] = named[group];
    std::vector<json> tasks;
    for (const auto& [id, task] : document_.at("tasks").items())
      if (samples.contains(task.at("suite").get<std::string>()) && !is_excluded(task)) tasks.push_back(task);
    std::sort(tasks.begin(), tasks.end(), [](const json& a, const json& b) {
      return std::pair(a.at("suite").get<std::string>(), a.at("id").get<int>()) <
             std::pair(b.at("suite").get<std::string>(), b.at("id").get<int>());
    });
    for (auto& task : tasks) task["doc"] = "";
    for (const auto& [group, wanted] : samples.items())
      if (wanted != 0 &&
          std::none_of(tasks.begin(), tasks.end(), [&](const json& t) { return t["suite"] == group; }))
        throw UserError("the corpus asks for samples of " + group + ", all of whose tasks are excluded");
    spec["tasks"] = tasks;
    spec["samples"] = samples;
  } else if (call == "windtunnel.chains") {
    spec["source"] = "chains";
    spec.update(fields(named, {"samples", "longest"}));
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
    spec["exclude_keys"] = excluded;
    if (named.contains("unseen_pairs")) {
      std::set<std::pair<std::string, std::string>> pairs;
      for (const auto& task : tasks_of(named["unseen_pairs"])) neighbours(task.at("value"), pairs);
      spec["unseen_pairs"] = pairs;
    }
  } else {
    missing("data = " + (call.empty() ? data.dump() : call + "(…)") + " isn't carried out by this version",
            "Use windtunnel.corpus(…) or windtunnel.chains(…).");
    spec["source"] = call;
    spec["arguments"] = data.value("args", json::array());
    spec.update(named);
  }
  spec = in_language(std::move(spec), state.request.experiment);
  return add(state, make_stage("corpus", spec, {}, "corpus " + call), true);
}

json ChainBuilder::finetune_spec(const State& state, const json& phase, int round) const {
  if (!state.request.experiment.contains("adapter") || state.request.experiment.at("adapter").is_null())
    throw UserError("train " + phase.value("name", "") + " needs an adapter, and the experiment names none",
                    "Add `adapter = …` to the experiment.");
  json spec =
      fields(phase, {"epochs", "batch", "learning_rate", "warmup", "schedule", "weight_decay", "clip"});
  spec["adapter"] = fields(state.request.experiment.at("adapter"), {"rank", "alpha", "dropout", "targets"});
  spec["precision"] = state.request.experiment.at("model").value("precision", "bf16");
  spec["seed"] = state.request.seed;
  spec["round"] = round;
  return spec;
}

void ChainBuilder::imitate(State& state, const json& phase) {
  if (state.model.empty()) state.model = entering_model(state.request.experiment.at("model"));
  auto inputs = with_model(state);
  inputs["samples"] = corpus(state, phase.at("data"));
  state.adapter = add(state,
                      make_stage("finetune", finetune_spec(state, phase, 0), inputs,
                                 phase.value("name", "sft") + "/finetune", version_of(phase)),
                      true);
}

void ChainBuilder::pretrain(State& state, const json& phase) {
  const auto name = phase.value("name", "pretrain");
  const auto& model = state.request.experiment.at("model");
  const auto& weights = model.at("weights");
  json architecture = model.value("architecture", json());
  if (architecture.is_null() && weights.is_object() && weights.contains("named"))
    architecture = weights["named"];
  architecture = fields(architecture.is_object() ? architecture : json::object(),
                        {"hidden", "layers", "heads", "kv_heads", "intermediate", "context"});
  if (architecture.empty())
    throw UserError("train " + name + " starts a model from nothing, and the model states no architecture",
                    "Give the model hidden, layers, heads, kv_heads, intermediate and context.");
  const auto data = corpus(state, phase.at("data"));
  const auto tokenizer = add(
      state, make_stage("tokenizer", fields(phase, {"vocabulary"}), {{"corpus", data}}, name + "/tokenizer"),
      true);
  json spec = fields(
      phase, {"steps", "batch", "sequence", "learning_rate", "warmup", "schedule", "weight_decay", "clip"});
  spec["architecture"] = architecture;
  spec["precision"] = model.value("precision", "bf16");
  spec["seed"] = state.request.seed;
  state.model = add(state,
                    make_stage("pretrain", spec, {{"corpus", data}, {"tokenizer", tokenizer}},
                               name + "/pretrain", version_of(phase)),
                    true);
  state.adapter.clear();
}

json ChainBuilder::training_protocol(const std::vector<json>& extensions) const {
  const json* inputs = find_extension(extensions, "multi_input");
  const json* clock = find_extension(extensions, "calibrated_timing");
  json timing = json::object();
  if (clock && options_.times_kernels) timing = fields(*clock, {"warmup", "trials", "trim"});
  return timed_or_modelled({{"variations", inputs ? inputs->at("variations") : json::array({"original"})},
                            {"tiny", find_extension(extensions, "staged_evaluation") != nullptr},
                            {"compile", "after_values"},
                            {"memory_checks", find_extension(extensions, "memory_checks") != nullptr},
                            {"strict", false},
                            {"timing", timing},
                            {"limits", candidate_limits()}},
                           options_.times_kernels);
}

void ChainBuilder::best_of_n(State& state, const json& phase) {
  if (state.model.empty()) state.model = entering_model(state.request.experiment.at("model"));
  const auto& extensions = state.request.extensions;
  const auto name = phase.value("name", "best_of_n");
  const auto version = version_of(phase);
  const auto seed = state.request.seed;
  const json pool = tasks_of(phase.at("tasks"));
  const json protocol =
      in_language(with_precision(training_protocol(extensions), phase), state.request.experiment);
  const json precision = state.request.experiment.at("model").value("precision", "bf16");
  json verifying = versions_of(extensions, {"multi_input", "staged_evaluation", "memory_checks"});
  if (options_.times_kernels) verifying.push_back(versions_of(extensions, {"calibrated_timing"}));
  const json drawing = json::array({version, versions_of(extensions, {"adaptive_curriculum"})});
  const json selecting =
      json::array({version, versions_of(extensions, {"staged_evaluation", "timing_noise"})});
  const json* pace = find_extension(extensions, "adaptive_curriculum");
  const json* stages = find_extension(extensions, "staged_evaluation");
  const json* noise = find_extension(extensions, "timing_noise");

  const auto sample = [&](const std::string& tasks, int round, const char* purpose,
                          const std::string& where) {
    json spec = fields(phase, {"temperature", "max_tokens"});
    spec["samples"] = phase.at("candidates");
    spec["purpose"] = purpose, spec["round"] = round, spec["seed"] = seed, spec["precision"] = precision;
    spec = in_language(std::move(spec), state.request.experiment);
    auto inputs = with_model(state);
    inputs["tasks"] = tasks;
    return add(state, make_stage("sample", spec, inputs, where + "/sample"), true);
  };
  const auto verify = [&](const std::string& candidates, const std::string& tasks, const std::string& where) {
    return add(state,
               make_stage("verify", protocol, {{"candidates", candidates}, {"tasks", tasks}},
                          where + "/verify", verifying),
               true);
  };

  json share;
  std::map<std::string, std::string> measured;  // inputs of the next draw
  if (pace) {
    share = json::array();
    for (const auto& entry : pace->at("share"))
      share.push_back(json::array({entry.at(0), normalised_formula(entry.at(1))}));
    std::vector<std::string> groups;
    collect_accuracies(share, groups);
    if (!groups.empty()) {
      const std::string where = name + "/measure";
      const auto tasks = add(state,
                             make_stage("draw",
                                        {{"seed", seed},
                                         {"round", state.round},
                                         {"count", phase.at("tasks_per_round")},
                                         {"pool", pool},
                                         {"each", groups}},
                                        {}, where + "/draw", drawing),
                             false);
      const auto candidates = sample(tasks, state.round, "measure", where);
      measured = {{"tasks", tasks}, {"verdicts", verify(candidates, tasks, where)}, {"previous", tasks}};
    }
  }

  for (int n = 1; n <= phase.at("rounds").get<int>(); ++n) {
    Round round;
    round.number = ++state.round;
    const std::string where = name + "/round " + std::to_string(n);
    json draw = {
        {"seed", seed}, {"round", round.number}, {"count", phase.at("tasks_per_round")}, {"pool", pool}};
    if (pace) draw["share"] = share;
    round.draw = add(state, make_stage("draw", draw, measured, where + "/draw", drawing), false);
    round.sample = sample(round.draw, round.number, "train", where);
    round.verify = verify(round.sample, round.draw, where);

    json select = fields(phase, {"keep", "keep_by", "min_reward"});
    select["seed"] = seed, select["round"] = round.number;
    select["reward"] = normalised_formula(phase.at("reward"));
    select["failing"] = stages ? stages->at("failing") : json();
    if (noise) select["timing_noise"] = noise->at("cv");
    const std::map<std::string, std::string> judged = {
        {"candidates", round.sample}, {"verdicts", round.verify}, {"tasks", round.draw}};
    round.select = add(state, make_stage("select", select, judged, where + "/select", selecting), false);
    if (options_.purity)
      round.purity = add(state,
                         make_stage("verify", exam_of(state.request.experiment, options_.times_kernels),
                                    {{"candidates", round.select}, {"tasks", round.draw}}, where + "/purity"),
                         false);

    auto inputs = with_model(state);
    inputs["samples"] = round.select;
    round.finetune = state.adapter = add(state,
                                         make_stage("finetune", finetune_spec(state, phase, round.number),
                                                    inputs, where + "/finetune", version),
                                         true);
    if (!measured.empty())
      measured = {{"tasks", round.draw}, {"verdicts", round.verify}, {"previous", round.draw}};
    state.trace.rounds.push_back(std::move(round));
  }
}

void ChainBuilder::other_training(State& state, const json& phase) {
  const auto variant = phase.value("variant", "");
  missing("train " + phase.value("name", "") + " : " + variant + " isn't carried out by this version",
          "Use sft, best_of_n or pretrain.");
  if (state.model.empty()) state.model = entering_model(state.request.experiment.at("model"));
  json spec = phase;
  for (const char* field : {"kind", "name", "doc", "implementation", "version"}) spec.erase(field);
  if (spec.contains("reward")) spec["reward"] = normalised_formula(spec["reward"]);
  if (spec.contains("tasks")) spec["tasks"] = tasks_of(spec["tasks"]);
  auto inputs = with_model(state);
  spec.erase("precision");
  if (spec.contains("data")) {
    inputs["samples"] = corpus(state, spec["data"]);
    spec.erase("data");
  }
  if (state.request.experiment.contains("adapter"))
    spec["adapter"] = fields(state.request.experiment.at("adapter"), {"rank", "alpha", "dropout", "targets"});
  json extensions = json::array();
  for (auto extension : state.request.extensions) {
    for (const char* field : {"name", "doc"}) extension.erase(field);
    extensions.push_back(std::move(extension));
  }
  spec["extensions"] = std::move(extensions);
  spec["seed"] = state.request.seed;
  spec["precision"] = state.request.experiment.at("model").value("precision", "bf16");
  // Of the model above; what candidates may compute in is said beside it.
  if (const auto allowed = phase.value("precision", "task"); allowed != "task")
    spec["verify"] = {{"precision", allowed}};
  spec = in_language(std::move(spec), state.request.experiment);
  state.adapter = add(
      state, make_stage("train", spec, inputs, phase.value("name", variant) + "/train", version_of(phase)),
      true);
}

void ChainBuilder::exam(State& state) {
  if (!state.request.experiment.contains("evaluate") || state.request.experiment.at("evaluate").is_null())
    return;
  if (state.model.empty()) state.model = entering_model(state.request.experiment.at("model"));
  const auto& evaluation = state.request.experiment.at("evaluate");
  json tasks = tasks_of(evaluation.at("split"));
  const auto set = add(state, make_stage("tasks", {{"tasks", tasks}}, {}, "exam/tasks"), false);
  json spec = fields(evaluation, {"samples", "temperature", "max_tokens"});
  spec["purpose"] = "exam", spec["round"] = 0, spec["seed"] = state.request.seed;
  spec["precision"] = state.request.experiment.at("model").value("precision", "bf16");
  spec = in_language(std::move(spec), state.request.experiment);
  auto inputs = with_model(state);
  inputs["tasks"] = set;
  state.trace.exam_sample = add(state, make_stage("sample", spec, inputs, "exam/sample"), false);
  state.trace.exam_verify =
      add(state,
          make_stage("verify", exam_of(state.request.experiment, options_.times_kernels),
                     {{"candidates", state.trace.exam_sample}, {"tasks", set}}, "exam/verify"),
          false);
}

Trace ChainBuilder::build(const ChainRequest& request) {
  State state{request, {}, {}, {}, 0};
  state.trace.seed = request.seed;
  for (const auto& phase : request.phases) {
    const auto variant = phase.value("variant", "");
    if (variant == "sft")
      imitate(state, phase);
    else if (variant == "best_of_n")
      best_of_n(state, phase);
    else if (variant == "pretrain")
      pretrain(state, phase);
    else
      other_training(state, phase);
  }
  exam(state);
  return std::move(state.trace);
}

}  // namespace trl::interpreter
