#include "interpreter/plan/chain.hpp"

#include <algorithm>
#include <utility>

#include "base/contract/adapter.hpp"
#include "base/contract/asked_model.hpp"
#include "base/contract/kernel_language.hpp"
#include "base/contract/optimisation.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/sampling.hpp"
#include "base/contract/stages/ask.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/contract/stages/generations.hpp"
#include "base/contract/stages/imported.hpp"
#include "base/contract/stages/rollout.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/contract/stages/tasks.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/named_path.hpp"
#include "interpreter/plan/corpora.hpp"
#include "interpreter/plan/data_files.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/plan/extension.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "interpreter/plan/trainer.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Advice for tasks of KernelBench of which only the numbers are known.
constexpr const char* name_checkout =
    "Name a checkout: --set 'kernelbench.checkout=path(\"…\")', or a suite's source = "
    "kernelbench(path(\"…\"), level = …).";

}  // namespace

std::optional<contract::KernelLanguage> said_language(const contract::Experiment& experiment) {
  if (experiment.language == contract::KernelLanguage::triton) return std::nullopt;
  return experiment.language;
}

ChainBuilder::ChainBuilder(const json& document, const PlanOptions& options, Plan& plan)
    : document_(document), options_(options), plan_(plan) {}

std::string ChainBuilder::add(Chain& chain, Stage stage, bool training) {
  const std::string key = stage.key, slot = stage.slot;
  chain.trace.slots[slot] = key;
  if (training) chain.trace.training.push_back(key);
  if (known_.emplace(key, plan_.stages.size()).second) {
    stage.slot = chain.request.label + "/seed " + std::to_string(chain.request.seed) + "/" + slot;
    plan_.stages.push_back(std::move(stage));
  }
  return key;
}

std::string ChainBuilder::add_once(Chain& chain, const json& question, const std::string& slot, bool training,
                                   const std::function<Stage()>& make) {
  const auto [known, fresh] = asked_once_.try_emplace(question.dump());
  if (fresh) return known->second = add(chain, make(), training);
  chain.trace.slots[slot] = known->second;
  if (training) chain.trace.training.push_back(known->second);
  return known->second;
}

void ChainBuilder::missing(const std::string& what, const std::string& help) {
  const std::pair entry(what, help);
  if (std::find(plan_.missing.begin(), plan_.missing.end(), entry) == plan_.missing.end())
    plan_.missing.push_back(entry);
}

const std::string& ChainBuilder::entering_model(const contract::Model& model) {
  const json identity = {{"weights", model.weights}, {"quantize", model.quantize}};
  auto& key = entering_models_[identity.dump()];
  if (!key.empty()) return key;
  try {
    const auto folder = options_.find_model ? options_.find_model(model.weights)
                                            : find_model(model.weights, options_.home, options_.file_folder,
                                                         FileDigests(options_.store));
    key = folder.key;
    plan_.models[folder.key] = folder.path;
  } catch (const UserError& error) {
    missing(error.what(), error.help);
    key = sha256_hex("a model that is missing: " + identity.dump());
  }
  return key;
}

std::vector<contract::Task> ChainBuilder::tasks_of(const contract::TaskSet& set) const {
  std::vector<contract::Task> tasks;
  const auto& all = document_.at("tasks");
  for (const auto& id : set.tasks) tasks.push_back(contract::Task::read(all.at(id)).undocumented());
  return tasks;
}

std::vector<contract::Task> ChainBuilder::judged_tasks_of(const contract::TaskSet& set) {
  auto tasks = tasks_of(set);
  std::vector<contract::Task> unjudged;
  for (const auto& task : tasks)
    if (task.source) unjudged.push_back(task);
  if (unjudged.empty()) return tasks;
  const auto& first = unjudged.front();
  const json module = first.whole.value("module", json());
  missing("answers to " + first.suite + "/" + std::to_string(first.id) + " (" + first.name + ")" +
              (unjudged.size() > 1 ? " and " + std::to_string(unjudged.size() - 1) + " more tasks" : "") +
              " can't be judged",
          module.is_null() ? name_checkout : "Leave them out by `where(…, judged)`; `trl check` says why.");
  return tasks;
}

const json& ChainBuilder::written_tasks_of(const contract::TaskSet& set) {
  auto& written = written_tasks_[set.tasks];
  if (written.is_null()) {
    written = json::array();
    for (const auto& task : judged_tasks_of(set)) written.push_back(task.write());
  }
  return written;
}

