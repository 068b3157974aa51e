#include "runtime/train/kernel_step.hpp"

#include <ATen/ATen.h>
#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/support/training_memory.hpp"
#include "runtime/adapter/dropout.hpp"
#include "runtime/model/normal_float.hpp"
#include "runtime/train/device_parameters.hpp"

namespace trl::runtime {
namespace {

using enum Projection;

// The most bytes of logits that are in memory at once.
constexpr std::int64_t kLogitBytes = std::int64_t{320} << 20;

KernelSource layers_source(const ModelConfig& config) {
  return {"layers.cu",
          {{"HIDDEN", std::to_string(config.hidden)},
           {"HEADS", std::to_string(config.heads)},
           {"KV_HEADS", std::to_string(config.kv_heads)},
           {"HEAD", std::to_string(config.head_size)},
           {"EPSILON", fmt::format("{:.9g}f", config.norm_epsilon)},
           {"QK_NORM", config.qk_norm ? "1" : "0"}}};
}

KernelSource likelihood_source(const ModelConfig& config) {
  return {"likelihood.cu", {{"VOCABULARY", std::to_string(config.vocabulary)}}};
}

std::int64_t units_of_module(const LoraSettings& settings, std::int64_t layer, Projection p) {
  return settings.targets.contains(p) ? units_of(settings.module(layer, p).rank) : 0;
}

// Whether the feed-forward kernels add a layer's adapters: only if each has at most kMostUnits units.
// Otherwise all of the layer's adapters are added separately.
bool fuses(const LoraSettings& settings, std::int64_t layer) {
  const auto few = [&](Projection p) {
    return units_of_module(settings, layer, p) <= static_cast<std::int64_t>(train_device::kMostUnits);
  };
  return few(gate) && few(up) && few(down);
}

KernelSource feed_forward_source(const ModelConfig& config, const LoraSettings& settings,
                                 std::int64_t layer) {
  const bool fused = fuses(settings, layer);
  const auto units = [&](Projection p) {
    return std::to_string(fused ? units_of_module(settings, layer, p) : 0);
  };
  return {"feed_forward.cu",
          {{"INNER", std::to_string(config.intermediate)},
           {"GATE_UNITS", units(gate)},
           {"UP_UNITS", units(up)},
           {"DOWN_UNITS", units(down)},
           {"MASKED", settings.dropout > 0 ? "1" : "0"}}};
}

const KernelSource kInputs{"adapter_inputs.cu", {}}, kDequantise{"dequantise.cu", {}};

Kernel load_kernel(const KernelSource& source, const char* name, int threads) {
  return {Modules::shared().module(source), name, threads};
}

int whole(std::int64_t value) { return static_cast<int>(value); }

// Requests deterministic algorithms while this object lives: only then does ATen's flash attention sum
// gradients in a fixed order.
class Deterministic {
 public:
  Deterministic() : before_(at::globalContext().deterministicAlgorithms()) {
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  }
  Deterministic(const Deterministic&) = delete;
  Deterministic& operator=(const Deterministic&) = delete;
  ~Deterministic() { at::globalContext().setDeterministicAlgorithms(before_, false); }

 private:
  bool before_;
};

}  // namespace

std::string KernelStep::reason_against(const LanguageModel& model) {
  const auto& config = model.config();
  if (!model.embedding().device().is_cuda() || model.compute() != at::kBFloat16)
    return "it isn't computed in bf16 on a GPU";
  if (config.norm != NormKind::rms) return "its norms aren't RMS norms";
  if (config.feed_forward != FeedForwardKind::gated_silu)
    return "its feed-forward layers aren't gated by SiLU";
  if (config.output_bias || config.mlp_bias) return "products other than q, k and v have biases";
  if (model.storage() == MatrixStorage::Id::llm_int8) return "its activations are rounded";
  for (const auto size : {config.hidden, config.query_width(), config.key_width(), config.intermediate}) {
    if (size % 64 != 0) return fmt::format("a size, {}, is no multiple of 64", size);
  }
  if (config.head_size % 8 != 0 || config.head_size > 256)
    return "heads have a size that flash attention lacks";
  if (Gpu::here().capability < 80) return "the GPU's compute capability is below 8.0";
  return "";
}

std::vector<KernelSource> KernelStep::sources(const ModelConfig& config, const LoraSettings& settings) {
  auto all = adapter_products::sources();
  for (const auto& source : {layers_source(config), likelihood_source(config), kInputs, kDequantise})
    all.push_back(source);
  // Layers whose modules have the same numbers of units use the same kernels.
  const auto layers = settings.patterns.empty() ? std::min<std::int64_t>(1, config.layers) : config.layers;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const auto source = feed_forward_source(config, settings, layer);
    if (std::find(all.begin(), all.end(), source) == all.end()) all.push_back(source);
  }
  return all;
}

