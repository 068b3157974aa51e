#include "runtime/train/prompt_format.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

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

  std::string text(const std::vector<Token>& answer) const override { return tokenizer_.decode(answer); }

  const std::vector<Token>& ends() const override { return ends_; }

 private:
  const Tokenizer& tokenizer_;
  std::vector<Token> before_, after_, ends_;
};

class ChatFormat : public PromptFormat {
 public:
  ChatFormat(const Tokenizer& tokenizer, Chat chat, std::vector<Token> ends)
      : tokenizer_(tokenizer), chat_(std::move(chat)), ends_(std::move(ends)) {}

  std::vector<Token> prompt(const std::string& text) const override {
    // If the text contains a special token's spelling, only the template's own text may become special
    // tokens.
    if (tokenizer_.encode(text) == tokenizer_.encode_ordinary(text)) return tokenizer_.encode(written(text));
    const std::string mark = "\x01 the message \x01";
    const auto around = written(mark);
    std::vector<Token> tokens;
    const auto add = [&](const std::vector<Token>& more) {
      tokens.insert(tokens.end(), more.begin(), more.end());
    };
    std::size_t from = 0;
    for (auto at = around.find(mark); at != std::string::npos; at = around.find(mark, from)) {
      add(tokenizer_.encode(std::string_view(around).substr(from, at - from)));
      add(tokenizer_.encode_ordinary(text));
      from = at + mark.size();
    }
    add(tokenizer_.encode(std::string_view(around).substr(from)));
    return tokens;
  }

  std::vector<Token> answer(const std::string& text) const override {
    return tokenizer_.encode_ordinary(text);
  }

  std::string text(const std::vector<Token>& answer) const override { return tokenizer_.decode(answer); }

  const std::vector<Token>& ends() const override { return ends_; }

 private:
  std::string written(const std::string& text) const {
    Chat::Options options;
    options.today = "2024-07-26";
    return chat_.render(nlohmann::ordered_json::array({{{"role", "user"}, {"content", text}}}), options);
  }

  const Tokenizer& tokenizer_;
  Chat chat_;
  std::vector<Token> ends_;
};

// Returns the tokens that the post-processor puts before a text. Tokens that it puts after a text are left
// out: they would end an answer before it has begun.
std::vector<Token> before_a_text(const Tokenizer& tokenizer, Token sample) {
  auto tokens = tokenizer.with_surroundings({sample});
  tokens.erase(std::find(tokens.begin(), tokens.end(), sample), tokens.end());
  return tokens;
}

}  // namespace

std::unique_ptr<PromptFormat> marked_format(const Tokenizer& tokenizer) {
  return std::make_unique<Format>(tokenizer, std::vector<Token>{},
                                  std::vector<Token>{tokenizer.special(kAnswer)},
                                  std::vector<Token>{tokenizer.special(kEndOfText)});
}

std::unique_ptr<PromptFormat> plain_format(const Tokenizer& tokenizer, std::vector<Token> before,
                                           std::vector<Token> ends) {
  return std::make_unique<Format>(tokenizer, std::move(before), std::vector<Token>{}, std::move(ends));
}

std::unique_ptr<PromptFormat> chat_format(const Tokenizer& tokenizer, Chat chat, std::vector<Token> ends) {
  return std::make_unique<ChatFormat>(tokenizer, std::move(chat), std::move(ends));
}

std::unique_ptr<PromptFormat> format_of(const std::filesystem::path& folder, const ModelConfig& config,
                                        const Tokenizer& tokenizer) {
  if (tokenizer.find(kAnswer)) return marked_format(tokenizer);
  if (config.end_tokens.empty()) {
    throw UserError(
        fmt::format("{}: the model names no token that ends an answer", (folder / "config.json").string()),
        "set `eos_token_id` in config.json or generation_config.json");
  }
  if (auto chat = Chat::load(folder); !chat.empty())
    return chat_format(tokenizer, std::move(chat), {config.end_tokens.begin(), config.end_tokens.end()});
  // Any token will do that isn't special.
  const auto text = tokenizer.encode_ordinary("a");
  return plain_format(tokenizer, text.empty() ? std::vector<Token>{} : before_a_text(tokenizer, text[0]),
                      {config.end_tokens.begin(), config.end_tokens.end()});
}

}  // namespace trl::runtime
