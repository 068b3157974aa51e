// A tokenizer that is not the wind tunnel's.
#pragma once

#include "runtime/tokenizer/tokenizer.hpp"
#include "runtime/tokenizer/trainer.hpp"

namespace trl::runtime::testing {

/// A tokenizer.json with <|endoftext|> as 0 and without <|answer|>, whose place <|unused|> has.
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
