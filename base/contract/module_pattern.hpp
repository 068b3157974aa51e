// An adapter's settings for some modules, in the form of declarations and specs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

/// A call of `modules`: {"call": "modules", "args": ["down_proj"], "named": {"rank": 32, "alpha": 64}}.
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
