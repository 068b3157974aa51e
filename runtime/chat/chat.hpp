// The text that a model's conversation is written as, by its chat template.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/chat/template_renderer.hpp"

namespace trl::runtime {

/// The chat templates of a model's folder and its special tokens, as transformers finds them. May be used by
/// several threads.
class Chat {
 public:
  /// What a conversation is rendered with.
  struct Options {
    nlohmann::ordered_json tools;  // a list of JSON schemas, or null
    bool add_generation_prompt = true;
    nlohmann::ordered_json variables = nlohmann::ordered_json::object();  // others that the template reads
    std::string name;                                                     // of one of several templates
    std::string today;  // the date that a template may write, such as 2024-07-26
  };

  /// Reads chat_template.jinja and additional_chat_templates/NAME.jinja, or else `chat_template` of
  /// tokenizer_config.json; special tokens from tokenizer_config.json and special_tokens_map.json. Throws
  /// UserError naming the file. Templates are compiled when they are first rendered.
  static Chat load(const std::filesystem::path& folder);

  bool empty() const { return templates_.empty(); }

  /// The text of `messages`, a list of {"role": …, "content": …, …}. Of several templates the one called
  /// `options.name` is taken; without a name "tool_use" where there are tools and it exists, else "default".
  /// Throws UserError when there is no such template, and as TemplateRenderer::render does.
  std::string render(const nlohmann::ordered_json& messages, const Options& options) const;

 private:
  std::string folder_;
  std::map<std::string, ChatTemplate> templates_;
  nlohmann::ordered_json special_tokens_ = nlohmann::ordered_json::object();
  std::shared_ptr<TemplateRenderer> renderer_ = std::make_shared<TemplateRenderer>();
};

}  // namespace trl::runtime
