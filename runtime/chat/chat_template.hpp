// Chat templates: the text that a model's conversation is written as.
#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace trl::runtime {

namespace chat {
struct Template;
}

/// A template in the part of Jinja that chat templates use, with the settings that transformers gives it
/// (`trim_blocks`, `lstrip_blocks`, its own `tojson`, `raise_exception`, `strftime_now`). Immutable; may be
/// rendered by several threads.
class ChatTemplate {
 public:
  /// Throws UserError with `name`, line and column for mistakes, and for what isn't supported.
  ChatTemplate(std::string_view source, std::string name);

  /// The text for variables such as `messages`, `tools` and `add_generation_prompt`. `now` is what
  /// strftime_now writes. Throws UserError with line and column where an expression fails, when the template
  /// calls raise_exception, and when it would take more than 5 million steps or write more than 8 MiB.
  std::string render(const nlohmann::ordered_json& variables, const std::tm& now) const;

 private:
  std::string name_;
  std::shared_ptr<const chat::Template> parsed_;
};

/// The chat templates of a model's folder and its special tokens, as transformers finds them.
class Chat {
 public:
  /// What a conversation is rendered with.
  struct Options {
    nlohmann::ordered_json tools;      // a list of JSON schemas, or null
    nlohmann::ordered_json documents;  // null where there are none
    bool add_generation_prompt = true;
    nlohmann::ordered_json variables = nlohmann::ordered_json::object();  // others that the template reads
    std::string name;                                                     // of one of several templates
    std::tm now{};
  };

  /// Reads chat_template.jinja and additional_chat_templates/NAME.jinja, or else `chat_template` of
  /// tokenizer_config.json; special tokens from tokenizer_config.json and special_tokens_map.json. Throws
  /// UserError naming the file.
  static Chat load(const std::filesystem::path& folder);

  bool empty() const { return templates_.empty(); }

  /// The text of `messages`, a list of {"role": …, "content": …, …}. Of several templates the one called
  /// `options.name` is taken; without a name "tool_use" where there are tools and it exists, else "default".
  /// Throws UserError when there is no such template.
  std::string render(const nlohmann::ordered_json& messages, const Options& options) const;

  /// Special tokens by name, such as bos_token.
  const nlohmann::ordered_json& special_tokens() const { return special_tokens_; }

 private:
  std::string folder_;
  std::map<std::string, ChatTemplate> templates_;
  nlohmann::ordered_json special_tokens_ = nlohmann::ordered_json::object();
};

}  // namespace trl::runtime
