// Declares the trainers. Each trainer is defined in a .cpp file of this folder.
#pragma once

#include "interpreter/plan/trainer.hpp"

namespace trl::interpreter::trainers {

#define TRAINER(name) extern const Trainer name;
#include "interpreter/plan/trainers/trainers.def"
#undef TRAINER

/// The name of a declaration; for a declaration without a name, its variant, such as "best_of_n".
std::string name_of(const contract::Declaration& declaration);

}  // namespace trl::interpreter::trainers
