// The spec of the stage `sample` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/adapter.hpp"
#include "base/contract/kernel_language.hpp"
#include "base/contract/sampling.hpp"

namespace trl::contract {

struct SampleSpec {
  static constexpr const char* kind = "sample";
  std::int64_t samples = 0;  ///< answers for each task
  Sampling sampling;
  std::string purpose;  ///< the use of the answers: train, measure, dev, exam
  int round = 0;
  std::uint64_t seed = 0;
  std::string precision = "bf16";
  std::string quantize = "none";  ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  Sampled adapter = Sampled::merged;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  bool scores = false;      ///< whether each answer's tokens are kept with their log-probabilities
  /// The turn of each episode, from 1. From turn 2 on, the inputs are the previous turn's candidates and
  /// verdicts.
  int turn = 1;
  std::string feedback = {};  ///< the template of the prompts from turn 2 on
  static SampleSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
