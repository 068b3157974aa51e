// Writes a conversation as the text that a model reads, by the model's chat template.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/chat/template_renderer.hpp"

namespace trl::runtime {

/// The chat templates and special tokens in a model's folder, read from the same files as in transformers.
/// May be used by several threads.
class Chat {
 public:
  /// The values, in addition to the messages, with which a conversation is rendered.
  struct Options {
    nlohmann::ordered_json tools;  // a list of JSON schemas, or null
    bool add_generation_prompt = true;
    nlohmann::ordered_json variables = nlohmann::ordered_json::object();  // further variables of the template
    std::string name;   // the template's name, if there are several; may be empty
    std::string today;  // the date that a template may write, such as 2024-07-26
  };

  /// Reads chat_template.jinja and additional_chat_templates/NAME.jinja, or else `chat_template` of
  /// tokenizer_config.json; special tokens from tokenizer_config.json and special_tokens_map.json. Throws
  /// UserError naming the file. Templates are compiled when they are first rendered.
  static Chat load(const std::filesystem::path& folder);

  bool empty() const { return templates_.empty(); }

  /// Returns the text of `messages`, a list of {"role": …, "content": …, …}. If the model has several
  /// templates, the template `options.name` is used. If the name is empty, "tool_use" is used if it exists
  /// and there are tools, else "default". Throws UserError when there is no such template, and for the errors
  /// of TemplateRenderer::render.
  std::string render(const nlohmann::ordered_json& messages, const Options& options) const;

 private:
  std::string folder_;
  std::map<std::string, ChatTemplate> templates_;
  nlohmann::ordered_json special_tokens_ = nlohmann::ordered_json::object();
  std::shared_ptr<TemplateRenderer> renderer_ = std::make_shared<TemplateRenderer>();
};

}  // namespace trl::runtime
