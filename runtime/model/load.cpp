#include "runtime/model/load.hpp"

#include <fmt/format.h>

#include <cstring>
#include <mutex>

#include "base/support/error.hpp"
#include "base/support/model_files.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/model/upload.hpp"

namespace trl::runtime {

namespace fs = std::filesystem;

namespace {

bool same_bytes(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() &&
         std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

void check_type(const std::string& name, const at::Tensor& tensor, const fs::path& file) {
  if (at::isFloatingType(tensor.scalar_type())) return;
  throw UserError(fmt::format("{}: the tensor {} is stored as {}", file.string(), name,
                              c10::toString(tensor.scalar_type())),
                  "use weights in BF16, F16 or F32");
}

}  // namespace

Weights read_weights(const fs::path& folder, const ModelConfig& config) {
  require_fitting_files(folder);
  const auto shapes = weight_shapes(config);
  Weights weights;
  at::Tensor tied_head;
  for (const auto& shard : weight_files(folder)) {
    const auto file = folder / shard;
    const auto content = read_safetensors(file);
    for (const auto& [name, reason] : content.unusable) {
      if (shapes.contains(name))
        throw UserError(fmt::format("{}: the tensor {} {}", file.string(), name, reason),
                        "use weights in BF16, F16 or F32");
    }
    for (const auto& [name, tensor] : content.tensors) {
      if (name == fmt::format("{}.weight", kHead) && config.tied_embeddings) tied_head = tensor;
      if (is_ignored_tensor(config, name)) continue;
      if (shapes.contains(name)) check_type(name, tensor, file);
      if (!weights.emplace(name, tensor).second)
        throw UserError(fmt::format("{}: the tensor {} is in another file too", file.string(), name),
                        "the files belong to different models: download the folder again");
    }
  }
  // If one matrix has two names, safetensors' save_model keeps only the alphabetically first name.
  if (tied_head.defined()) weights.emplace(fmt::format("{}.weight", kEmbedding), tied_head);
  try {
    check_weights(config, weights);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", folder.string(), error.what()), error.help);
  }
  if (tied_head.defined() && !same_bytes(tied_head, weights.at(fmt::format("{}.weight", kEmbedding))))
    throw differing_head(folder);
  return weights;
}

namespace {

std::string identity(const fs::path& folder, const c10::Device& device, at::ScalarType compute,
                     MatrixStorage::Id storage) {
  std::string text =
      fmt::format("{} {} {} {}", folder.string(), device.str(), static_cast<int>(compute), name_of(storage));
  for (const char* name :
       {"config.json", "generation_config.json", "model.safetensors", "model.safetensors.index.json"}) {
    std::error_code error;
    const auto path = folder / name;
    const auto time = fs::last_write_time(path, error);
    if (!error) text += fmt::format(" {}:{}:{}", name, time.time_since_epoch().count(), fs::file_size(path));
  }
  return text;
}

std::shared_ptr<const LanguageModel> load(const fs::path& folder, const c10::Device& device,
                                          at::ScalarType compute, MatrixStorage::Id storage) {
  const auto config = read_config(folder);
  auto weights = read_weights(folder, config);
  QuantisedWeights quantised;
  if (storage != MatrixStorage::Id::none) {
    for (const auto& name : quantised_names(config)) {
      const auto found = weights.extract(name);
      const auto stored = found.mapped().scalar_type();
      quantised.emplace(name, quantise(upload({{name, found.mapped()}}, device, stored).at(name), storage));
    }
    return std::make_shared<const LanguageModel>(config, upload(weights, device, compute),
                                                 std::move(quantised), compute);
  }
  const auto use = device.is_cpu() ? LanguageModel::Use::frozen_differentiable : LanguageModel::Use::frozen;
  return std::make_shared<const LanguageModel>(config, upload(weights, device, compute), compute, use);
}

}  // namespace

std::shared_ptr<const LanguageModel> load_frozen(const fs::path& folder, const c10::Device& device,
                                                 at::ScalarType compute, MatrixStorage::Id storage) {
  struct Kept {
    std::string identity;
    std::shared_ptr<const LanguageModel> model;
  };
  static std::mutex mutex;
  static std::vector<Kept> kept;
  const auto wanted = identity(folder, device, compute, storage);
  const std::lock_guard lock(mutex);
  for (const auto& entry : kept) {
    if (entry.identity == wanted) return entry.model;
  }
  auto model = load(folder, device, compute, storage);
  if (kept.size() == 2) kept.erase(kept.begin());
  kept.push_back({wanted, model});
  return model;
}

}  // namespace trl::runtime
