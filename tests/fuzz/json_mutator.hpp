// Mutates a JSON document into another valid one.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

namespace trl::fuzz {

/// Returns `document` with one to four changes: members removed, duplicated, exchanged or taken from `other`,
/// numbers set to limits of their range, texts of kernels changed as by `mutated_ttir`. Deterministic in the
/// arguments.
nlohmann::json mutated_json(nlohmann::json document, const nlohmann::json& other, std::uint32_t seed);

}  // namespace trl::fuzz
