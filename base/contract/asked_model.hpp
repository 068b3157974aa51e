// A model that a server has, as it is asked.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/words.hpp"

namespace trl::contract {

/// A parameter of OpenAI's API for chats. Servers differ in those that they know.
enum class Parameter { temperature, top_p, top_k, max_tokens, max_completion_tokens, stop, seed };
template <>
struct Words<Parameter> {
  static constexpr std::array<std::pair<Parameter, const char*>, 7> list = {
      {{Parameter::temperature, "temperature"},
       {Parameter::top_p, "top_p"},
       {Parameter::top_k, "top_k"},
       {Parameter::max_tokens, "max_tokens"},
       {Parameter::max_completion_tokens, "max_completion_tokens"},
       {Parameter::stop, "stop"},
       {Parameter::seed, "seed"}}};
};

/// What tells a server's model from others, and how it is spoken to: this enters keys.
struct AskedModel {
  std::string name;                   ///< as the server calls it
  std::string revision;               ///< what the user tells it by from others of the name; empty: nothing
  std::optional<std::string> system;  ///< a message before the prompt
  std::vector<Parameter> parameters;  ///< those that are sent
  bool sends(Parameter parameter) const;
  static AskedModel read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