ChainBuilder::Inputs ChainBuilder::with_model(Chain& chain) {
  if (chain.model.empty()) chain.model = entering_model(chain.request.experiment.model);
  Inputs inputs = {{"model", chain.model}};
  if (!chain.adapter.empty()) inputs["adapter"] = chain.adapter;
  return inputs;
}

std::string ChainBuilder::entering_rows(const json& call, const std::string& remedy) {
  try {
    const auto found = find_rows(call, options_.file_folder, remedy, FileDigests(options_.store));
    plan_.data[found.key] = found.path;
    return found.key;
  } catch (const UserError& error) {
    missing(error.what(), error.help);
    return sha256_hex("rows that are missing: " + call.dump());
  }
}

std::string ChainBuilder::pairs(Chain& chain, const contract::Call& data) {
  PairsPlanned planned = pairs_of(data, document_.at("tasks"));
  planned.corpus.prompt = chain.request.experiment.model.prompt;
  for (const auto& source : planned.unknown)
    missing("the tasks of " + source + " aren't there, so that pairs can't be compared with them",
            name_checkout);
  const std::string rows = entering_rows(data.args.empty() ? json() : data.args[0],
                                         "hf download GPUMODE/KernelBook --repo-type dataset --local-dir "
                                         "FOLDER, and name FOLDER in kernelbook(path(\"…\")).");
  const auto made = add(chain, planned.pairs, {{"rows", rows}}, "pairs " + data.call, true);
  return add(chain, planned.corpus, {{"pairs", made}, {"model", with_model(chain).at("model")}},
             "corpus " + data.call, true);
}

std::string ChainBuilder::corpus(Chain& chain, const contract::Call& data) {
  if (data.call == "kernelbook") return pairs(chain, data);
  const auto& language = chain.request.experiment.language;
  const json& prompt = chain.request.experiment.model.prompt;
  const std::string slot = "corpus " + data.call;
  const json question = {slot, data.write(), contract::word(language), prompt};
  return add_once(chain, {question, chain.seed}, slot, true, [&] {
    auto& made = corpora_[question.dump()];  // made for the seed for which it was first requested
    if (made.is_null()) {
      const auto tasks_of_set = [this](const contract::TaskSet& set) { return tasks_of(set); };
      const auto planned =
          corpus_spec(data, {document_.at("tasks"), tasks_of_set, chain.seed, language, prompt});
      if (!planned.carried_out)
        missing("data = " + (data.call.empty() ? data.write().dump() : data.call + "(…)") +
                    " isn't carried out by this version",
                "Use windtunnel.corpus(…), windtunnel.chains(…) or kernelbook(…).");
      made = planned.spec;
    }
    json spec = made;
    spec["seed"] = chain.seed;
    return make_stage("corpus", std::move(spec), {}, slot);
  });
}

contract::FinetuneSpec ChainBuilder::finetune_spec(const Chain& chain, const std::string& phase,
                                                   const contract::Passes& passes, int round) {
  const auto& experiment = chain.request.experiment;
  if (!experiment.adapter)
    throw UserError("train " + phase + " needs an adapter, and the experiment names none",
                    "Add `adapter = …` to the experiment.");
  auto adapter = *experiment.adapter;
  adapter.sampled = contract::Adapter().sampled;
  return {adapter, passes, experiment.model.precision, experiment.model.quantize, chain.seed, round};
}

contract::SampleSpec ChainBuilder::sample_spec(const Chain& chain, const char* purpose, int round) {
  contract::SampleSpec spec;
  spec.purpose = purpose, spec.round = round, spec.seed = chain.seed;
  spec.precision = chain.request.experiment.model.precision;
  spec.quantize = chain.request.experiment.model.quantize;
  if (const auto& adapter = chain.request.experiment.adapter; adapter && !chain.adapter.empty())
    spec.adapter = adapter->sampled;
  spec.language = chain.request.experiment.language, spec.prompt = chain.request.experiment.model.prompt;
  return spec;
}

contract::Protocol ChainBuilder::exam_of(const Chain& chain) const {
  const auto& experiment = chain.request.experiment;
  auto protocol = exam_protocol(options_.times_kernels);
  if (experiment.evaluate) protocol.precision = experiment.evaluate->precision;
  protocol.language = said_language(experiment);
  return protocol;
}

std::optional<contract::DeclaredEndpoint> ChainBuilder::endpoint_of(const Chain& chain) {
  if (!chain.model.empty() || !chain.adapter.empty()) return std::nullopt;
  const auto& model = chain.request.experiment.model;
  return contract::declared_endpoint(model.weights, model.place);
}

