// The sizes of a model's layers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace trl::contract {

/// The sizes of a model that is trained from random weights.
struct Architecture {
  std::int64_t hidden = 0, layers = 0, heads = 0, kv_heads = 0, intermediate = 0, context = 0;
  double rope_theta = 1e4;
  static Architecture read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
