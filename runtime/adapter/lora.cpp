#include "runtime/adapter/lora.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/contract/module_pattern.hpp"
#include "base/stage/spec.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "runtime/adapter/dropout.hpp"

namespace trl::runtime {
namespace {

// The norms [out] of the rows of W + scale · B A, in f32; no gradient flows through them.
at::Tensor row_norms(const at::Tensor& weight, const Lora::Pair& pair, double scale) {
  const at::NoGradGuard no_grad;
  const auto update = at::matmul(pair.b.to(at::kFloat), pair.a.to(at::kFloat)) * scale;
  return at::linalg_vector_norm(weight.to(at::kFloat) + update, 2, {1});
}

// Multiplies each matrix by its module's scale. The matrices are in the same order as `scales`.
void multiply(const std::vector<at::Tensor>& matrices, const std::map<Lora::Module, double>& scales) {
  std::vector<at::Scalar> own;
  bool same = true;
  for (const auto& [module, scale] : scales) {
    own.emplace_back(scale);
    same = same && scale == scales.begin()->second;
  }
  if (!same)
    at::_foreach_mul_(matrices, own);
  else if (!scales.empty() && scales.begin()->second != 1)
    at::_foreach_mul_(matrices, scales.begin()->second);
}

}  // namespace

RandomKey dropout_key(RandomKey sequence, std::int64_t layer, Projection projection) {
  const auto module = static_cast<std::uint64_t>(layer * static_cast<std::int64_t>(kProjections) +
                                                 static_cast<int>(projection) + 1);
  return {sequence.value ^ module * 0x9E3779B97F4A7C15};
}

double LoraSettings::scale_of(std::int64_t own_rank, double own_alpha) const {
  const auto number = static_cast<double>(own_rank);
  return own_alpha / (rslora ? std::sqrt(number) : number);
}

LoraSettings::Module LoraSettings::module(std::int64_t layer, Projection projection) const {
  if (patterns.empty()) return {rank, alpha, scale_of(rank, alpha)};
  const auto own = patterns.of(module_path(family, layer, projection), {rank, alpha});
  return {own.rank, own.alpha, scale_of(own.rank, own.alpha)};
}

void check_patterns(const LoraSettings& settings, std::int64_t layers) {
  if (settings.patterns.empty()) return;
  std::vector<std::string> paths;
  for (std::int64_t layer = 0; layer < layers; ++layer)
    for (const auto projection : settings.targets)
      paths.push_back(module_path(settings.family, layer, projection));
  const auto idle = settings.patterns.idle(paths);
  for (std::size_t i = 0; i < idle.size(); ++i) {
    if (idle[i] == ModulePatterns::Idle::no) continue;
    const auto& pattern = settings.patterns.list()[i].pattern;
    if (idle[i] == ModulePatterns::Idle::fits_none)
      throw UserError(
          fmt::format("the adapter's pattern `{}` fits none of the modules that it changes", pattern),
          fmt::format("a pattern fits the end of a path such as {}", paths.front()));
    throw UserError(
        fmt::format("the adapter's pattern `{}` never counts: patterns before it fit its modules", pattern),
        "the first pattern that fits a module counts: put narrower patterns first");
  }
}

void check(const LoraSettings& settings) {
  if (settings.rank < 1)
    throw UserError(fmt::format("the adapter's rank is {}", settings.rank), "use 1 or more");
  if (!(settings.dropout >= 0 && settings.dropout < 1)) {
    throw UserError(fmt::format("the adapter's dropout is {}", settings.dropout), "use a fraction in [0, 1)");
  }
}

LoraSettings lora_settings(const nlohmann::json& adapter, Family family) {
  LoraSettings settings;
  settings.family = family;
  settings.rank = field<std::int64_t>(adapter, "rank");
  settings.alpha = field<double>(adapter, "alpha");
  settings.dropout = field_or(adapter, "dropout", 0.0);
  settings.rslora = field_or(adapter, "use_rslora", false);
  settings.dora = field_or(adapter, "use_dora", false);
  check(settings);
  if (const auto patterns = adapter.find("patterns"); patterns != adapter.end()) {
    std::vector<ModulePattern> read;
    for (const auto& one : *patterns) {
      const auto said = contract::ModulePattern::read(one);
      if (said.rank.value_or(1) < 1)
        throw UserError(fmt::format("the adapter's pattern `{}` has the rank {}", said.pattern, *said.rank),
                        "use 1 or more");
      read.push_back({said.pattern, said.rank, said.alpha});
    }
    try {
      settings.patterns = ModulePatterns(std::move(read));
    } catch (const RefusedRegex& refused) {
      throw UserError(fmt::format("the adapter has the pattern `{}`, {}", refused.pattern, refused.why),
                      "write the name that a module's path ends with, or a regular expression of Python");
    }
  }
  auto targets = adapter.value("targets", nlohmann::json("all_linear"));
  if (targets.is_string()) targets = nlohmann::json::array({targets});
  for (const auto& target : targets) {
    const auto name = target.is_string() ? target.get<std::string>() : target.dump();
    bool known = name == "all_linear";
    for (const auto p : projections(family)) {
      if (name == "all_linear" || name == projection_name(family, p)) {
        settings.targets.insert(p);
        known = true;
      }
    }
    if (!known) {
      std::vector<std::string_view> names;
      for (const auto p : projections(family)) names.push_back(projection_name(family, p));
      throw UserError(fmt::format("the adapter's target `{}` is no module of the model", name),
                      fmt::format("use all_linear or some of {}", fmt::join(names, ", ")));
    }
  }
  if (settings.targets.empty()) throw UserError("the adapter has no targets", "use targets = all_linear");
  return settings;
}

Lora::Lora(LoraSettings settings, Pairs pairs, Magnitudes magnitudes)
    : settings_(std::move(settings)), pairs_(std::move(pairs)), magnitudes_(std::move(magnitudes)) {
  for (const auto& [module, pair] : pairs_)
    scales_[module] = settings_.module(module.first, module.second).scale;
}

bool Lora::regular(std::int64_t layers) const { return fits(settings_, layers); }

bool Lora::fits(const LoraSettings& wanted, std::int64_t layers) const {
  if (settings_.family != wanted.family || settings_.rslora != wanted.rslora ||
      settings_.dora != wanted.dora ||
      pairs_.size() != static_cast<std::size_t>(layers) * wanted.targets.size())
    return false;
  return std::all_of(pairs_.begin(), pairs_.end(), [&](const auto& entry) {
    const auto& [module, pair] = entry;
    const auto own = wanted.module(module.first, module.second);
    return module.first < layers && wanted.targets.contains(module.second) && pair.a.size(0) == own.rank &&
           scales_.at(module) == own.scale;
  });
}

std::int64_t Lora::largest_rank() const {
  std::int64_t largest = 0;
  for (const auto& [module, pair] : pairs_) largest = std::max(largest, pair.a.size(0));
  return largest;
}

Lora Lora::fresh(const ModelConfig& config, const LoraSettings& settings, std::int64_t seed) {
  Pairs pairs;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (const auto projection : settings.targets) {
      const auto [out, in] = projection_shape(config, projection);
      const auto rank = settings.module(layer, projection).rank;
      auto a = at::empty({rank, in});
      RandomStream stream(fmt::format("{}/adapter/{}", seed, module_path(config.family, layer, projection)));
      const double bound = 1 / std::sqrt(static_cast<double>(in));
      float* values = a.mutable_data_ptr<float>();
      for (std::int64_t i = 0; i < a.numel(); ++i)
        values[i] = static_cast<float>((2 * stream.uniform() - 1) * bound);
      pairs[{layer, projection}] = {a, at::zeros({out, rank})};
    }
  }
  return {settings, std::move(pairs)};
}

