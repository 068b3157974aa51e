// A way to train that this version doesn't carry out: one stage, which can be planned.
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string known_variants() {
  std::string text;
  const auto& all = all_trainers();
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + std::string(all[i]->variant);
  return text;
}

/// What stages are told of a declaration: not what it is called, nor what it is.
json without(json declared, std::initializer_list<const char*> fields) {
  for (const char* field : fields) declared.erase(field);
  return declared;
}

void add_planned(ChainBuilder& builder, Chain& chain, const json& declared) {
  const auto declaration = contract::Declaration::read(declared);
  const auto& experiment = chain.request.experiment;
  builder.missing(
      "train " + declaration.name + " : " + declaration.variant + " isn't carried out by this version",
      "Use " + known_variants() + ".");
  json spec =
      without(declared, {"kind", "name", "doc", "implementation", "version", "precision", "framework"});
  contract::Reading form(declared);
  std::optional<contract::Formula> reward;
  std::optional<contract::TaskSet> tasks;
  std::optional<contract::Call> data;
  auto precision = contract::Precision::task;
  auto framework = contract::Framework::none;
  form.if_any("reward", reward);
  form.if_any("tasks", tasks);
  form.if_any("data", data);
  form.field_or("precision", precision);
  form.field_or("framework", framework);
  if (reward) spec["reward"] = reward->normalised().write();
  if (tasks) spec["tasks"] = contract::written(builder.judged_tasks_of(*tasks));
  auto inputs = builder.with_model(chain);
  if (data) {
    inputs["samples"] = builder.corpus(chain, *data);
    spec.erase("data");
  }
  if (experiment.adapter) spec["adapter"] = experiment.adapter->write();
  spec["extensions"] = json::array();
  for (const auto& extension : chain.request.extensions)
    spec["extensions"].push_back(without(extension, {"name", "doc"}));
  spec["seed"] = chain.seed;
  spec["precision"] = experiment.model.precision;
  // Of the model above; how candidates are judged is said beside it.
  if (precision != contract::Precision::task) spec["verify"]["precision"] = contract::word(precision);
  if (framework != contract::Framework::none) spec["verify"]["framework"] = contract::word(framework);
  if (const auto language = said_language(experiment)) spec["language"] = contract::word(*language);
  chain.adapter = builder.add(chain,
                              make_stage("train", spec, inputs, trainers::name_of(declaration) + "/train",
                                         declaration.carried_out_by()),
                              true);
}

}  // namespace

const Trainer trainers::planned = {
    .variant = "", .add = add_planned, .uses_rewards = [](const json&) { return true; }};

}  // namespace trl::interpreter
