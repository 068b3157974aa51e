#include "runtime/adapter/peft.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/peft_config.hpp"

namespace trl::runtime {
namespace {

std::string key(Family family, std::int64_t layer, Projection projection, char which) {
  return fmt::format("base_model.model.{}.lora_{}.weight", module_path(family, layer, projection), which);
}

std::string magnitude_key(Family family, std::int64_t layer, Projection projection) {
  return fmt::format("base_model.model.{}.lora_magnitude_vector", module_path(family, layer, projection));
}

/// For a tensor's name in an adapter's file that doesn't fit the model: says how to repair the file.
std::string remedy_for(const std::string& name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (has("_orig_mod."))
    return "it was saved while compiled: save the adapter of the model itself (`model._orig_mod`), or take "
           "`_orig_mod.` out of the names";
  if (has(".lora_A.") && !has(".lora_A.weight"))
    return "it was saved by torch.save: save it by PEFT's save_pretrained, which leaves the adapter's own "
           "name out";
  if (has("embed_tokens") || has("lm_head") || has("modules_to_save"))
    return "the adapter has whole matrices beside LoRA's, such as a resized embedding: merge it with PEFT "
           "(`merge_and_unload`) and use the model that this gives";
  return "was the adapter trained on another model?";
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
  for (const auto& [module, magnitude] : lora.magnitudes())
    content.tensors[magnitude_key(lora.settings().family, module.first, module.second)] = magnitude;
  write_safetensors(folder / "adapter_model.safetensors", content);

  // An irregular adapter lists the whole path of each module, with the module's rank and the alpha that gives
  // its scale.
  const auto& settings = lora.settings();
  std::int64_t layers = 0;
  for (const auto& [module, pair] : lora.pairs()) layers = std::max(layers, module.first + 1);
  const bool regular = lora.regular(layers);
  std::set<std::string> targets;
  nlohmann::ordered_json ranks = nlohmann::ordered_json::object(), alphas = ranks;
  for (const auto& [module, pair] : lora.pairs()) {
    if (regular) {
      targets.emplace(projection_name(settings.family, module.second));
      continue;
    }
    const auto path = module_path(settings.family, module.first, module.second);
    const auto rank = pair.a.size(0);
    const auto own = settings.module(module.first, module.second);
    const auto alpha = rank == own.rank ? own.alpha : own.scale / settings.scale_of(rank, 1);
    targets.insert(path);
    if (rank != settings.rank) ranks[path] = rank;
    if (alpha != settings.alpha) alphas[path] = alpha;
  }
  for (const auto& one : settings.patterns.list()) {
    if (!regular) break;
    // The first pattern that fits counts, as in PEFT. PEFT's dictionary holds one of two equal patterns.
    if (one.rank && !ranks.contains(one.pattern)) ranks[one.pattern] = *one.rank;
    if (one.alpha && !alphas.contains(one.pattern)) alphas[one.pattern] = *one.alpha;
  }
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
  if (settings.rslora) config["use_rslora"] = true;
  if (settings.dora) config["use_dora"] = true;
  if (!ranks.empty()) config["rank_pattern"] = ranks;
  if (!alphas.empty()) config["alpha_pattern"] = alphas;
  write_text(folder / "adapter_config.json", config.dump(2) + "\n");
}

Lora read_adapter(const std::filesystem::path& folder, const ModelConfig& config) {
  const auto file = folder / "adapter_config.json";
  const auto peft = PeftConfig::read(file);
  LoraSettings settings;
  settings.family = config.family;
  settings.rank = peft.rank();
  settings.alpha = peft.alpha();
  settings.dropout = peft.dropout();
  settings.rslora = peft.rslora();
  settings.dora = peft.dora();
  settings.patterns = peft.patterns();
  check(settings);
  if (settings.alpha == 0 && settings.patterns.empty())
    throw UserError(fmt::format("{}: lora_alpha is 0", file.string()), "such an adapter does nothing");
  const auto weights_file = folder / "adapter_model.safetensors";
  if (!std::filesystem::exists(weights_file))
    throw UserError(
        fmt::format("{} doesn't exist", weights_file.string()),
        std::filesystem::exists(folder / "adapter_model.bin")
            ? "adapter_model.bin is a pickle, which isn't read: load the adapter with PEFT and save it "
              "again, which writes safetensors"
            : "an adapter's folder has adapter_config.json and adapter_model.safetensors");
  auto content = read_safetensors(weights_file);
  Lora::Pairs pairs;
  Lora::Magnitudes magnitudes;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (const auto projection : projections(config.family)) {
      const auto adapted = peft.of(module_path(config.family, layer, projection));
      if (!adapted) continue;
      settings.targets.insert(projection);
      const auto [out, in] = projection_shape(config, projection);
      const auto take = [&](const std::string& name, std::vector<std::int64_t> shape) {
        const auto found = content.tensors.find(name);
        if (found == content.tensors.end() || found->second.sizes() != at::IntArrayRef(shape)) {
          throw UserError(fmt::format("{}: {} {}", weights_file.string(), name,
                                      found == content.tensors.end() ? "is missing" : "has the wrong shape"),
                          remedy_for(content.tensors.empty() ? name : content.tensors.begin()->first));
        }
        const auto tensor = found->second.to(at::kFloat, false, /*copy=*/true);
        content.tensors.erase(found);
        return tensor;
      };
      auto a = take(key(config.family, layer, projection, 'A'), {adapted->rank, in});
      auto b = take(key(config.family, layer, projection, 'B'), {out, adapted->rank});
      if (settings.dora)
        magnitudes[{layer, projection}] = take(magnitude_key(config.family, layer, projection), {out});
      pairs[{layer, projection}] = {a, b};
    }
  }
  if (pairs.empty())
    throw UserError(fmt::format("{}: target_modules has no linear layer of the model", file.string()),
                    "was the adapter trained on another model?");
  if (!content.tensors.empty()) {
    throw UserError(fmt::format("{}: the tensor {} fits no module of the model", weights_file.string(),
                                content.tensors.begin()->first),
                    remedy_for(content.tensors.begin()->first));
  }
  return {settings, std::move(pairs), std::move(magnitudes)};
}

}  // namespace trl::runtime
