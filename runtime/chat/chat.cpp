#include "runtime/chat/chat.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "base/support/reading.hpp"

namespace trl::runtime {

Chat Chat::load(const std::filesystem::path& folder) {
  using nlohmann::ordered_json;
  Chat chat;
  chat.folder_ = folder.string();
  const auto read = [&](const char* file) {
    const auto path = folder / file;
    ordered_json document = ordered_json::object();
    if (std::filesystem::exists(path)) {
      try {
        document = ordered_json::parse(read_text(path, {.within = folder}));
      } catch (const ordered_json::exception& error) {
        throw UserError(fmt::format("{}: not JSON: {}", path.string(), error.what()));
      }
      if (!document.is_object()) throw UserError(fmt::format("{}: an object is needed", path.string()));
    }
    return document;
  };
  const auto add = [&](const std::string& name, const std::string& source, const std::string& file) {
    chat.templates_.insert_or_assign(name, ChatTemplate{source, file});
  };
  const ordered_json config = read("tokenizer_config.json"), map = read("special_tokens_map.json");
  for (const ordered_json* document : {&map, &config}) {
    for (const char* name :
         {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
      const auto found = document->find(name);
      if (found == document->end()) continue;
      if (found->is_string())
        chat.special_tokens_[name] = *found;
      else if (found->is_object() && found->contains("content") && found->at("content").is_string())
        chat.special_tokens_[name] = found->at("content");
      else if (found->is_null())
        chat.special_tokens_.erase(name);
      else
        throw UserError(
            fmt::format("{}: {} is neither text nor an object with content", folder.string(), name));
    }
  }
  if (const auto file = folder / "chat_template.jinja"; std::filesystem::exists(file)) {
    add("default", read_text(file, {.within = folder}), file.string());
    if (const auto more = folder / "additional_chat_templates"; std::filesystem::is_directory(more))
      for (const auto& entry : std::filesystem::directory_iterator(more))
        if (entry.path().extension() == ".jinja")
          add(entry.path().stem().string(), read_text(entry.path(), {.within = folder}),
              entry.path().string());
    return chat;
  }
  const auto given = config.find("chat_template");
  if (given == config.end() || given->is_null()) return chat;
  const std::string file = (folder / "tokenizer_config.json").string() + ": chat_template";
  if (given->is_string()) {
    add("default", given->get<std::string>(), file);
    return chat;
  }
  const auto wrong = [&] {
    return UserError(fmt::format("{}: neither text nor a list of {{\"name\": …, \"template\": …}}", file));
  };
  if (!given->is_array()) throw wrong();
  for (const auto& one : *given) {
    if (!one.is_object() || !one.contains("name") || !one["name"].is_string() || !one.contains("template") ||
        !one["template"].is_string())
      throw wrong();
    add(one["name"].get<std::string>(), one["template"].get<std::string>(),
        file + " " + one["name"].get<std::string>());
  }
  return chat;
}

std::string Chat::render(const nlohmann::ordered_json& messages, const Options& options) const {
  if (templates_.empty())
    throw UserError(fmt::format("{}: the model has no chat template", folder_),
                    "put one into chat_template.jinja, or use a model that was trained for conversations");
  std::string name = options.name;
  if (name.empty())
    name = !options.tools.is_null() && templates_.contains("tool_use") ? "tool_use" : "default";
  const auto found = templates_.find(name);
  if (found == templates_.end()) {
    std::string names;
    for (const auto& [one, made] : templates_) names += (names.empty() ? "" : ", ") + one;
    throw UserError(fmt::format("{}: there is no chat template {}", folder_, name), "there are: " + names);
  }
  if (!messages.is_array() || messages.empty())
    throw UserError(fmt::format("{}: a conversation needs at least one message", folder_));
  nlohmann::ordered_json variables = special_tokens_;
  variables["messages"] = messages;
  variables["tools"] = options.tools;
  variables["documents"] = nullptr;
  variables["add_generation_prompt"] = options.add_generation_prompt;
  for (const auto& [key, value] : options.variables.items()) variables[key] = value;
  return renderer_->render(found->second, variables, options.today);
}

}  // namespace trl::runtime
