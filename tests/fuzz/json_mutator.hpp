// Changes to a JSON document that keep it one.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

namespace trl::fuzz {

/// `document` with one to four changes: members taken away, doubled, exchanged or taken from `other`, numbers
/// at the edges of what they may be, texts of kernels changed as `mutated_ttir` does. The same for the same
/// arguments.
nlohmann::json mutated_json(nlohmann::json document, const nlohmann::json& other, std::uint32_t seed);

}  // namespace trl::fuzz