KernelStep::KernelStep(const LanguageModel& model, const LoraSettings& settings)
    : model_(model),
      config_(model.config()),
      settings_(settings),
      add_and_norm_([&] {
        Modules::shared().prepare(sources(config_, settings_));
        return load_kernel(layers_source(config_), "add_and_norm", 256);
      }()),
      norm_again_(load_kernel(layers_source(config_), "norm_again", 256)),
      norm_backward_(load_kernel(layers_source(config_), "norm_backward", 256)),
      rotate_(load_kernel(layers_source(config_), "rotate", 128)),
      rotate_back_(load_kernel(layers_source(config_), "rotate_back", 128)),
      score_(load_kernel(likelihood_source(config_), "score", 512)),
      score_backward_(load_kernel(likelihood_source(config_), "score_backward", 512)),
      pack_matrices_(load_kernel(kInputs, "pack_matrices", 128)),
      draw_dropout_(load_kernel(kInputs, "draw_dropout", 256)) {
  if (model_.storage() == MatrixStorage::Id::int8)
    dequantise_ = {load_kernel(kDequantise, "dequantise_int8", 256)};
  if (model_.storage() == MatrixStorage::Id::nf4)
    dequantise_ = {load_kernel(kDequantise, "dequantise_nf4", 256)};
  const auto options = at::TensorOptions().dtype(at::kBFloat16).device(model_.embedding().device());
  if (!dequantise_.empty())
    scratch_ = at::empty({std::max({2 * config_.intermediate * config_.hidden,
                                    (config_.query_width() + 2 * config_.key_width()) * config_.hidden,
                                    config_.hidden * config_.query_width()})},
                         options);

  for (std::int64_t layer = 0; layer < config_.layers; ++layer) {
    if (layer > 0 && settings_.patterns.empty()) {
      feed_forward_.push_back(feed_forward_.front());
      continue;
    }
    const auto source = feed_forward_source(config_, settings_, layer);
    feed_forward_.push_back({fuses(settings_, layer), load_kernel(source, "feed_forward", 128),
                             load_kernel(source, "feed_forward_backward", 128)});
  }
  for (const auto& layer : model_.layers()) {
    qkv_bias_.push_back(layer[q].bias().defined()
                            ? at::cat({layer[q].bias(), layer[k].bias(), layer[v].bias()})
                            : at::Tensor());
  }

  // One allocation holds everything that is packed, another one all gradients.
  std::int64_t packed = 0, numbers = 0;
  for (std::int64_t layer = 0; layer < config_.layers; ++layer) {
    for (const auto p : settings_.targets) {
      auto& own = branches_[{layer, p}];
      const auto module = settings_.module(layer, p);
      own.rank = module.rank;
      own.scale = module.scale;
      const auto [out, in] = projection_shape(config_, p);
      packed += 2 * units_of(own.rank) * kUnitRank * (out + in);
      numbers += own.rank * (out + in);
    }
  }
  packed_ = at::zeros({packed}, options);  // before `load`, the model without the adapter multiplies by it
  gradient_ = at::zeros({numbers}, options.dtype(at::kFloat));
  std::int64_t packed_at = 0, gradient_at = 0;
  const auto take = [&](std::int64_t rank, std::int64_t rows, std::int64_t columns) {
    std::vector<at::Tensor> of_units;
    for (std::int64_t u = 0; u < units_of(rank); ++u) {
      of_units.push_back(packed_.narrow(0, packed_at, rows * columns).view({rows, columns}));
      packed_at += rows * columns;
    }
    return of_units;
  };
  const auto take_gradient = [&](std::int64_t rank, std::int64_t rows, std::int64_t columns,
                                 std::int64_t rank_stride) {
    const auto whole_gradient = gradient_.narrow(0, gradient_at, rows * columns);
    gradients_.push_back(whole_gradient.view({rows, columns}));
    gradient_at += rows * columns;
    std::vector<UnitGradient> of_units;
    for (std::int64_t u = 0; u < units_of(rank); ++u)
      of_units.push_back({whole_gradient.narrow(0, u * kUnitRank * rank_stride, 1),
                          std::min(kUnitRank, rank - u * kUnitRank)});
    return of_units;
  };
  // The order is that of Lora's pairs: by layer, then by projection.
  for (auto& [module, own] : branches_) {
    const auto [out, in] = projection_shape(config_, module.second);
    own.a_by_rank = take(own.rank, kUnitRank, in);
    own.a_by_column = take(own.rank, in, kUnitRank);
    own.b_by_rank = take(own.rank, kUnitRank, out);
    own.b_by_column = take(own.rank, out, kUnitRank);
    own.d_a = take_gradient(own.rank, own.rank, in, in);
    own.d_b = take_gradient(own.rank, out, own.rank, 1);
  }
}

