// How answers are drawn, as declarations, specs of stages and requests say it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::contract {

/// How answers are drawn: what every declaration and request that samples says.
struct Sampling {
  double temperature = 0;
  std::int64_t top_k = 0;         ///< only so many of the most likely tokens are drawn; 0: all
  double top_p = 1;               ///< only the most likely that together have so much probability
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

/// Episodes: after an answer that fails comes another turn, whose prompt says why.
struct Episodes {
  int turns = 1;         ///< answers of one episode at most
  std::string feedback;  ///< the prompt of later turns: a template (base/support/feedback.hpp)
  static Episodes read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