at::Tensor Lora::apply(std::int64_t layer, Projection projection, const at::Tensor& x,
                       const at::Tensor& y) const {
  const auto found = pairs_.find({layer, projection});
  if (found == pairs_.end()) return y;
  const auto& [a, b] = found->second;
  auto input = x;
  if (const auto mask = masks_.find({layer, projection}); mask != masks_.end()) {
    input = x * mask->second;
  } else if (!dropout_keys_.empty() && settings_.dropout > 0) {
    std::vector<RandomKey> keys;
    for (const auto key : dropout_keys_) keys.push_back(dropout_key(key, layer, projection));
    input = x * dropout_mask(keys, x.size(1), x.size(2), settings_.dropout, x.device()).to(x.scalar_type());
  }
  const auto type = x.scalar_type();
  const auto low = at::matmul(input, a.t().to(type));  // [batch, sequence, rank]
  const double scale = scale_in_b_ ? 1 : scales_.at({layer, projection});
  const auto update = at::matmul(low, (scale == 1 ? b.t() : b.t() * scale).to(type));
  const auto magnitude = magnitudes_.find({layer, projection});
  if (magnitude == magnitudes_.end()) return y + update;
  const auto base = bases_.find({layer, projection});
  if (base == bases_.end()) throw std::logic_error("an adapter with DoRA needs use_on before it is applied");
  const auto& linear = base->second;
  auto plain = input.is_same(x) ? y : linear(input);
  if (linear.bias().defined()) plain = plain - linear.bias().to(type);
  const auto factor = magnitude->second / row_norms(linear.weight(), found->second, scale);  // [out]
  return y + (factor - 1).to(type) * plain + factor.to(type) * update;
}

void Lora::use_on(const LanguageModel& model) {
  if (!settings_.dora) return;
  for (auto& [module, pair] : pairs_) {
    const auto& linear = model.layers().at(static_cast<std::size_t>(module.first))[module.second];
    bases_.insert_or_assign(module, linear);
    if (magnitudes_.contains(module)) continue;
    const auto weight = linear.weight();
    magnitudes_[module] =
        row_norms(weight, {pair.a.to(weight.device()), pair.b.to(weight.device())}, scales_.at(module))
            .to(pair.a.device());
  }
}