void KernelStep::load(const Lora& lora) {
  const at::NoGradGuard no_grad;
  std::vector<train_device::Matrix> table;
  std::int64_t widest = 0;
  for (auto& [module, own] : branches_) {
    const auto& [a, b] = lora.pairs().at(module);
    TORCH_CHECK(a.is_contiguous() && b.is_contiguous() && a.scalar_type() == at::kFloat,
                "an adapter's matrices are f32");
    table.push_back(
        {address(a), address(own.a_by_rank[0]), 0, a.size(1), 1, 1, whole(own.rank), whole(a.size(1))});
    table.push_back({address(b), address(own.b_by_rank[0]), 0, 1, b.size(1), static_cast<float>(own.scale),
                     whole(own.rank), whole(b.size(0))});
    table[table.size() - 2].by_column = address(own.a_by_column[0]);
    table.back().by_column = address(own.b_by_column[0]);
    widest = std::max({widest, a.size(1), b.size(0)});
  }
  const auto bytes = static_cast<std::int64_t>(table.size() * sizeof(table[0]));
  const auto on_cpu = at::empty({bytes}, at::kByte);
  std::memcpy(on_cpu.mutable_data_ptr<std::uint8_t>(), table.data(), static_cast<std::size_t>(bytes));
  matrices_ = on_cpu.to(packed_.device());
  pack_matrices_.launch(nullptr,
                        {whole((widest + 127) / 128), whole(static_cast<std::int64_t>(table.size()))},
                        train_device::Pack{address(matrices_)});
  gradient_.zero_();
}

at::Tensor KernelStep::take_gradient() {
  const at::NoGradGuard no_grad;
  auto taken = gradient_.clone();
  gradient_.zero_();
  return taken;
}

KernelStep::Branch* KernelStep::branch(std::int64_t layer, Projection p) {
  const auto found = branches_.find({layer, p});
  return found == branches_.end() ? nullptr : &found->second;
}

const KernelStep::Branch* KernelStep::branch(std::int64_t layer, Projection p) const {
  const auto found = branches_.find({layer, p});
  return found == branches_.end() ? nullptr : &found->second;
}

std::int64_t KernelStep::bytes_of_token(std::int64_t recomputed_layers) const {
  TrainedLayers layers{config_.layers,        config_.hidden,      config_.intermediate,
                       config_.query_width(), config_.key_width(), config_.qk_norm};
  if (settings_.dropout > 0)
    for (const auto p : settings_.targets) layers.dropped_inputs += projection_shape(config_, p)[1];
  return layers.bytes_of_token(recomputed_layers);
}

KernelStep::Batch KernelStep::upload(const Packed& packed) const {
  const auto device = packed_.device();
  const auto list = [&](const auto& values, at::ScalarType type) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const auto host =
        at::from_blob(const_cast<Value*>(values.data()), {static_cast<std::int64_t>(values.size())}, type);
    return host.to(device);
  };
  Batch batch;
  batch.tokens = list(packed.tokens, at::kLong);
  batch.positions = list(packed.positions, at::kInt);
  batch.keys =
      at::from_blob(const_cast<std::uint64_t*>(packed.keys.data()), {packed.rows()}, at::kLong).to(device);
  batch.begins = list(packed.begins, at::kInt);
  batch.answers = list(packed.answers, at::kLong);
  batch.targets = list(packed.targets, at::kLong);
  batch.rows = packed.rows();
  batch.longest = packed.longest;
  return batch;
}

at::Tensor KernelStep::weight(std::int64_t layer, std::initializer_list<Projection> members) {
  const auto& own = model_.layers()[static_cast<std::size_t>(layer)];
  if (dequantise_.empty()) {
    if (members.size() == 1) return own[*members.begin()].weight();
    if (auto whole = model_.joined(layer, members); whole.defined()) return whole;
    std::vector<at::Tensor> parts;
    for (const auto p : members) parts.push_back(own[p].weight());
    return at::cat(parts);
  }
  std::int64_t rows = 0, in = 0;
  for (const auto p : members) {
    const auto& few = *own[p].quantised();
    const auto count = few.out * few.in;
    in = few.in;
    const auto out = scratch_.narrow(0, rows * in, count);
    const train_device::Dequantise matrix{address(few.values), address(few.scale), address(out), count,
                                          whole(few.in)};
    if (few.storage == MatrixStorage::Id::nf4)
      dequantise_[0].launch(nullptr, {whole((count / 16 + 255) / 256)},
                            train_device::DequantiseCodes{matrix, kNormalFloats});
    else
      dequantise_[0].launch(nullptr, {whole((count / 8 + 255) / 256)}, matrix);
    rows += few.out;
  }
  return scratch_.narrow(0, 0, rows * in).view({rows, in});
}

