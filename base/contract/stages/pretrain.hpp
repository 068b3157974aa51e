// The spec of the stage `pretrain` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/architecture.hpp"
#include "base/contract/optimisation.hpp"

namespace trl::contract {

struct PretrainSpec {
  static constexpr const char* kind = "pretrain";
  Architecture architecture;
  std::int64_t steps = 0, batch = 0, sequence = 0;
  Optimisation optimisation = {0, 0, "cosine", 0.1, 1};
  std::string precision = "bf16";  ///< the precision of weights and activations in computations
  std::uint64_t seed = 0;
  static PretrainSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
