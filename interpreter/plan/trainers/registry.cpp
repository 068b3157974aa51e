#include <algorithm>

#include "base/support/error.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {

const std::vector<const Trainer*>& all_trainers() {
  static const std::vector<const Trainer*> all = {
#define TRAINER(name) &trainers::name,
#include "interpreter/plan/trainers/trainers.def"
#undef TRAINER
  };
  return all;
}

const Trainer& trainer_of(const nlohmann::json& declared) {
  const auto declaration = contract::Declaration::read(declared);
  const auto& all = all_trainers();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](auto* one) { return one->variant == declaration.variant; });
  if (found == all.end()) {
    std::string known;
    for (const auto* one : all) known += (known.empty() ? "" : ", ") + std::string(one->variant);
    throw UserError(
        "train " + declaration.name + " : " + declaration.variant + " isn't carried out by this version",
        "It carries out " + known + ".");
  }
  return **found;
}

void Trainer::add(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared) const {
  if (has_rounds())
    add_rounds(builder, chain, declared, std::get<ReadRounds>(stages)(declared));
  else
    std::get<AddStages>(stages)(builder, chain, declared);
}

bool Trainer::uses_rewards(const nlohmann::json& declared) const {
  return has_rounds() && std::get<ReadRounds>(stages)(declared).select.uses_rewards();
}

std::string trainers::name_of(const contract::Declaration& declaration) {
  return declaration.name.empty() ? declaration.variant : declaration.name;
}

}  // namespace trl::interpreter