void KernelStep::draw_dropout(std::int64_t layer, const Batch& batch, Kept& kept) const {
  train_device::Dropout dropout{
      address(batch.keys), address(batch.positions), {}, {}, {}, dropout_limit(settings_.dropout)};
  std::size_t count = 0;
  for (const auto p : settings_.targets) {
    const auto width = projection_shape(config_, p)[1];
    auto& bits = kept.bits[static_cast<std::size_t>(p)];
    bits = at::empty({batch.rows, width / 8}, packed_.options().dtype(at::kByte));
    dropout.kept[count] = address(bits);
    dropout.module[count] = dropout_key({0}, layer, p).value;
    dropout.width[count] = whole(width);
    ++count;
  }
  draw_dropout_.launch(nullptr, {whole(batch.rows), whole(static_cast<std::int64_t>(count))}, dropout);
}

std::vector<at::Tensor> KernelStep::bits_of(std::int64_t layer, std::initializer_list<Projection> group,
                                            const Kept& kept) const {
  std::vector<at::Tensor> bits;
  if (!dropout_) return bits;
  for (const auto p : group) {
    if (const auto* own = branch(layer, p))
      bits.insert(bits.end(), own->a_by_rank.size(), kept.bits[static_cast<std::size_t>(p)]);
  }
  return bits;
}

void KernelStep::keep_low(std::int64_t layer, std::initializer_list<Projection> group, const at::Tensor& x,
                          Kept& kept) const {
  if (!adapted_) return;
  std::vector<at::Tensor> a;
  for (const auto p : group)
    if (const auto* own = branch(layer, p)) a.insert(a.end(), own->a_by_rank.begin(), own->a_by_rank.end());
  if (a.empty()) return;
  const auto low = adapter_products::down(x, a, bits_of(layer, group, kept),
                                          dropout_ ? dropout_scale(settings_.dropout) : 1.0);
  auto next = low.begin();
  for (const auto p : group) {
    if (const auto* own = branch(layer, p)) {
      const auto end = next + static_cast<std::ptrdiff_t>(own->a_by_rank.size());
      kept.low[static_cast<std::size_t>(p)].assign(next, end);
      next = end;
    }
  }
}

void KernelStep::add_adapter(std::int64_t layer, Projection p, const at::Tensor& y, const Kept& kept) const {
  const auto* own = branch(layer, p);
  if (own && adapted_)
    adapter_products::up(y, kept.low[static_cast<std::size_t>(p)], own->b_by_column, {}, 1.0);
}

KernelStep::Fused KernelStep::feed_forward(bool backward, std::int64_t layer, const at::Tensor& active,
                                           const std::vector<Low>& low_down, const Kept& kept) const {
  const auto rows = active.size(0);
  train_device::FeedForward parameters{address(kept.gate_up), address(active)};
  parameters.kept = address(kept.bits[static_cast<std::size_t>(down)]);
  parameters.scale = static_cast<float>(dropout_ ? dropout_scale(settings_.dropout) : 1.0);
  parameters.rows = whole(rows);
  const auto steps = config_.intermediate / 64, beside = rows / 64;
  parameters.steps = whole(std::max<std::int64_t>(1, steps * beside / 2048));
  const auto blocks = (steps + parameters.steps - 1) / parameters.steps;

  const auto& kernels = feed_forward_[static_cast<std::size_t>(layer)];
  const auto fused = [&](Projection p) { return kernels.fused ? branch(layer, p) : nullptr; };
  const auto fill = [&](train_device::PerUnit& to, const Branch& of, const auto& get) {
    for (std::size_t u = 0; u < of.a_by_rank.size(); ++u) to[u] = address(get(u));
  };
  // Passes on a projection's products with the adapter's A; zeros if the model is computed without the
  // adapter.
  const auto add = [&](Projection p, const std::vector<Low>& low, train_device::PerUnit& lows) {
    if (const auto* own = fused(p))
      fill(lows, *own, [&](std::size_t u) { return adapted_ ? low[u].rows : zeros_; });
  };
  add(gate, kept.low[static_cast<std::size_t>(gate)], parameters.gate_low);
  add(up, kept.low[static_cast<std::size_t>(up)], parameters.up_low);
  if (backward) add(down, low_down, parameters.down_low);
  if (const auto* own = fused(gate))
    fill(parameters.gate_b, *own, [&](std::size_t u) { return own->b_by_column[u]; });
  if (const auto* own = fused(up))
    fill(parameters.up_b, *own, [&](std::size_t u) { return own->b_by_column[u]; });
  if (const auto* own = fused(down))
    fill(parameters.down_a, *own, [&](std::size_t u) { return own->a_by_column[u]; });

  at::Tensor first, second;
  const auto sums = [&](const Branch& of) {
    return at::empty({blocks, rows, units_of(of.rank) * kUnitRank}, active.options().dtype(at::kFloat));
  };
  if (const auto* own = fused(backward ? gate : down)) {
    fill(parameters.first_by_rank, *own,
         [&](std::size_t u) { return backward ? own->b_by_rank[u] : own->a_by_rank[u]; });
    first = sums(*own);
  }
  if (const auto* own = backward ? fused(up) : nullptr) {
    fill(parameters.second_by_rank, *own, [&](std::size_t u) { return own->b_by_rank[u]; });
    second = sums(*own);
  }
  parameters.first_parts = address(first);
  parameters.second_parts = address(second);
  (backward ? kernels.backward : kernels.forward).launch(nullptr, {whole(beside), whole(blocks)}, parameters);
  Fused result;
  if (first.defined() && adapted_)
    result.first = adapter_products::gathered(first, backward ? 1.0 : parameters.scale);
  if (second.defined()) result.second = adapter_products::gathered(second, 1.0);
  return result;
}

