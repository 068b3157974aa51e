// The spec of the stage `imported` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace trl::contract {

/// A stage `imported`: results of a run of KernelBench that were made elsewhere, as verdicts.
struct ImportedSpec {
  static constexpr const char* kind = "imported";
  std::optional<std::int64_t> level;  ///< that the results are of; none: a folder for each level
  static ImportedSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
