#include "runtime/adapter/peft.hpp"

#include <fmt/format.h>

#include "ground/error.hpp"
#include "ground/files.hpp"
#include "ground/json_text.hpp"
#include "runtime/model/safetensors.hpp"

namespace trl::runtime {
namespace {

std::string key(Family family, std::int64_t layer, Projection projection, char which) {
  return fmt::format("base_model.model.{}.lora_{}.weight", module_path(family, layer, projection), which);
}

}  // namespace

std::string base_name(const std::filesystem::path& folder) {
  constexpr std::string_view prefix = "models--";
  const auto snapshots = folder.parent_path();
  auto name = snapshots.parent_path().filename().string();
  if (snapshots.filename() != "snapshots" || !name.starts_with(prefix)) return folder.filename().string();
  name.erase(0, prefix.size());
  if (const auto divider = name.find("--"); divider != std::string::npos) name.replace(divider, 2, "/");
  return name;
}

void write_adapter(const std::filesystem::path& folder, const Lora& lora, const std::string& base) {
  Safetensors content;
  content.metadata["format"] = "pt";
  for (const auto& [module, pair] : lora.pairs()) {
    content.tensors[key(lora.settings().family, module.first, module.second, 'A')] = pair.a;
    content.tensors[key(lora.settings().family, module.first, module.second, 'B')] = pair.b;
  }
  write_safetensors(folder / "adapter_model.safetensors", content);

  std::vector<std::string> targets;
  for (const auto projection : lora.settings().targets) {
    targets.emplace_back(projection_name(lora.settings().family, projection));
  }
  const auto& settings = lora.settings();
  nlohmann::ordered_json config = {{"peft_type", "LORA"},
                                   {"task_type", "CAUSAL_LM"},
                                   {"base_model_name_or_path", base},
                                   {"target_modules", targets},
                                   {"r", settings.rank},
                                   {"lora_alpha", settings.alpha},
                                   {"lora_dropout", settings.dropout},
                                   {"bias", "none"},
                                   {"fan_in_fan_out", false},
                                   {"inference_mode", true}};
  write_text(folder / "adapter_config.json", config.dump(2) + "\n");
}

Lora read_adapter(const std::filesystem::path& folder, const ModelConfig& config) {
  const auto file = folder / "adapter_config.json";
  const auto json = read_json(file);
  const auto reject = [&](const std::string& what) {
    throw UserError(fmt::format("{}: {}", file.string(), what), "plain LoRA on linear layers is supported");
  };
  nlohmann::json adapter;
  try {
    if (json.value("peft_type", std::string("?")) != "LORA") reject("peft_type is not LORA");
    for (const char* flag : {"use_dora", "use_rslora", "fan_in_fan_out"}) {
      if (json.contains(flag) && json[flag].is_boolean() && json[flag].get<bool>())
        reject(fmt::format("{} is set", flag));
    }
    if (json.value("bias", std::string("none")) != "none") reject("bias is trained");
    for (const char* pattern : {"rank_pattern", "alpha_pattern"}) {
      if (json.contains(pattern) && !json[pattern].empty()) reject(fmt::format("{} is set", pattern));
    }
    auto targets = json.at("target_modules");
    if (targets == "all-linear") targets = "all_linear";
    for (std::size_t i = 0; targets.is_array() && i < targets.size(); ++i) {  // PEFT may write whole paths
      const auto path = targets[i].get<std::string>();
      targets[i] = path.substr(path.rfind('.') + 1);
    }
    adapter = {{"rank", json.at("r")},
               {"alpha", json.at("lora_alpha")},
               {"dropout", json.value("lora_dropout", 0.0)},
               {"targets", targets}};
  } catch (const nlohmann::json::exception& error) {
    reject(error.what());
  }
  const auto settings = lora_settings(adapter, config.family);
  const auto weights_file = folder / "adapter_model.safetensors";
  auto content = read_safetensors(weights_file);
  Lora::Pairs pairs;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (const auto projection : settings.targets) {
      const auto [out, in] = projection_shape(config, projection);
      const auto take = [&](char which, std::vector<std::int64_t> shape) {
        const auto name = key(config.family, layer, projection, which);
        const auto found = content.tensors.find(name);
        if (found == content.tensors.end() || found->second.sizes() != at::IntArrayRef(shape)) {
          throw UserError(fmt::format("{}: {} {}", weights_file.string(), name,
                                      found == content.tensors.end() ? "is missing" : "has the wrong shape"),
                          "was the adapter trained on another model?");
        }
        const auto tensor = found->second.to(at::kFloat, false, /*copy=*/true);
        content.tensors.erase(found);
        return tensor;
      };
      auto a = take('A', {settings.rank, in});
      pairs[{layer, projection}] = {a, take('B', {out, settings.rank})};
    }
  }
  if (!content.tensors.empty()) {
    throw UserError(fmt::format("{}: the tensor {} fits no module of the model", weights_file.string(),
                                content.tensors.begin()->first),
                    "was the adapter trained on another model?");
  }
  return {settings, std::move(pairs)};
}

}  // namespace trl::runtime