std::vector<Low> KernelStep::adapters_backward(std::int64_t layer, std::initializer_list<Projection> group,
                                               std::initializer_list<at::Tensor> d_ys, const at::Tensor& dx,
                                               const Kept& kept,
                                               std::initializer_list<std::vector<Low>> given) {
  std::vector<Low> d_low;
  std::vector<at::Tensor> a;
  const auto* d_y = d_ys.begin();
  const auto* of_given = given.begin();
  for (const auto p : group) {
    if (const auto* own = branch(layer, p)) {
      const bool has = of_given != given.end() && !of_given->empty();
      const auto mine = has ? *of_given : adapter_products::down(*d_y, own->b_by_rank, {}, 1.0);
      d_low.insert(d_low.end(), mine.begin(), mine.end());
      adapter_products::outer(*d_y, kept.low[static_cast<std::size_t>(p)], {}, own->scale, own->d_b, 1,
                              own->rank);
      a.insert(a.end(), own->a_by_column.begin(), own->a_by_column.end());
    }
    ++d_y;
    if (of_given != given.end()) ++of_given;
  }
  if (dx.defined() && !a.empty())
    adapter_products::up(dx, d_low, a, bits_of(layer, group, kept),
                         dropout_ ? dropout_scale(settings_.dropout) : 1.0);
  return d_low;
}

void KernelStep::adapters_weights(std::int64_t layer, std::initializer_list<Projection> group,
                                  const at::Tensor& x, const std::vector<Low>& d_low, const Kept& kept) {
  if (d_low.empty()) return;
  std::vector<UnitGradient> gradients;
  for (const auto p : group)
    if (const auto* own = branch(layer, p))
      gradients.insert(gradients.end(), own->d_a.begin(), own->d_a.end());
  adapter_products::outer(x, d_low, bits_of(layer, group, kept),
                          dropout_ ? dropout_scale(settings_.dropout) : 1.0, gradients, x.size(1), 1);
}

