#include "runtime/sample/decoder.hpp"

#include <algorithm>

namespace trl::runtime {
namespace {

constexpr std::int64_t kUsualRows = 32;

}  // namespace

at::Tensor Product::each_row(const at::Tensor& x) const {
  std::vector<at::Tensor> parts;
  for (const auto& matrix : matrices) parts.push_back(matrix.each_row(x));
  auto y = parts.size() == 1 ? parts.front() : at::cat(parts, 1);
  for (const auto& branch : branches)
    y.narrow(1, branch.begin, branch.width).add_(branch.up.each_row(branch.down.each_row(x)));
  return y;
}

DecoderModel::DecoderModel(const LanguageModel& model, const Lora* adapter) : config(model.config()) {
  const at::NoGradGuard no_grad;
  const auto whole = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.to(at::kCPU, at::kFloat).contiguous() : tensor;
  };
  const auto norm = [&](const Norm& from) { return Norm{whole(from.weight), whole(from.bias)}; };
  const auto frozen = [&](const at::Tensor& weight) {
    return Linear::frozen(whole(weight.detach()), {}, kUsualRows, false);
  };
  embedding = whole(model.embedding());
  final_norm = norm(model.final_norm());
  head = frozen(model.head().weight());
  for (std::int64_t i = 0; i < config.layers; ++i) {
    const auto& from = model.layers()[static_cast<std::size_t>(i)];
    const auto product = [&](std::initializer_list<Projection> projections) {
      Product product;
      std::int64_t begin = 0;
      for (const auto p : projections) {
        product.matrices.push_back(from[p]);
        const auto width = projection_shape(config, p)[0];
        if (adapter) {
          if (const auto pair = adapter->pairs().find({i, p}); pair != adapter->pairs().end())
            product.branches.push_back(
                {begin, width, frozen(pair->second.a), frozen(pair->second.b * adapter->scale({i, p}))});
        }
        begin += width;
      }
      return product;
    };
    using enum Projection;
    const bool gated = config.feed_forward == FeedForwardKind::gated_silu;
    layers.push_back({norm(from.input_norm), norm(from.attention_norm), norm(from.query_norm),
                      norm(from.key_norm), product({q, k, v}), product({o}),
                      gated ? product({gate, up}) : product({up}), product({down})});
  }
  cosine = whole(model.cosine());
  sine = whole(model.sine());
}

DecoderModel::DecoderModel(const ModelConfig& model_config, const Weights& weights) : config(model_config) {
  const at::NoGradGuard no_grad;
  check_weights(config, weights);
  const auto get = [&](const std::string& name) {
    return weights.at(name).to(at::kCPU, at::kFloat).contiguous();
  };
  const auto linear = [&](std::vector<std::string> paths) {
    std::vector<at::Tensor> parts, biases;
    for (const auto& path : paths) {
      parts.push_back(get(path + ".weight"));
      if (weights.contains(path + ".bias")) biases.push_back(get(path + ".bias"));
    }
    return Linear::frozen(at::cat(parts), biases.empty() ? at::Tensor() : at::cat(biases), kUsualRows, false);
  };
  const auto norm = [&](const std::string& path) {
    const auto tensor = [&](const std::string& name) {
      return weights.contains(name) ? get(name) : at::Tensor();
    };
    return Norm{tensor(path + ".weight"), tensor(path + ".bias")};
  };
  embedding = get(fmt::format("{}.weight", kEmbedding));
  final_norm = norm(kFinalNorm);
  head = linear({config.tied_embeddings ? kEmbedding : kHead});
  for (std::int64_t i = 0; i < config.layers; ++i) {
    const auto path = [&](Projection p) { return module_path(config.family, i, p); };
    using enum Projection;
    const bool gated = config.feed_forward == FeedForwardKind::gated_silu;
    layers.push_back(
        {norm(input_norm_path(i)), norm(attention_norm_path(i)), norm(query_norm_path(i)),
         norm(key_norm_path(i)), Product{{linear({path(q), path(k), path(v)})}, {}},
         Product{{linear({path(o)})}, {}},
         Product{{linear(gated ? std::vector{path(gate), path(up)} : std::vector{path(up)})}, {}},
         Product{{linear({path(down)})}, {}}});
  }
  const auto tables = rotation_tables(config);
  cosine = tables.cosine;
  sine = tables.sine;
}

Cache::Cache(const ModelConfig& config, std::int64_t capacity)
    : kv_heads_(config.kv_heads),
      size_(config.head_size),
      capacity_(padded(capacity)),
      keys_stride_(capacity_ * size_),
      values_stride_(capacity_ * padded(size_)),
      keys_(config.layers * kv_heads_ * keys_stride_),
      values_(config.layers * kv_heads_ * values_stride_) {}

HeadCache Cache::head(std::int64_t layer, std::int64_t kv_head, std::int64_t length) const {
  const auto index = layer * kv_heads_ + kv_head;
  return {keys_.data() + index * keys_stride_, values_.data() + index * values_stride_, length};
}

void Cache::store(std::int64_t layer, std::int64_t kv_head, std::int64_t position, const float* key,
                  const float* value) {
  const auto index = layer * kv_heads_ + kv_head;
  float* keys = keys_.data() + index * keys_stride_ + position / 16 * 16 * size_ + position % 16;
  for (std::int64_t d = 0; d < size_; ++d) keys[d * 16] = key[d];
  std::copy_n(value, size_, values_.data() + index * values_stride_ + position * padded(size_));
}