std::vector<at::Tensor*> Lora::tensors() {
  std::vector<at::Tensor*> tensors;
  for (auto& [module, pair] : pairs_) {
    tensors.insert(tensors.end(), {&pair.a, &pair.b});
    if (const auto magnitude = magnitudes_.find(module); magnitude != magnitudes_.end())
      tensors.push_back(&magnitude->second);
  }
  return tensors;
}

std::vector<at::Tensor> Lora::parameters() const {
  std::vector<at::Tensor> tensors;
  for (const auto& [module, pair] : pairs_) {
    tensors.insert(tensors.end(), {pair.a, pair.b});
    if (const auto magnitude = magnitudes_.find(module); magnitude != magnitudes_.end())
      tensors.push_back(magnitude->second);
  }
  return tensors;
}

void Lora::prepare_training(const c10::Device& device) {
  for (auto* tensor : tensors())
    *tensor = tensor->detach().to(device, at::kFloat, false, /*copy=*/true).set_requires_grad(true);
}

Lora Lora::leaves(at::ScalarType type) const {
  const at::NoGradGuard no_grad;
  Lora copy = *this;
  copy.scale_in_b_ = true;
  std::vector<at::Tensor> sources, targets, all_b;
  for (auto* tensor : copy.tensors()) {
    sources.push_back(tensor->detach());
    // Only magnitudes have one dimension, and they stay in f32: m / n is near 1, where a type of few bits
    // can't represent the small changes of training.
    const auto own = tensor->dim() == 1 ? at::kFloat : type;
    *tensor = at::empty_like(*tensor, tensor->options().dtype(own).requires_grad(false));
    targets.push_back(*tensor);
  }
  for (const auto& [module, pair] : copy.pairs_) all_b.push_back(pair.b);
  at::_foreach_copy_(targets, sources);
  multiply(all_b, scales_);
  for (auto& target : targets) target.set_requires_grad(true);
  return copy;
}

std::vector<at::Tensor> Lora::gradients() const {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> found, wanted, of_b;
  for (const auto& parameter : parameters()) {
    const auto gradient = parameter.grad();
    found.push_back(gradient.defined() ? gradient : at::zeros_like(parameter));
    wanted.push_back(at::empty_like(parameter, parameter.options().dtype(at::kFloat).requires_grad(false)));
  }
  at::_foreach_copy_(wanted, found);
  for (std::size_t i = 1; i < wanted.size(); i += 2) {  // A, B and, with DoRA, a magnitude
    of_b.push_back(wanted[i]);
    if (i + 1 < wanted.size() && wanted[i + 1].dim() == 1) ++i;
  }
  if (scale_in_b_) multiply(of_b, scales_);
  return wanted;
}

void Lora::draw_masks(const std::vector<RandomKey>& keys, std::int64_t sequence, const ModelConfig& config,
                      const c10::Device& device, at::ScalarType type) {
  masks_.clear();
  dropout_keys_.clear();
  if (settings_.dropout <= 0) return;
  // Counters of eight draws each: 128 MiB per tensor.
  constexpr std::int64_t kTogether = std::int64_t{1} << 24;
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, Projection>>> by_width;
  for (const auto& [module, pair] : pairs_)
    by_width[projection_shape(config, module.second)[1]].push_back(module);
  for (const auto& [width, modules] : by_width) {
    const auto each =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(keys.size()) * sequence * width / 8);
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(1, kTogether / each));
    for (std::size_t first = 0; first < modules.size(); first += step) {
      const auto end = std::min(modules.size(), first + step);
      std::vector<RandomKey> module_keys;
      for (std::size_t i = first; i < end; ++i)
        for (const auto key : keys)
          module_keys.push_back(dropout_key(key, modules[i].first, modules[i].second));
      const auto masks = dropout_mask(module_keys, sequence, width, settings_.dropout, device)
                             .to(type)
                             .chunk(static_cast<std::int64_t>(end - first));
      for (std::size_t i = first; i < end; ++i) masks_[modules[i]] = masks[i - first];
    }
  }
}

Lora Lora::copy_for_thread() const {
  Lora copy = *this;
  for (auto* tensor : copy.tensors()) *tensor = tensor->detach().set_requires_grad(true);
  return copy;
}

Weights Lora::merged(const Weights& weights) const {
  const at::NoGradGuard no_grad;
  Weights result = weights;
  for (const auto& [module, pair] : pairs_) {
    auto& weight = result.at(module_path(settings_.family, module.first, module.second) + ".weight");
    const auto delta =
        at::matmul(pair.b.to(weight.device()), pair.a.to(weight.device())) * scales_.at(module);
    auto whole = weight.to(at::kFloat) + delta;
    if (const auto magnitude = magnitudes_.find(module); magnitude != magnitudes_.end())
      whole = whole *
              (magnitude->second.to(weight.device()) / at::linalg_vector_norm(whole, 2, {1})).unsqueeze(1);
    weight = whole.to(weight.scalar_type());
  }
  return result;
}

}  // namespace trl::runtime