void KernelStep::forward_layer(std::int64_t layer, const Batch& batch, const at::Tensor& pending,
                               Kept& kept) {
  const auto& own = model_.layers()[static_cast<std::size_t>(layer)];
  const auto half = packed_.options();
  const auto rows = batch.rows;
  const Kernel::Grid each{whole(rows)};
  kept.input_scale = at::empty({rows}, half.dtype(at::kFloat));
  kept.attention_scale = at::empty({rows}, half.dtype(at::kFloat));
  if (dropout_) draw_dropout(layer, batch, kept);
  const auto h = at::empty({rows, config_.hidden}, half);
  add_and_norm_.launch(nullptr, each,
                       train_device::Norm{address(stream_), address(pending), address(own.input_norm.weight),
                                          address(kept.input_scale), address(h)});
  const auto q_width = config_.query_width(), k_width = config_.key_width();
  kept.qkv = at::empty({rows, q_width + 2 * k_width}, half);
  const auto to_q = kept.qkv.narrow(1, 0, q_width), to_k = kept.qkv.narrow(1, q_width, k_width),
             to_v = kept.qkv.narrow(1, q_width + k_width, k_width);
  if (const auto& bias = qkv_bias_[static_cast<std::size_t>(layer)]; bias.defined())
    at::addmm_out(kept.qkv, bias, h, weight(layer, {q, k, v}).t());
  else
    at::mm_out(kept.qkv, h, weight(layer, {q, k, v}).t());
  keep_low(layer, {q, k, v}, h, kept);
  add_adapter(layer, q, to_q, kept);
  add_adapter(layer, k, to_k, kept);
  add_adapter(layer, v, to_v, kept);
  if (config_.qk_norm) kept.plain = at::empty({rows, q_width + k_width}, half);
  rotate_.launch(nullptr, each,
                 train_device::Rotation{address(kept.qkv), 0, 0, 0, address(model_.cosine()),
                                        address(model_.sine()), address(batch.positions), address(kept.plain),
                                        address(own.query_norm.weight), address(own.key_norm.weight)});
  const auto heads = kept.qkv.view({rows, config_.heads + 2 * config_.kv_heads, config_.head_size});
  std::tie(kept.mixed, kept.normaliser, kept.random, kept.unused, std::ignore) = at::_flash_attention_forward(
      heads.narrow(1, 0, config_.heads), heads.narrow(1, config_.heads, config_.kv_heads),
      heads.narrow(1, config_.heads + config_.kv_heads, config_.kv_heads), batch.begins, batch.begins,
      batch.longest, batch.longest,
      /*dropout_p=*/0.0, /*is_causal=*/true, /*return_debug_mask=*/false,
      1.0 / std::sqrt(static_cast<double>(config_.head_size)));
  const auto mixed = kept.mixed.reshape({rows, q_width});
  kept.y_attention = at::empty({rows, config_.hidden}, half);
  at::mm_out(kept.y_attention, mixed, weight(layer, {o}).t());
  keep_low(layer, {o}, mixed, kept);
  add_adapter(layer, o, kept.y_attention, kept);
  add_and_norm_.launch(
      nullptr, each,
      train_device::Norm{address(stream_), address(kept.y_attention), address(own.attention_norm.weight),
                         address(kept.attention_scale), address(h)});
  kept.gate_up = at::empty({rows, 2 * config_.intermediate}, half);
  at::mm_out(kept.gate_up, h, weight(layer, {gate, up}).t());
  keep_low(layer, {gate, up}, h, kept);
  if (!feed_forward_[static_cast<std::size_t>(layer)].fused) {
    add_adapter(layer, gate, kept.gate_up.narrow(1, 0, config_.intermediate), kept);
    add_adapter(layer, up, kept.gate_up.narrow(1, config_.intermediate, config_.intermediate), kept);
  }
  const auto active = at::empty({rows, config_.intermediate}, half);
  const auto fused = feed_forward(false, layer, active, {}, kept);
  kept.y_feed_forward = at::empty({rows, config_.hidden}, half);
  at::mm_out(kept.y_feed_forward, active, weight(layer, {down}).t());
  if (feed_forward_[static_cast<std::size_t>(layer)].fused)
    kept.low[static_cast<std::size_t>(down)] = fused.first;
  else
    keep_low(layer, {down}, active, kept);
  add_adapter(layer, down, kept.y_feed_forward, kept);
}

void KernelStep::forward(const Batch& batch, bool keep) {
  stream_ = at::embedding(model_.embedding(), batch.tokens).to(at::kFloat);
  kept_.assign(static_cast<std::size_t>(config_.layers), {});
  at::Tensor pending;
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    auto& kept = kept_[static_cast<std::size_t>(i)];
    forward_layer(i, batch, pending, kept);
    pending = kept.y_feed_forward;
    if (keep && i >= recomputed_) continue;
    Kept less;
    if (keep) less.y_attention = kept.y_attention, less.y_feed_forward = kept.y_feed_forward;
    kept = less;
  }
  stream_.add_(pending);
}

