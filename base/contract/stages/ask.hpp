// The spec of the stage `ask` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/asked_model.hpp"
#include "base/contract/kernel_language.hpp"
#include "base/contract/sampling.hpp"

namespace trl::contract {

/// A stage `ask`: as `sample`, but that a server answers.
struct AskSpec {
  static constexpr const char* kind = "ask";
  AskedModel model;
  std::int64_t samples = 0;  ///< of each task
  Sampling sampling;
  std::string purpose;  ///< exam, dev
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};    ///< the template of prompts (base/support/asking.hpp)
  int turn = 1;               ///< of episodes; later ones go on from the last one's candidates and verdicts
  std::string feedback = {};  ///< of later turns: the prompt's template
  static AskSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
