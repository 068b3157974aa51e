// The settings with which a model samples answers, as programs, specs of stages and requests state them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::contract {

/// The settings with which a model samples answers.
struct Sampling {
  double temperature = 0;
  std::int64_t top_k = 0;  ///< tokens are sampled from the top_k most likely ones; 0: from all
  /// Tokens are sampled from the most likely ones, up to this cumulative probability; 1: from all.
  double top_p = 1;
  std::vector<std::string> stop;  ///< texts that end an answer
  std::int64_t max_tokens = 0;
  static Sampling read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

template <class Form, class Self>
void Sampling::fields(Form& form, Self& self) {
  form.field("temperature", self.temperature);
  form.unless("top_k", self.top_k, 0);
  form.unless("top_p", self.top_p, 1);
  form.unless("stop", self.stop, {});
  form.field("max_tokens", self.max_tokens);
}

/// Episodes of several turns: after a wrong answer the model is prompted again, with the reason of the
/// failure.
struct Episodes {
  int turns = 1;         ///< the largest number of answers in an episode
  std::string feedback;  ///< the template of the prompts from the second turn on (base/support/feedback.hpp)
  static Episodes read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