std::string ChainBuilder::add_generations(Chain& chain, const contract::SampleSpec& sample,
                                          const std::string& tasks, const std::string& slot) {
  const auto weights = contract::Call::read(chain.request.experiment.model.weights);
  std::string folder;
  try {
    const auto found =
        find_generations(weights.args.empty() ? json() : weights.args[0], options_.file_folder);
    plan_.data[found.key] = found.path;
    folder = found.key;
  } catch (const UserError& error) {
    missing(error.what(), error.help);
    folder = sha256_hex("answers that are missing: " + weights.write().dump());
  }
  if (sample.turn > 1)
    missing("answers that were given elsewhere can't be followed by others", "Leave `turns` out.");
  contract::GenerationsSpec spec;
  spec.samples = sample.samples;
  return add(chain, spec, {{"folder", folder}, {"tasks", tasks}}, slot, false);
}

bool ChainBuilder::has_generations(const Chain& chain) {
  const auto& weights = chain.request.experiment.model.weights;
  return chain.model.empty() && chain.adapter.empty() && weights.is_object() &&
         weights.value("call", json()) == "generations";
}

std::string ChainBuilder::add_asking(Chain& chain, const contract::DeclaredEndpoint& declared,
                                     const contract::SampleSpec& sample, Inputs inputs,
                                     const std::string& slot) {
  using contract::Parameter;
  contract::AskSpec spec;
  spec.model = declared.model;
  spec.samples = sample.samples, spec.sampling = sample.sampling;
  // Parameters that aren't sent don't change the answers, so they are left out of the key.
  if (!spec.model.sends(Parameter::temperature)) spec.sampling.temperature = 0;
  if (!spec.model.sends(Parameter::top_p)) spec.sampling.top_p = 1;
  if (!spec.model.sends(Parameter::top_k)) spec.sampling.top_k = 0;
  if (!spec.model.sends(Parameter::stop)) spec.sampling.stop.clear();
  spec.purpose = sample.purpose, spec.seed = sample.seed, spec.language = sample.language;
  spec.prompt = sample.prompt;
  spec.turn = sample.turn, spec.feedback = sample.feedback;
  const auto key = add(chain, spec, std::move(inputs), slot, false);
  plan_.endpoints.emplace(key, declared);
  return key;
}

std::string ChainBuilder::add_rollout(Chain& chain, const contract::DeclaredEndpoint& declared,
                                      const contract::SampleSpec& sample, Inputs inputs,
                                      const std::string& slot) {
  contract::RolloutSpec spec;
  spec.model = {declared.server, declared.model.name, declared.model.revision, declared.model.body};
  spec.samples = sample.samples, spec.sampling = sample.sampling, spec.purpose = sample.purpose;
  spec.round = sample.round, spec.seed = sample.seed, spec.language = sample.language;
  spec.prompt = sample.prompt, spec.scores = sample.scores;
  spec.turn = sample.turn, spec.feedback = sample.feedback;
  const auto key = add(chain, spec, std::move(inputs), slot, true);
  auto server = declared;
  if (auto& folder = server.endpoint.adapters; !folder.empty())
    folder = fs::absolute(named_path(options_.file_folder, folder)).lexically_normal().string();
  plan_.endpoints.emplace(key, std::move(server));
  return key;
}

std::vector<Turn> ChainBuilder::add_turns(Chain& chain, contract::SampleSpec spec,
                                          const contract::Episodes& episodes,
                                          const contract::Protocol& protocol, const std::string& tasks,
                                          const std::string& where, bool training, const json& verify_version,
                                          const std::optional<contract::DeclaredEndpoint>& rollout) {
  std::vector<Turn> turns;
  for (int turn = 1; turn <= std::max(episodes.turns, 1); ++turn) {
    const auto endpoint = endpoint_of(chain);
    const bool given = has_generations(chain);
    auto inputs = endpoint || given ? Inputs() : with_model(chain);
    inputs["tasks"] = tasks;
    std::string place = where;
    if (turn > 1) {
      inputs["candidates"] = turns.back().sample, inputs["verdicts"] = turns.back().verify;
      spec.turn = turn, spec.feedback = episodes.feedback;
      place += "/turn " + std::to_string(turn);
    }
    const auto answers = given      ? add_generations(chain, spec, tasks, place + "/generations")
                         : endpoint ? add_asking(chain, *endpoint, spec, inputs, place + "/ask")
                         : rollout  ? add_rollout(chain, *rollout, spec, inputs, place + "/rollout")
                                    : add(chain, spec, inputs, place + "/sample", training);
    turns.push_back({answers, add(chain, protocol, {{"candidates", answers}, {"tasks", tasks}},
                                  place + "/verify", training, verify_version)});
  }
  return turns;
}

