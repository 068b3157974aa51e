// A rank and an alpha for some of the modules that an adapter changes, as programs and specs write them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

/// The settings of the modules that match a pattern: {"call": "modules", "args": ["down_proj"], "named":
/// {"rank": 32, "alpha": 64}}.
struct ModulePattern {
  std::string pattern;
  std::optional<std::int64_t> rank;
  std::optional<double> alpha;

  /// Throws ContractError.
  static ModulePattern read(const nlohmann::json& input);
  nlohmann::json write() const;
  bool operator==(const ModulePattern&) const = default;
};

}  // namespace trl::contract
