// Hashes of values and files, by which results are named.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// The same text for equal values: keys sorted, no white space, integers without a fraction whatever their
/// type.
std::string canonical(const nlohmann::json& value);

/// The value that `canonical` prints: doubles that are integers below 2^53 become integers.
nlohmann::json normalised(nlohmann::json value);

}  // namespace trl::interpreter
