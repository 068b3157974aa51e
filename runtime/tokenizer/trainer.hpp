// Learns a byte-level BPE vocabulary.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/tokenizer/pre_tokenizer.hpp"

namespace trl::runtime {

/// Counts the pieces of a corpus, then merges the most frequent pair until the vocabulary is full (Sennrich
/// et al., 2016). Of equally frequent pairs, the pair with the smaller ids is merged, so the result depends
/// on the counts alone.
class TokenizerTrainer {
 public:
  void add(std::string_view text);

  /// Returns a tokenizer.json with these ids: 0 `<|endoftext|>`, 1 `<|answer|>`, then the 256 bytes, then the
  /// merges. It has fewer entries than `vocabulary` if no pair occurs twice any more. Throws UserError when
  /// `vocabulary` < 258.
  nlohmann::ordered_json train(int vocabulary) const;

 private:
  PreTokenizer pre_tokenizer_ = PreTokenizer::byte_level();
  Pieces pieces_;
  std::unordered_map<std::string, std::int64_t> counts_;
};

}  // namespace trl::runtime
