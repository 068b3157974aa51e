// The spec of the stage `finetune` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/contract/adapter.hpp"
#include "base/contract/objective.hpp"
#include "base/contract/optimisation.hpp"

namespace trl::contract {

struct FinetuneSpec {
  static constexpr const char* kind = "finetune";
  Adapter adapter;
  Passes passes;
  std::string precision = "bf16";
  std::string quantize = "none";  ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  std::uint64_t seed = 0;
  int round = 0;
  OptimiserState optimiser_state = OptimiserState::fresh;
  /// None: the likelihood of each sample's answer, times the sample's weight.
  std::optional<Objective> objective = {};
  static FinetuneSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
