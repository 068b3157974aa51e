#include "interpreter/commands/named_model.hpp"

#include <algorithm>
#include <vector>

#include "base/support/error.hpp"
#include "interpreter/commands/console.hpp"
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

namespace {

/// A folder of an adapter within this folder, such as checkpoint-500; empty if there is none.
fs::path adapter_within(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (fs::exists(entry.path() / "adapter_config.json", none)) found.push_back(entry.path());
  return found.empty() ? fs::path() : *std::max_element(found.begin(), found.end());
}

}  // namespace

fs::path adapter_folder(const std::string& name) {
  const fs::path folder(name), config = folder / "adapter_config.json",
                               weights = folder / "adapter_model.safetensors";
  if (!fs::exists(folder))
    throw UserError("there is no folder " + name,
                    "An adapter is a folder that PEFT's save_pretrained or `trl export adapter` wrote.");
  if (!fs::is_directory(folder))
    throw UserError(name + " is a file",
                    "Name the folder in which it lies: " +
                        (folder.has_parent_path() ? folder.parent_path().string() : "."));
  if (!fs::exists(config)) {
    if (const auto within = adapter_within(folder); !within.empty())
      throw UserError(config.string() + " doesn't exist",
                      "The folder has an adapter in it: name " + within.string());
    if (fs::exists(folder / "config.json"))
      throw UserError(
          name + " is a model's folder, not an adapter's: it has config.json and no adapter_config.json",
          "Name it as the model, without --adapter.");
    throw UserError(config.string() + " doesn't exist",
                    "It says the adapter's rank, alpha and targets; PEFT's save_pretrained writes it beside "
                    "the weights.");
  }
  if (!fs::exists(weights))
    throw UserError(
        weights.string() + " doesn't exist",
        fs::exists(folder / "adapter_model.bin")
            ? "adapter_model.bin is a pickle, which isn't read: load the adapter with PEFT and save it "
              "again, which writes safetensors."
            : "The adapter's weights are missing: copy the folder whole, or save the adapter again.");
  return fs::absolute(folder).lexically_normal();
}

}  // namespace trl::interpreter
