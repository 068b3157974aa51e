// The spec of the stage `imported` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace trl::contract {

/// The spec of a stage `imported`, which imports the results of a run of KernelBench as verdicts.
struct ImportedSpec {
  static constexpr const char* kind = "imported";
  /// The level of KernelBench that the results belong to; none: there is a folder for each level.
  std::optional<std::int64_t> level;
  static ImportedSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
