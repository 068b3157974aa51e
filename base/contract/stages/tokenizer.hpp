// The spec of the stage `tokenizer` (docs/interfaces.md, 3).
#pragma once

#include <nlohmann/json.hpp>

namespace trl::contract {

struct TokenizerSpec {
  static constexpr const char* kind = "tokenizer";
  int vocabulary = 0;
  static TokenizerSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
