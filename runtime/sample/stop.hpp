// Texts that end an answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// Finds stop texts in decoded tokens. A text may extend over several tokens.
class StopTexts {
 public:
  /// `tokenizer` must outlive this object. Throws UserError when a text is empty.
  StopTexts(const Tokenizer& tokenizer, std::vector<std::string> texts);

  /// Returns the number of bytes of `decode(tokens)` before the first stop text; nothing if no stop text is
  /// found. Must be called after each token, since only stop texts that the last token completes are sure to
  /// be found. The result depends on the arguments alone.
  std::optional<std::size_t> find(const std::vector<Token>& tokens) const;

  /// Returns the number of bytes at the end of `text` that may be the beginning of a stop text. They
  /// shouldn't be shown before more of the answer is known.
  std::size_t undecided(const std::string& text) const;

 private:
  const Tokenizer& tokenizer_;
  std::vector<std::string> texts_;
  std::size_t longest_ = 0;
};

}  // namespace trl::runtime
