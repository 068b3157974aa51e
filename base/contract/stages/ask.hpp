// The spec of the stage `ask` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/asked_model.hpp"
#include "base/contract/kernel_language.hpp"
#include "base/contract/sampling.hpp"

namespace trl::contract {

/// The spec of a stage `ask`, which samples answers from a model on a server. It is like the stage `sample`,
/// whose model runs locally.
struct AskSpec {
  static constexpr const char* kind = "ask";
  AskedModel model;
  std::int64_t samples = 0;  ///< answers for each task
  Sampling sampling;
  std::string purpose;  ///< the use of the answers: exam, dev
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  /// The turn of each episode, from 1. From turn 2 on, the inputs are the previous turn's candidates and
  /// verdicts.
  int turn = 1;
  std::string feedback = {};  ///< the template of the prompts from turn 2 on
  static AskSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
