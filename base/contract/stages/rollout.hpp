// The spec of the stage `rollout` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/kernel_language.hpp"
#include "base/contract/rollout_model.hpp"
#include "base/contract/sampling.hpp"

namespace trl::contract {

/// The spec of a stage `rollout`, which samples answers for training from a model on a server, into which it
/// loads the adapter. It is like the stage `sample`, whose model runs locally.
struct RolloutSpec {
  static constexpr const char* kind = "rollout";
  RolloutModel model;
  std::int64_t samples = 0;  ///< answers for each task
  Sampling sampling;
  std::string purpose;  ///< the use of the answers: train, measure
  int round = 0;
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  bool scores = false;      ///< whether each answer's tokens are kept with their log-probabilities
  /// The turn of each episode, from 1. From turn 2 on, the inputs are the previous turn's candidates and
  /// verdicts.
  int turn = 1;
  std::string feedback = {};  ///< the template of the prompts from turn 2 on
  static RolloutSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
