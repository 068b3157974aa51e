// Computes the requirements of an experiment on the machine that runs it.
#pragma once

#include <string>

#include "interpreter/doctor/finding.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The requirements of the stages whose results the store lacks. `document` is the program's, `plan` the
/// experiment's, and `device` ("cpu" or "cuda") the device on which models are to run. A modelled size that
/// depends on unknown values is 0.
Needs needs_of(const nlohmann::json& document, const Plan& plan, const Store& store,
               const std::string& device);

}  // namespace trl::interpreter
