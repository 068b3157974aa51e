// The spec of the stage `generations` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace trl::contract {

/// The spec of a stage `generations`, which imports answers from a folder in the layout of KernelBench's
/// runs.
struct GenerationsSpec {
  static constexpr const char* kind = "generations";
  std::int64_t samples = 0;  ///< answers for each task
  static GenerationsSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
