#include "runtime/model/load.hpp"

#include <fmt/format.h>
#include <mutex>
#include <set>

#include "ground/error.hpp"
#include "ground/json_text.hpp"
#include "runtime/model/safetensors.hpp"

namespace trl::runtime {

namespace fs = std::filesystem;

Weights read_weights(const fs::path& folder) {
  const auto whole = folder / "model.safetensors", index = folder / "model.safetensors.index.json";
  if (fs::exists(whole) || !fs::exists(index)) return read_safetensors(whole).tensors;
  const auto json = read_json(index);
  const auto map = json.find("weight_map");
  if (map == json.end() || !map->is_object())
    throw UserError(fmt::format("{}: `weight_map` is missing", index.string()),
                    "the file is damaged: download it again");
  std::set<std::string> files;
  for (const auto& [tensor, file] : map->items()) files.insert(file.get<std::string>());
  Weights weights;
  for (const auto& file : files) {
    for (auto& [name, tensor] : read_safetensors(folder / file).tensors) weights[name] = tensor;
  }
  for (const auto& [tensor, file] : map->items()) {
    if (!weights.contains(tensor)) {
      throw UserError(fmt::format("{}: {} is not in {}", index.string(), tensor, file.get<std::string>()),
                      "the files belong to different models: download the folder again");
    }
  }
  return weights;
}

namespace {

std::string identity(const fs::path& folder, const c10::Device& device, at::ScalarType compute) {
  std::string text = fmt::format("{} {} {}", folder.string(), device.str(), static_cast<int>(compute));
  for (const char* name :
       {"config.json", "generation_config.json", "model.safetensors", "model.safetensors.index.json"}) {
    std::error_code error;
    const auto path = folder / name;
    const auto time = fs::last_write_time(path, error);
    if (!error) text += fmt::format(" {}:{}:{}", name, time.time_since_epoch().count(), fs::file_size(path));
  }
  return text;
}

}  // namespace

std::shared_ptr<const LanguageModel> load_frozen(const fs::path& folder, const c10::Device& device,
                                                 at::ScalarType compute) {
  struct Kept {
    std::string identity;
    std::shared_ptr<const LanguageModel> model;
  };
  static std::mutex mutex;
  static std::vector<Kept> kept;
  const auto wanted = identity(folder, device, compute);
  const std::lock_guard lock(mutex);
  for (const auto& entry : kept) {
    if (entry.identity == wanted) return entry.model;
  }
  const auto config = read_config(folder);
  auto weights = read_weights(folder);
  for (auto& [name, tensor] : weights) tensor = tensor.to(device, compute, false, /*copy=*/true);
  const auto use = device.is_cpu() ? LanguageModel::Use::frozen_differentiable : LanguageModel::Use::frozen;
  auto model = std::make_shared<const LanguageModel>(config, std::move(weights), compute, use);
  if (kept.size() == 2) kept.erase(kept.begin());
  kept.push_back({wanted, model});
  return model;
}

}  // namespace trl::runtime