void KernelStep::backward_layer(std::int64_t layer, const Batch& batch) {
  const auto& own = model_.layers()[static_cast<std::size_t>(layer)];
  auto& kept = kept_[static_cast<std::size_t>(layer)];
  const auto rows = batch.rows;
  const Kernel::Grid each{whole(rows)};
  const auto options = packed_.options();
  if (layer < recomputed_) {
    stream_.sub_(kept.y_feed_forward).sub_(kept.y_attention);
    forward_layer(layer, batch, {}, kept);
    stream_.add_(kept.y_feed_forward);
  }
  const auto h = at::empty({rows, config_.hidden}, options);
  auto d_h = at::empty_like(h);
  const auto again = [&](const at::Tensor& y, const Norm& norm, const at::Tensor& scale) {
    norm_again_.launch(
        nullptr, each,
        train_device::Norm{address(stream_), address(y), address(norm.weight), address(scale), address(h)});
  };
  const auto norm_back = [&](const Norm& norm, const at::Tensor& scale) {
    norm_backward_.launch(nullptr, each,
                          train_device::NormBackward{address(stream_), address(norm.weight), address(scale),
                                                     address(d_h), address(d_stream_), address(half_)});
  };
  // Feed-forward.
  again(kept.y_feed_forward, own.attention_norm, kept.attention_scale);
  auto active = at::empty({rows, config_.intermediate}, options);  // at first this holds the gradient
  at::mm_out(active, half_, weight(layer, {down}));
  const bool adds_alone = !feed_forward_[static_cast<std::size_t>(layer)].fused;
  const auto low_down = adapters_backward(layer, {down}, {half_}, adds_alone ? active : at::Tensor(), kept);
  const auto fused = feed_forward(true, layer, active, low_down, kept);
  adapters_weights(layer, {down}, active, low_down, kept);
  active.reset();
  at::mm_out(d_h, kept.gate_up, weight(layer, {gate, up}));
  const auto d_gate = kept.gate_up.narrow(1, 0, config_.intermediate),
             d_up = kept.gate_up.narrow(1, config_.intermediate, config_.intermediate);
  adapters_weights(
      layer, {gate, up}, h,
      adapters_backward(layer, {gate, up}, {d_gate, d_up}, d_h, kept, {fused.first, fused.second}), kept);
  norm_back(own.attention_norm, kept.attention_scale);
  kept.gate_up.reset();

  // Attention.
  again(kept.y_attention, own.input_norm, kept.input_scale);
  const auto q_width = config_.query_width(), k_width = config_.key_width();
  const auto mixed = kept.mixed.reshape({rows, q_width});
  auto d_mixed = at::empty({rows, q_width}, options);
  at::mm_out(d_mixed, half_, weight(layer, {o}));
  adapters_weights(layer, {o}, mixed, adapters_backward(layer, {o}, {half_}, d_mixed, kept), kept);
  const auto heads = kept.qkv.view({rows, config_.heads + 2 * config_.kv_heads, config_.head_size});
  at::Tensor d_q, d_k, d_v;
  {
    const Deterministic deterministic;
    std::tie(d_q, d_k, d_v) = at::_flash_attention_backward(
        d_mixed.view({rows, config_.heads, config_.head_size}), heads.narrow(1, 0, config_.heads),
        heads.narrow(1, config_.heads, config_.kv_heads),
        heads.narrow(1, config_.heads + config_.kv_heads, config_.kv_heads), kept.mixed, kept.normaliser,
        batch.begins, batch.begins, batch.longest, batch.longest, 0.0, true, kept.random, kept.unused,
        1.0 / std::sqrt(static_cast<double>(config_.head_size)));
  }
  d_q = d_q.contiguous();
  d_k = d_k.contiguous();
  d_v = d_v.contiguous();
  rotate_back_.launch(nullptr, each,
                      train_device::Rotation{address(kept.qkv), address(d_q), address(d_k), address(d_v),
                                             address(model_.cosine()), address(model_.sine()),
                                             address(batch.positions), address(kept.plain),
                                             address(own.query_norm.weight), address(own.key_norm.weight)});
  const auto from_q = kept.qkv.narrow(1, 0, q_width), from_k = kept.qkv.narrow(1, q_width, k_width),
             from_v = kept.qkv.narrow(1, q_width + k_width, k_width);
  const bool first = layer == 0;  // nothing lies below
  if (!first) at::mm_out(d_h, kept.qkv, weight(layer, {q, k, v}));
  adapters_weights(
      layer, {q, k, v}, h,
      adapters_backward(layer, {q, k, v}, {from_q, from_k, from_v}, first ? at::Tensor() : d_h, kept), kept);
  if (!first) norm_back(own.input_norm, kept.input_scale);
  kept = {};
}

void KernelStep::backward(const Batch& batch, const at::Tensor& d_answers) {
  d_stream_ = at::zeros({batch.rows, config_.hidden}, packed_.options().dtype(at::kFloat));
  d_stream_.index_copy_(0, batch.answers, d_answers);
  half_ = d_stream_.to(at::kBFloat16);
  for (auto layer = config_.layers; layer-- > 0;) backward_layer(layer, batch);
}

KernelStep::HeadRows KernelStep::head_rows(const Batch& batch, std::int64_t first, std::int64_t count) {
  HeadRows rows;
  rows.first = first;
  rows.count = count;
  rows.stream = stream_.index_select(0, batch.answers.narrow(0, first, count));
  const auto floats = rows.stream.options();
  rows.scale = at::empty({count}, floats);
  rows.hidden = at::empty({count, config_.hidden}, packed_.options());
  rows.log_sum = at::empty({count}, floats);
  rows.log_probabilities = at::empty({count}, floats);
  rows.entropy = at::empty({count}, floats);
  add_and_norm_.launch(nullptr, {whole(count)},
                       train_device::Norm{address(rows.stream), 0, address(model_.final_norm().weight),
                                          address(rows.scale), address(rows.hidden)});
  rows.logits = head_logits(rows);
  score_.launch(nullptr, {whole(count)},
                train_device::Likelihood{address(rows.logits), address(batch.targets.narrow(0, first, count)),
                                         address(rows.log_sum), address(rows.log_probabilities),
                                         address(rows.entropy), 0});
  return rows;
}

