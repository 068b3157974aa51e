// Makes a model from random weights: corpus, tokenizer, model.
#include "base/contract/stages/pretrain.hpp"
#include "base/contract/architecture.hpp"
#include "base/contract/form.hpp"
#include "base/contract/optimisation.hpp"
#include "base/contract/stages/tokenizer.hpp"
#include "base/support/error.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct PretrainDeclared {
  contract::Call data;
  contract::TokenizerSpec tokenizer;
  contract::PretrainSpec model;
};

PretrainDeclared read_pretrain(const json& declared) {
  PretrainDeclared fields;
  contract::Reading form(declared);
  form.field("data", fields.data);
  fields.tokenizer = contract::TokenizerSpec::read(declared);
  form.field("steps", fields.model.steps);
  form.field("batch", fields.model.batch);
  form.field("sequence", fields.model.sequence);
  fields.model.optimisation = contract::Optimisation::read(declared);
  return fields;
}

/// Returns the architecture that the model declares, or the arguments of its weights: random(hidden = 64, …).
contract::Architecture architecture_of(const contract::Model& model, const std::string& phase) {
  json fields = model.architecture.value_or(json());
  if (fields.is_null() && model.weights.is_object()) fields = contract::Call::read(model.weights).named;
  if (!fields.is_object() || fields.empty())
    throw UserError("train " + phase + " starts a model from nothing, and the model states no architecture",
                    "Give the model hidden, layers, heads, kv_heads, intermediate and context.");
  return contract::Architecture::read(fields);
}

void add_pretrain(ChainBuilder& builder, Chain& chain, const json& declared) {
  const auto declaration = contract::Declaration::read(declared);
  const auto name = trainers::name_of(declaration);
  const auto& model = chain.request.experiment.model;
  auto fields = read_pretrain(declared);
  fields.model.architecture = architecture_of(model, name);
  fields.model.precision = model.precision, fields.model.seed = chain.seed;
  const auto data = builder.corpus(chain, fields.data);
  const auto tokenizer = builder.add(chain, fields.tokenizer, {{"corpus", data}}, name + "/tokenizer", true);
  chain.model = builder.add(chain, fields.model, {{"corpus", data}, {"tokenizer", tokenizer}},
                            name + "/pretrain", true, declaration.carried_out_by());
  chain.adapter.clear();
}

}  // namespace

const Trainer trainers::pretrain = {.variant = "pretrain", .stages = add_pretrain, .from_nothing = true};

}  // namespace trl::interpreter
