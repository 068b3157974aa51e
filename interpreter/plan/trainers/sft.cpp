// Fine-tuning on a corpus.
#include "base/contract/form.hpp"
#include "base/contract/optimisation.hpp"
#include "base/contract/stages/finetune.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

void add_sft(ChainBuilder& builder, Chain& chain, const json& declared) {
  const auto declaration = contract::Declaration::read(declared);
  const auto name = trainers::name_of(declaration);
  auto inputs = builder.with_model(chain);
  inputs["samples"] = builder.corpus(chain, contract::field_of<contract::Call>(declared, "data"));
  chain.adapter =
      builder.add(chain, ChainBuilder::finetune_spec(chain, name, contract::Passes::read(declared), 0),
                  inputs, name + "/finetune", true, declaration.carried_out_by());
}

}  // namespace

const Trainer trainers::sft = {.variant = "sft", .stages = add_sft, .from_nothing = false};

}  // namespace trl::interpreter
