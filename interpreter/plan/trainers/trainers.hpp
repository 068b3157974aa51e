// Each file of this folder defines one of these.
#pragma once

#include "interpreter/plan/trainer.hpp"

namespace trl::interpreter::trainers {

#define TRAINER(name) extern const Trainer name;
#include "interpreter/plan/trainers/trainers.def"
#undef TRAINER

/// "best_of_n" of a declaration without a name.
std::string name_of(const contract::Declaration& declaration);

}  // namespace trl::interpreter::trainers
