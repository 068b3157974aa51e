// How a model is asked for an answer.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runtime/chat/chat.hpp"
#include "runtime/model/config.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// How a task's prompt and its answer become tokens, for sampling and for training alike.
class PromptFormat {
 public:
  virtual ~PromptFormat() = default;

  /// The tokens from which sampling starts. Spellings of special tokens in the text are ordinary text.
  virtual std::vector<Token> prompt(const std::string& text) const = 0;

  /// The tokens of an answer without its end.
  virtual std::vector<Token> answer(const std::string& text) const = 0;

  /// The text of an answer's tokens.
  virtual std::string text(const std::vector<Token>& answer) const = 0;

  /// The tokens any of which ends an answer; never empty. Training appends the first.
  virtual const std::vector<Token>& ends() const = 0;
};

/// The wind tunnel's: prompt, <|answer|>, answer, <|endoftext|>. `tokenizer` must outlive it. Throws
/// UserError when the tokenizer lacks one of these tokens.
std::unique_ptr<PromptFormat> marked_format(const Tokenizer& tokenizer);

/// A tokenizer without a template: the answer simply goes on after the prompt. The tokens `before` come
/// first; `ends` must not be empty. `tokenizer` must outlive it.
std::unique_ptr<PromptFormat> plain_format(const Tokenizer& tokenizer, std::vector<Token> before,
                                           std::vector<Token> ends);

/// A conversation of one message of the user, as the model's chat template writes it up to where the answer
/// begins. A template that writes the date gets 26 July 2024, the one that Llama's has where there is no
/// clock: the same prompt gives the same tokens on every day. `tokenizer` must outlive it; `ends` must not be
/// empty.
std::unique_ptr<PromptFormat> chat_format(const Tokenizer& tokenizer, Chat chat, std::vector<Token> ends);

/// The format of the model in a folder: the wind tunnel's where the tokenizer has its <|answer|>; the chat
/// template's where there is one; otherwise the plain one, with the tokens that the tokenizer's
/// post-processor puts before a text, such as <s>. Throws UserError when the model names no token that ends
/// an answer.
std::unique_ptr<PromptFormat> format_of(const std::filesystem::path& folder, const ModelConfig& config,
                                        const Tokenizer& tokenizer);

}  // namespace trl::runtime
