#include <algorithm>

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
  const auto variant = contract::Declaration::read(declared).variant;
  const auto& all = all_trainers();
  const auto found = std::find_if(all.begin(), all.end(), [&](auto* one) { return one->variant == variant; });
  return found == all.end() ? trainers::planned : **found;
}

std::string trainers::name_of(const contract::Declaration& declaration) {
  return declaration.name.empty() ? declaration.variant : declaration.name;
}

}  // namespace trl::interpreter
