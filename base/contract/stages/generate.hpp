// A request of `trl generate`, which the worker carries out as a stage `generate`.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/contract/sampling.hpp"

namespace trl::contract {

/// A request of `trl generate`: it is no stage of a plan, and nothing of it is stored.
struct GenerateSpec {
  static constexpr const char* kind = "generate";
  std::vector<std::string> prompts;
  std::int64_t samples = 1;  ///< of each prompt
  Sampling sampling;
  int round = 0;  ///< of a conversation: an equal prompt gets other draws
  std::uint64_t seed = 0;
  std::string precision = "bf16";
  std::string quantize = "none";  ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  bool raw = false;               ///< the prompt as it is, without the form in which the model is asked
  static GenerateSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