at::Tensor KernelStep::head_logits(const HeadRows& rows) const {
  return at::mm(rows.hidden, model_.head().weight().t());
}

void KernelStep::head_backward(HeadRows& rows, const Batch& batch, const at::Tensor& coefficients,
                               const at::Tensor& d_answers) {
  if (!rows.logits.defined()) rows.logits = head_logits(rows);
  score_backward_.launch(
      nullptr, {whole(rows.count)},
      train_device::Likelihood{address(rows.logits), address(batch.targets.narrow(0, rows.first, rows.count)),
                               address(rows.log_sum), 0, 0,
                               address(coefficients.narrow(0, rows.first, rows.count))});
  const auto d_hidden = at::mm(rows.logits, model_.head().weight());
  rows.logits.reset();
  const auto into = d_answers.narrow(0, rows.first, rows.count);
  norm_backward_.launch(nullptr, {whole(rows.count)},
                        train_device::NormBackward{address(rows.stream), address(model_.final_norm().weight),
                                                   address(rows.scale), address(d_hidden), address(into),
                                                   address(rows.hidden)});
}

KernelStep::Scores KernelStep::head(const Batch& batch, const at::Tensor& coefficients,
                                    const Objective* objective) {
  const auto answers = batch.answers.size(0);
  const auto together = std::max<std::int64_t>(1, kLogitBytes / (2 * config_.vocabulary));
  const bool backward_too = coefficients.defined() || objective;
  const auto d_answers =
      backward_too ? at::zeros({answers, config_.hidden}, packed_.options().dtype(at::kFloat)) : at::Tensor();
  std::vector<HeadRows> pieces;
  std::vector<at::Tensor> log_probabilities, entropy;
  for (std::int64_t first = 0; first < answers; first += together) {
    auto rows = head_rows(batch, first, std::min(together, answers - first));
    log_probabilities.push_back(rows.log_probabilities);
    entropy.push_back(rows.entropy);
    if (coefficients.defined()) head_backward(rows, batch, coefficients, d_answers);
    if (!objective) continue;
    if (answers > together) rows.logits.reset();
    pieces.push_back(std::move(rows));
  }
  Scores scores{at::cat(log_probabilities), at::cat(entropy)};
  if (objective) {
    const auto derivatives = (*objective)(scores).contiguous();
    for (auto& rows : pieces) head_backward(rows, batch, derivatives, d_answers);
  }
  pieces.clear();
  if (backward_too) backward(batch, d_answers);
  return scores;
}

KernelStep::Scores KernelStep::pass(const Packed& packed, const at::Tensor& coefficients,
                                    const Objective* objective, std::int64_t recomputed_layers) {
  const at::NoGradGuard no_grad;
  const auto floats = packed_.options().dtype(at::kFloat);
  if (packed.answers.empty()) return {at::empty({0}, floats), at::empty({0}, floats)};
  recomputed_ = recomputed_layers;
  const auto batch = upload(packed);
  if (!adapted_ && (!zeros_.defined() || zeros_.size(0) < batch.rows))
    zeros_ = at::zeros({batch.rows, kUnitRank}, packed_.options());
  forward(batch, coefficients.defined() || objective);
  auto scores = head(batch, coefficients, objective);
  kept_.clear();
  stream_.reset();
  d_stream_.reset();
  half_.reset();
  return scores;
}

KernelStep::Scores KernelStep::run(const Packed& packed, const at::Tensor& coefficients,
                                   std::int64_t recomputed_layers) {
  dropout_ = settings_.dropout > 0;
  adapted_ = true;
  return pass(packed, coefficients, nullptr, recomputed_layers);
}

KernelStep::Scores KernelStep::run(const Packed& packed, const Objective& objective,
                                   std::int64_t recomputed_layers) {
  dropout_ = settings_.dropout > 0;
  adapted_ = true;
  return pass(packed, {}, &objective, recomputed_layers);
}

KernelStep::Scores KernelStep::scores(const Packed& packed, bool adapter, bool dropout) {
  dropout_ = dropout && adapter && settings_.dropout > 0;
  adapted_ = adapter;
  auto scores = pass(packed, {}, nullptr, config_.layers);
  adapted_ = true;
  return scores;
}

}  // namespace trl::runtime