void Decoder::normalise(const Norm& norm, const float* x, std::int64_t width, float* out) const {
  const auto epsilon = static_cast<float>(model_->config.norm_epsilon);
  const float* weight = norm.weight.const_data_ptr<float>();
  if (norm.bias.defined())
    kernels().layer_norm(x, weight, norm.bias.const_data_ptr<float>(), epsilon, width, out);
  else
    kernels().rms_norm(x, weight, epsilon, width, out);
}

void Decoder::attention(std::int64_t layer, const std::vector<Row>& rows, float* qkv, float* mixed) {
  const auto& config = model_->config;
  const auto size = config.head_size, groups = config.heads / config.kv_heads;
  const auto width = (config.heads + 2 * config.kv_heads) * size;
  const auto& kernel = kernels();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    float* q = qkv + static_cast<std::int64_t>(i) * width;
    const auto position = row.prefix_length + row.index;
    const float* cosine = model_->cosine.const_data_ptr<float>() + position * size / 2;
    const float* sine = model_->sine.const_data_ptr<float>() + position * size / 2;
    for (std::int64_t head = 0; head < config.heads + config.kv_heads; ++head) {
      const auto& layers = model_->layers[static_cast<std::size_t>(layer)];
      const auto& norm = head < config.heads ? layers.query_norm : layers.key_norm;
      if (norm.defined()) normalise(norm, q + head * size, size, q + head * size);
      kernel.rotate(q + head * size, cosine, sine, size / 2);
    }
    const float* k = q + config.heads * size;
    for (std::int64_t head = 0; head < config.kv_heads; ++head) {
      row.own->store(layer, head, row.index, k + head * size, k + (config.kv_heads + head) * size);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const float* q = qkv + static_cast<std::int64_t>(i) * width;
    float* out = mixed + static_cast<std::int64_t>(i) * config.query_width();
    scores_.resize(
        std::max<std::size_t>(scores_.size(), 4 * (padded(row.prefix_length) + padded(row.index + 1))));
    for (std::int64_t head = 0; head < config.kv_heads; ++head) {
      HeadCache pieces[2];
      std::int64_t parts = 0;
      if (row.prefix) pieces[parts++] = row.prefix->head(layer, head, row.prefix_length);
      pieces[parts++] = row.own->head(layer, head, row.index + 1);
      kernel.attend(q + head * groups * size, groups, size, pieces, parts, scores_.data(),
                    out + head * groups * size);
    }
  }
}

at::Tensor Decoder::forward(const std::vector<Row>& rows) {
  const at::NoGradGuard no_grad;
  const auto& config = model_->config;
  const auto& kernel = kernels();
  const auto count = static_cast<std::int64_t>(rows.size()), hidden = config.hidden,
             inner = config.intermediate;
  // The number of rows is rounded up to a multiple of sixteen. With other numbers, oneDNN may choose another
  // order of summation.
  const auto whole = padded(count);
  auto x = at::zeros({whole, hidden}), normed = at::zeros({whole, hidden});
  auto mixed = at::zeros({whole, config.query_width()}), active = at::zeros({whole, inner});
  float* xs = x.mutable_data_ptr<float>();
  const auto each = [&](auto&& body) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
  };
  const auto norm = [&](const Norm& parameters) {
    each([&](std::int64_t i) {
      normalise(parameters, xs + i * hidden, hidden, normed.mutable_data_ptr<float>() + i * hidden);
    });
  };
  const auto add = [&](const at::Tensor& y) { kernel.add(xs, y.const_data_ptr<float>(), count * hidden); };

  each([&](std::int64_t i) {
    std::copy_n(model_->embedding.const_data_ptr<float>() + rows[i].token * hidden, hidden, xs + i * hidden);
  });
  for (std::int64_t i = 0; i < config.layers; ++i) {
    const auto& layer = model_->layers[i];
    norm(layer.input_norm);
    auto qkv = layer.qkv.each_row(normed);  // [rows, (heads + 2 kv_heads) head_size]
    attention(i, rows, qkv.mutable_data_ptr<float>(), mixed.mutable_data_ptr<float>());
    add(layer.o.each_row(mixed));
    norm(layer.attention_norm);
    const auto gate_up =
        layer.gate_up.each_row(normed);  // [rows, 2 intermediate]; without gate [rows, intermediate]
    each([&](std::int64_t row) {
      const float* gate = gate_up.const_data_ptr<float>() + row * gate_up.size(1);
      float* out = active.mutable_data_ptr<float>() + row * inner;
      if (config.feed_forward == FeedForwardKind::gelu_tanh)
        kernel.gelu(gate, inner, out);
      else
        kernel.gate(gate, gate + inner, inner, out);
    });
    add(layer.down.each_row(active));
  }
  std::int64_t wanted = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!rows[i].wants_logits) continue;
    normalise(model_->final_norm, xs + i * hidden, hidden,
              normed.mutable_data_ptr<float>() + wanted++ * hidden);
  }
  return model_->head.each_row(normed.narrow(0, 0, padded(wanted))).narrow(0, 0, wanted);
}

}  // namespace trl::runtime
