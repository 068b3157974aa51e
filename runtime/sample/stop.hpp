// Texts that end an answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// Finds texts in decoded tokens, also across tokens.
class StopTexts {
 public:
  /// `tokenizer` must outlive it. Throws UserError when a text is empty.
  StopTexts(const Tokenizer& tokenizer, std::vector<std::string> texts);

  /// Where an answer ends: the number of bytes before the first of the texts in `decode(tokens)`. To be asked
  /// after each token, since only texts that the last one completes are sure to be found. The result depends
  /// on the arguments alone.
  std::optional<std::size_t> find(const std::vector<Token>& tokens) const;

  /// The bytes at the end of a text that may be the beginning of a stop text: nobody should be shown them
  /// before more of the answer is known.
  std::size_t undecided(const std::string& text) const;

 private:
  const Tokenizer& tokenizer_;
  std::vector<std::string> texts_;
  std::size_t longest_ = 0;
};

}  // namespace trl::runtime
