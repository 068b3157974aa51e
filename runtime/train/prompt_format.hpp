// The formats in which models read prompts and write answers.
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

  /// Returns the tokens of a prompt, after which the answer is sampled. Spellings of special tokens in the
  /// text are ordinary text.
  virtual std::vector<Token> prompt(const std::string& text) const = 0;

  /// Returns the tokens of an answer without an end token.
  virtual std::vector<Token> answer(const std::string& text) const = 0;

  /// Returns the text of an answer's tokens.
  virtual std::string text(const std::vector<Token>& answer) const = 0;

  /// The end tokens: any of them ends an answer. Never empty. In training, the first is appended to
  /// every answer that wasn't cut off.
  virtual const std::vector<Token>& ends() const = 0;
};

/// The format of the project's own small models ("wind tunnel"): prompt, <|answer|>, answer, <|endoftext|>.
/// `tokenizer` must outlive the format. Throws UserError when the tokenizer lacks one of these tokens.
std::unique_ptr<PromptFormat> marked_format(const Tokenizer& tokenizer);

/// The format of a model without a chat template: the tokens `before`, the prompt, and directly after it the
/// answer. `ends` must not be empty. `tokenizer` must outlive the format.
std::unique_ptr<PromptFormat> plain_format(const Tokenizer& tokenizer, std::vector<Token> before,
                                           std::vector<Token> ends);

/// The format of a model with a chat template: a conversation with one message of the user, up to the
/// beginning of the answer. The template gets 26 July 2024 as the date (Llama's default without a clock), so
/// that a prompt has the same tokens on every day. `ends` must not be empty. `tokenizer` must outlive the
/// format.
std::unique_ptr<PromptFormat> chat_format(const Tokenizer& tokenizer, Chat chat, std::vector<Token> ends);

/// Returns the format of the model in a folder:
/// - marked_format if the tokenizer has the token <|answer|>;
/// - else chat_format if there is a chat template;
/// - else plain_format, with the tokens that the tokenizer's post-processor puts before a text, such as <s>.
/// Throws UserError when the model names no token that ends an answer.
std::unique_ptr<PromptFormat> format_of(const std::filesystem::path& folder, const ModelConfig& config,
                                        const Tokenizer& tokenizer);

}  // namespace trl::runtime
