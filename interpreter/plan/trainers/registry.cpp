#include <algorithm>

#include "base/support/error.hpp"
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

std::string trainers::name_of(const contract::Declaration& declaration) {
  return declaration.name.empty() ? declaration.variant : declaration.name;
}

}  // namespace trl::interpreter
