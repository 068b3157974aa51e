// A model on a server that samples answers for training.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// The program that serves a model. It decides by which calls adapters are loaded and answers are sampled.
enum class ServerKind { vllm, sglang };
template <>
struct Words<ServerKind> {
  static constexpr std::array<std::pair<ServerKind, const char*>, 2> list = {
      {{ServerKind::vllm, "vllm"}, {ServerKind::sglang, "sglang"}}};
};

/// The base model as a server knows it. It is part of the key of a stage `rollout`; the server's address
/// isn't.
struct RolloutModel {
  ServerKind server = ServerKind::vllm;
  std::string name;                                ///< the server's name for the base model
  std::string revision;                            ///< the user's label for one version; empty: no label
  nlohmann::json body = nlohmann::json::object();  ///< further fields of each request's body
  static RolloutModel read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
