#include "runtime/train/prompt_format.hpp"

#include <fmt/format.h>

#include "ground/error.hpp"
#include "ground/json_text.hpp"

namespace trl::runtime {
namespace {

class Format : public PromptFormat {
 public:
  Format(const Tokenizer& tokenizer, std::vector<Token> before, std::vector<Token> after,
         std::vector<Token> ends)
      : tokenizer_(tokenizer), before_(std::move(before)), after_(std::move(after)), ends_(std::move(ends)) {}

  std::vector<Token> prompt(const std::string& text) const override {
    auto tokens = before_;
    const auto own = tokenizer_.encode_ordinary(text);
    tokens.insert(tokens.end(), own.begin(), own.end());
    tokens.insert(tokens.end(), after_.begin(), after_.end());
    return tokens;
  }

  std::vector<Token> answer(const std::string& text) const override {
    return tokenizer_.encode_ordinary(text);
  }

  const std::vector<Token>& ends() const override { return ends_; }

 private:
  const Tokenizer& tokenizer_;
  std::vector<Token> before_, after_, ends_;
};

// Whether the tokenizer's configuration asks for the begin token before a text.
bool adds_begin_token(const std::filesystem::path& folder) {
  const auto file = folder / "tokenizer_config.json";
  if (!std::filesystem::exists(file)) return false;
  const auto json = read_json(file);
  const auto found = json.find("add_bos_token");
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::unique_ptr<PromptFormat> marked_format(const Tokenizer& tokenizer) {
  return std::make_unique<Format>(tokenizer, std::vector<Token>{},
                                  std::vector<Token>{tokenizer.special(kAnswer)},
                                  std::vector<Token>{tokenizer.special(kEndOfText)});
}

std::unique_ptr<PromptFormat> plain_format(const Tokenizer& tokenizer, std::optional<Token> begin,
                                           std::vector<Token> ends) {
  return std::make_unique<Format>(tokenizer, begin ? std::vector<Token>{*begin} : std::vector<Token>{},
                                  std::vector<Token>{}, std::move(ends));
}

std::unique_ptr<PromptFormat> format_of(const std::filesystem::path& folder, const ModelConfig& config,
                                        const Tokenizer& tokenizer) {
  if (tokenizer.find(kAnswer)) return marked_format(tokenizer);
  if (config.end_tokens.empty()) {
    throw UserError(
        fmt::format("{}: the model names no token that ends an answer", (folder / "config.json").string()),
        "set `eos_token_id` in config.json or generation_config.json");
  }
  std::optional<Token> begin;
  if (config.begin_token && adds_begin_token(folder)) begin = static_cast<Token>(*config.begin_token);
  return plain_format(tokenizer, begin, {config.end_tokens.begin(), config.end_tokens.end()});
}

}  // namespace trl::runtime