std::vector<Turn> ChainBuilder::evaluate(Chain& chain, const contract::Evaluation& evaluation,
                                         const char* purpose, const std::string& where) {
  if (!endpoint_of(chain) && !has_generations(chain))
    with_model(chain);  // errors about the model come before errors about the tasks
  const std::string slot = where + "/tasks";
  const auto set = add_once(chain, json::array({slot, evaluation.split.tasks}), slot, false, [&] {
    return make_stage(contract::TasksSpec::kind,
                      contract::TasksSpec{judged_tasks_of(evaluation.split)}.write(), {}, slot);
  });
  auto spec = sample_spec(chain, purpose, 0);
  spec.seed = chain.request.seed;  // alike in all rows, whatever training draws
  spec.samples = evaluation.samples;
  spec.sampling = evaluation.sampling;
  auto protocol = exam_of(chain);
  protocol.precision = evaluation.precision;
  protocol.also_by = evaluation.also_by;
  if (const auto endpoint = endpoint_of(chain)) protocol.judge_reasoning = endpoint->endpoint.judge_reasoning;
  if (options_.times_kernels)  // without a GPU nothing is compiled for one
    protocol.second_baseline = evaluation.second_baseline;
  return add_turns(chain, spec, evaluation.episodes, protocol, set, where, false);
}

void ChainBuilder::add_dev(Chain& chain, const std::string& where) {
  const auto& dev = chain.request.experiment.dev;
  if (!dev) return;
  const auto turns = evaluate(chain, *dev, "dev", where);
  chain.trace.dev.push_back(
      {chain.round, turns.front().sample, turns.front().verify, {turns.begin() + 1, turns.end()}});
}

void ChainBuilder::exam(Chain& chain) {
  const auto& evaluation = chain.request.experiment.evaluate;
  if (!evaluation) return;
  const auto turns = evaluate(chain, *evaluation, "exam", "exam");
  chain.trace.exam_sample = turns.front().sample, chain.trace.exam_verify = turns.front().verify;
  chain.trace.exam_later = {turns.begin() + 1, turns.end()};
}

Trace ChainBuilder::build(const ChainRequest& request) {
  Chain chain{request, {}};
  chain.trace.seed = request.seed;
  // Extensions act on rounds, and cells share the phases before. So if any phase has rounds, an extension
  // replaces the seed of the phases with rounds alone; otherwise it replaces the seed of all of training.
  const Extensions extensions(request.extensions, options_.times_kernels);
  const bool any_rounds = std::any_of(request.phases.begin(), request.phases.end(),
                                      [](const json& phase) { return trainer_of(phase).has_rounds(); });
  for (const auto& phase : request.phases) {
    const Trainer& trainer = trainer_of(phase);
    chain.seed = any_rounds && !trainer.has_rounds() ? request.seed : extensions.training_seed(request.seed);
    trainer.add(*this, chain, phase);
  }
  exam(chain);
  return std::move(chain.trace);
}

Trace ChainBuilder::imported(const contract::Call& call, std::uint64_t seed, const contract::TaskSet& split) {
  ChainRequest request;
  request.label = call.named.at("name"), request.seed = seed;
  Chain chain{request, {}};
  chain.trace.seed = seed;
  const auto tasks = tasks_of(split);
  std::vector<Problem> problems;
  for (const auto& task : tasks)
    if (const auto problem = problem_of(task.whole, task.id)) problems.push_back(*problem);
  Inputs inputs = {{"tasks", add(chain, contract::TasksSpec{tasks}, {}, "exam/tasks", false)}};
  contract::ImportedSpec spec;
  try {
    const auto found = find_results(call, options_.file_folder, problems);
    const auto enter = [&](const char* name, const std::string& key, const std::filesystem::path& path) {
      if (!key.empty()) plan_.data[key] = path, inputs[name] = key;
    };
    enter("results", found.key, found.place.path);
    enter("baseline", found.baseline_key, found.place.baseline);
    enter("compiled_baseline", found.compiled_baseline_key, found.place.compiled_baseline);
    spec.level = found.place.level;
  } catch (const UserError& error) {
    missing(error.what(), error.help);
    inputs["results"] = sha256_hex("results that are missing: " + imported_key(call));
  }
  chain.trace.exam_verify = add(chain, spec, inputs, "imported", false);
  chain.trace.exam_sample = chain.trace.exam_verify;
  return std::move(chain.trace);
}

}  // namespace trl::interpreter
