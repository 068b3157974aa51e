// The needs of an experiment of the machine on which it is to run.
#pragma once

#include <string>

#include "interpreter/doctor/finding.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The needs of the stages that the store lacks, by the experiment's document, its plan, and the device
/// ("cpu", "cuda") on which models are to run. A modelled size that depends on unknown values is 0.
Needs needs_of(const nlohmann::json& document, const Plan& plan, const Store& store,
               const std::string& device);

}  // namespace trl::interpreter
