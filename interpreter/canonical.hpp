// One text for equal JSON values: what keys are hashed of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// One text for equal values: keys sorted, no white space, whole numbers without a fraction whatever their
/// type.
std::string canonical(const nlohmann::json& value);

/// The value that `canonical` prints: doubles that are whole numbers below 2^53 become integers.
nlohmann::json normalised(nlohmann::json value);

}  // namespace trl::interpreter
