// A tokenizer that isn't the wind tunnel's: it lacks the token <|answer|>.
#pragma once

#include "runtime/tokenizer/tokenizer.hpp"
#include "runtime/tokenizer/trainer.hpp"

namespace trl::runtime::testing {

/// Returns a tokenizer.json with <|endoftext|> as token 0, and with <|unused|> in the place of <|answer|>.
inline nlohmann::json foreign_tokenizer() {
  TokenizerTrainer trainer;
  trainer.add("import triton, a kernel, a program");
  nlohmann::json document = trainer.train(290);
  for (auto& added : document["added_tokens"])
    if (added["content"] == kAnswer) added["content"] = "<|unused|>";
  auto& vocabulary = document["model"]["vocab"];
  if (vocabulary.contains(kAnswer)) {
    vocabulary["<|unused|>"] = vocabulary[kAnswer];
    vocabulary.erase(kAnswer);
  }
  return document;
}

}  // namespace trl::runtime::testing
