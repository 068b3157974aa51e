// The request of `trl generate`, which the worker runs like a stage of kind `generate`.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/asked_model.hpp"
#include "base/contract/sampling.hpp"

namespace trl::contract {

/// The request of `trl generate`. It belongs to no plan, and its result isn't stored.
struct GenerateSpec {
  static constexpr const char* kind = "generate";
  std::vector<std::string> prompts;
  std::int64_t samples = 1;  ///< answers for each prompt
  Sampling sampling;
  int round = 0;  ///< number in a conversation, so that a repeated prompt gets other random numbers
  std::uint64_t seed = 0;
  std::string precision = "bf16";
  std::string quantize = "none";    ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  std::optional<AskedModel> model;  ///< a model on a server, which the request names; none: a local model
  bool raw = false;  ///< whether the prompt is used as it is, without the model's chat template
  static GenerateSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
