// A model on a server, and the settings of requests to it.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/words.hpp"

namespace trl::contract {

/// A sampling parameter of OpenAI's chat API. Servers differ in the parameters that they accept.
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

/// Identifies a model on a server and says how requests address it. It is part of the keys of stages that use
/// the model.
struct AskedModel {
  std::string name;      ///< the server's name for the model
  std::string revision;  ///< the user's label for one version of the model under this name; empty: no label
  std::optional<std::string> system;               ///< the system message, sent before the prompt
  std::vector<Parameter> parameters;               ///< the sampling parameters that requests contain
  nlohmann::json body = nlohmann::json::object();  ///< further fields of each request's body
  bool sends(Parameter parameter) const;
  static AskedModel read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
