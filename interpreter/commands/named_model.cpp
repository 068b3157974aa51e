#include "interpreter/commands/named_model.hpp"

#include "ground/error.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;

fs::path model_folder(const std::string& name) {
  if (fs::is_directory(name)) return fs::absolute(name).lexically_normal();
  const auto weights = [](const std::string& call, const json& arguments) {
    return json{{"call", call}, {"args", arguments}, {"named", json::object()}};
  };
  if (name == "windtunnel.base") return find_model(weights(name, json::array()), find_home(), "").path;
  if (name.starts_with(".") || name.starts_with("/") || name.find('/') == std::string::npos)
    throw UserError(
        "there is no folder " + name,
        "MODEL is a folder with config.json, model.safetensors and tokenizer.json, windtunnel.base, or a "
        "name on Hugging Face, such as Qwen/Qwen2.5-Coder-0.5B.");
  return find_model(weights("huggingface", json::array({name})), find_home(), "").path;
}

fs::path adapter_folder(const std::string& name) {
  for (const char* file : {"adapter_config.json", "adapter_model.safetensors"})
    if (!fs::exists(fs::path(name) / file))
      throw UserError(
          (fs::path(name) / file).string() + " doesn't exist",
          "An adapter is a folder with adapter_config.json and adapter_model.safetensors, as PEFT and "
          "`trl export adapter` write them.");
  return fs::absolute(name).lexically_normal();
}

}  // namespace trl::interpreter
