#include "runtime/train/lora_pass.hpp"

#include <algorithm>

#include "runtime/adapter/dropout.hpp"

namespace trl::runtime {
namespace {

constexpr std::int64_t kBlock = 64;  // rows whose intermediate values stay in the cache

}  // namespace

LoraPass::LoraPass(const LoraStep& step, const Document& document, std::optional<RandomKey> key,
                   LoraStep::Room& room, bool adapted)
    : step_(step),
      config_(step.config_),
      kernels_(training_kernels()),
      document_(document),
      length_(std::min<std::int64_t>(static_cast<std::int64_t>(document.tokens.size()) - 1, config_.context)),
      adapted_(adapted),
      drops_(adapted && key && step.settings_.dropout > 0),
      keep_scale_(dropout_scale(step.settings_.dropout)),
      layers_(static_cast<std::size_t>(config_.layers)),
      gradient_(step.gradient_size_) {
  lay_out(room);
  if (!drops_) return;
  for (const auto& layer : step_.layers_) {
    for (const auto* joined : {&layer.qkv, &layer.o, &layer.gate_up, &layer.down}) {
      for (const auto& branch : joined->branches) {
        kernels_.dropout(dropout_key(*key, branch.layer, branch.projection), length_ * branch.in,
                         dropout_limit(step_.settings_.dropout), state_of(branch).kept);
      }
    }
  }
}

// Distributes the workspace in two rounds. The first round only measures how much memory is needed.
void LoraPass::lay_out(LoraStep::Room& room) {
  for (const bool measuring : {true, false}) {
    std::size_t floats = 0, bytes = 0;
    const auto take = [&](std::int64_t count) {
      float* taken = measuring ? nullptr : room.floats.get() + floats;
      // Products may write up to one panel past the end.
      floats += static_cast<std::size_t>(panelled(count) + kPanel);
      return taken;
    };
    const auto rows = [&](std::int64_t count, std::int64_t width) {
      return Rows{take(count * panelled(width)), panelled(width)};
    };
    const auto hidden = config_.hidden, inner = config_.intermediate, queries = config_.query_width();
    const auto joined = (config_.heads + 2 * config_.kv_heads) * config_.head_size;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      auto& layer = layers_[i];
      layer.input = rows(length_, hidden);
      layer.normed = rows(length_, hidden);
      layer.qkv = rows(length_, joined);
      if (config_.qk_norm) layer.plain = rows(length_, queries + config_.key_width());
      layer.mixed = rows(length_, queries);
      layer.middle = rows(length_, hidden);
      layer.attention_normed = rows(length_, hidden);
      layer.gate_up = rows(length_, 2 * inner);
      layer.active = rows(length_, inner);
      layer.normaliser = take(config_.heads * length_);
      const auto& own = step_.layers_[i];
      for (const auto* group : {&own.qkv, &own.o, &own.gate_up, &own.down}) {
        for (const auto& branch : group->branches) {
          auto& state = state_of(branch);
          state.low = take(length_ * branch.padded);
          state.kept = nullptr;
          if (!drops_) continue;
          if (!measuring) state.kept = room.bytes.get() + bytes;
          bytes += static_cast<std::size_t>(length_ * branch.in + 64);
        }
      }
    }
    output_ = rows(length_, hidden);
    d_stream_ = rows(length_, hidden);
    d_mixed_ = rows(length_, queries);
    d_qkv_ = rows(length_, joined);
    dropped_ = rows(kBlock, std::max({hidden, inner, queries}));
    low_ = {take(kBlock * step_.largest_), step_.largest_};
    d_normed_ = rows(kBlock, hidden);
    d_active_ = rows(kBlock, inner);
    d_gate_up_ = rows(kBlock, 2 * inner);
    logits_ = rows(kBlock, config_.vocabulary);
    head_ = take(config_.head_size);
    attention_scratch_ = take(attention_scratch(length_, config_.head_size));
    if (!measuring) continue;
    if (room.float_count < floats) {
      room.floats.reset();
      room.floats = std::make_unique<float[]>(room.float_count = floats + floats / 4);
    }
    if (room.byte_count < bytes) {
      room.bytes.reset();
      room.bytes = std::make_unique<std::uint8_t[]>(room.byte_count = bytes + bytes / 4);
    }
  }
}

template <typename Body>
void LoraPass::blocks(const Body& body) const {
  for (std::int64_t first = 0; first < length_; first += kBlock)
    body(first, std::min(kBlock, length_ - first));
}

LoraStep::Part LoraPass::run(float scale) {
  forward();
  return finish(loss([scale](std::int64_t) { return scale; }));
}

LoraStep::Part LoraPass::run(const LoraStep::Coefficients& coefficients) {
  forward();
  double entropy = 0;
  const auto logp = scores(entropy);
  std::vector<float> given(logp.size());
  const double total = coefficients(logp, given);
  const bool any = std::any_of(given.begin(), given.end(), [](float one) { return one != 0; });
  if (!any) return {total, std::move(gradient_), entropy};
  // The derivative by a log-probability is minus the derivative by a cross entropy.
  loss([&](std::int64_t t) { return -given[static_cast<std::size_t>(t)]; });
  auto part = finish(total);
  part.entropy = entropy;
  return part;
}

std::vector<float> LoraPass::log_probabilities() {
  forward();
  double entropy = 0;
  return scores(entropy);
}

LoraStep::Part LoraPass::finish(double loss) {
  for (std::int64_t i = config_.layers; i-- > 0;) backward_layer(i);
  return {loss, std::move(gradient_)};
}

void LoraPass::forward() {
  const auto& first = layers_.front().input;
  for (std::int64_t t = 0; t < length_; ++t) {
    std::copy_n(step_.embedding_.data() + document_.tokens[static_cast<std::size_t>(t)] * config_.hidden,
                config_.hidden, first[t]);
  }
  for (std::size_t i = 0; i < layers_.size(); ++i)
    forward_layer(static_cast<std::int64_t>(i), i + 1 < layers_.size() ? layers_[i + 1].input : output_);
}

void LoraPass::forward_layer(std::int64_t layer, const Rows& output) {
  const auto& weights = step_.layers_[static_cast<std::size_t>(layer)];
  const auto& state = layers_[static_cast<std::size_t>(layer)];
  const auto inner = config_.intermediate;
  blocks([&](std::int64_t first, std::int64_t rows) {
    norm(state.input, weights.input_norm, first, rows, state.normed);
    apply(weights.qkv, first, rows, state.normed, state.qkv, false);
    for (std::int64_t t = first; t < first + rows; ++t) {
      norm_heads(layer, t);
      rotate(state.qkv, t, step_.sine_);
    }
  });
  for (std::int64_t head = 0; head < config_.kv_heads; ++head) attend(state, head, nullptr, nullptr);
  blocks([&](std::int64_t first, std::int64_t rows) {
    std::copy_n(state.input[first], rows * state.input.stride, state.middle[first]);
    apply(weights.o, first, rows, state.mixed, state.middle, true);
    norm(state.middle, weights.attention_norm, first, rows, state.attention_normed);
    apply(weights.gate_up, first, rows, state.attention_normed, state.gate_up, false);
    for (std::int64_t t = first; t < first + rows; ++t)
      kernels_.gate(state.gate_up[t], state.gate_up[t] + inner, inner, state.active[t]);
    std::copy_n(state.middle[first], rows * state.middle.stride, output[first]);
    apply(weights.down, first, rows, state.active, output, true);
  });
}

void LoraPass::head(std::int64_t first, std::int64_t rows) {
  const auto hidden = config_.hidden;
  for (std::int64_t t = 0; t < rows; ++t)
    kernels_.rms_norm(output_[first + t], step_.final_norm_.data(), static_cast<float>(config_.norm_epsilon),
                      hidden, d_normed_[t]);
  kernels_.product({rows, logits_.stride, hidden, d_normed_.data, d_normed_.stride, 1,
                    step_.head_.forward.data(), hidden * kPanel, kPanel, logits_.data, logits_.stride,
                    false});
}

std::vector<float> LoraPass::scores(double& entropy) {
  std::vector<float> logp;
  for (std::int64_t first = answer_begin(); first < length_; first += kBlock) {
    const auto rows = std::min(kBlock, length_ - first);
    head(first, rows);
    for (std::int64_t t = 0; t < rows; ++t) {
      float own = 0;
      logp.push_back(kernels_.log_probability(
          logits_[t], config_.vocabulary, document_.tokens[static_cast<std::size_t>(first + t + 1)], &own));
      entropy += static_cast<double>(own);
    }
  }
  return logp;
}

template <typename Scale>
double LoraPass::loss(const Scale& scale) {
  const auto hidden = config_.hidden;
  const auto epsilon = static_cast<float>(config_.norm_epsilon);
  std::fill_n(d_stream_.data, length_ * d_stream_.stride, 0.0F);
  double total = 0;
  const auto begin = answer_begin();
  for (std::int64_t first = begin; first < length_; first += kBlock) {
    const auto rows = std::min(kBlock, length_ - first);
    head(first, rows);
    for (std::int64_t t = 0; t < rows; ++t) {
      total += static_cast<double>(kernels_.cross_entropy(
          logits_[t], config_.vocabulary, document_.tokens[static_cast<std::size_t>(first + t + 1)],
          scale(first + t - begin)));
    }
    kernels_.product({rows, d_normed_.stride, config_.vocabulary, logits_.data, logits_.stride, 1,
                      step_.head_.backward.data(), config_.vocabulary * kPanel, kPanel, d_normed_.data,
                      d_normed_.stride, false});
    for (std::int64_t t = 0; t < rows; ++t) {
      kernels_.rms_norm_backward(output_[first + t], step_.final_norm_.data(), epsilon, d_normed_[t], hidden,
                                 d_stream_[first + t]);
    }
  }
  return total;
}

void LoraPass::backward_layer(std::int64_t layer) {
  const auto& weights = step_.layers_[static_cast<std::size_t>(layer)];
  const auto& state = layers_[static_cast<std::size_t>(layer)];
  const auto hidden = config_.hidden, inner = config_.intermediate;
  const auto epsilon = static_cast<float>(config_.norm_epsilon);
  const auto from = [](const Rows& rows, std::int64_t first) { return Rows{rows[first], rows.stride}; };
  blocks([&](std::int64_t first, std::int64_t rows) {
    apply_backward(weights.down, first, rows, from(d_stream_, first), state.active, d_active_);
    for (std::int64_t t = 0; t < rows; ++t) {
      const float* gate = state.gate_up[first + t];
      kernels_.gate_backward(gate, gate + inner, d_active_[t], inner, d_gate_up_[t], d_gate_up_[t] + inner);
    }
    apply_backward(weights.gate_up, first, rows, d_gate_up_, state.attention_normed, d_normed_);
    for (std::int64_t t = 0; t < rows; ++t) {
      kernels_.rms_norm_backward(state.middle[first + t], weights.attention_norm.data(), epsilon,
                                 d_normed_[t], hidden, d_stream_[first + t]);
    }
    apply_backward(weights.o, first, rows, from(d_stream_, first), state.mixed, from(d_mixed_, first));
  });
  for (std::int64_t head = 0; head < config_.kv_heads; ++head) attend(state, head, &d_mixed_, &d_qkv_);
  const bool lowest = layer == 0;  // the layers below have no trained parameters
  blocks([&](std::int64_t first, std::int64_t rows) {
    for (std::int64_t t = first; t < first + rows; ++t) {
      rotate(d_qkv_, t, step_.sine_back_);
      norm_heads_backward(layer, t);
    }
    apply_backward(weights.qkv, first, rows, from(d_qkv_, first), state.normed, lowest ? Rows{} : d_normed_);
    for (std::int64_t t = 0; t < rows && !lowest; ++t) {
      kernels_.rms_norm_backward(state.input[first + t], weights.input_norm.data(), epsilon, d_normed_[t],
                                 hidden, d_stream_[first + t]);
    }
  });
}

LoraPass::Rows LoraPass::dropped(const Branch& branch, std::int64_t first, std::int64_t rows, const Rows& x) {
  const auto* kept = state_of(branch).kept;
  if (!kept) return {x[first], x.stride};
  for (std::int64_t t = 0; t < rows; ++t)
    kernels_.masked(x[first + t], kept + (first + t) * branch.in, keep_scale_, branch.in, dropped_[t]);
  return dropped_;
}

void LoraPass::apply(const Joined& joined, std::int64_t first, std::int64_t rows, const Rows& x,
                     const Rows& y, bool add) {
  kernels_.product({rows, panelled(joined.out), joined.in, x[first], x.stride, 1, joined.forward.data(),
                    joined.in * kPanel, kPanel, y[first], y.stride, add});
  for (std::int64_t t = first; t < first + rows && !joined.bias.empty(); ++t)
    kernels_.add(y[t], joined.bias.data(), joined.out);
  if (!adapted_) return;
  for (const auto& branch : joined.branches) {
    const auto rank = branch.padded;
    float* low = state_of(branch).low + first * rank;
    const auto input = dropped(branch, first, rows, x);
    kernels_.product({rows, rank, branch.in, input.data, input.stride, 1, branch.down.data(),
                      branch.in * kPanel, kPanel, low, rank, false});
    kernels_.product({rows, panelled(branch.out), branch.rank, low, rank, 1, branch.up.data(),
                      branch.rank * kPanel, kPanel, y[first] + branch.offset, y.stride, true});
  }
}

void LoraPass::apply_backward(const Joined& joined, std::int64_t first, std::int64_t rows, const Rows& dy,
                              const Rows& x, const Rows& dx) {
  if (dx.data) {
    kernels_.product({rows, panelled(joined.in), joined.out, dy.data, dy.stride, 1, joined.backward.data(),
                      joined.out * kPanel, kPanel, dx.data, dx.stride, false});
  }
  for (const auto& branch : joined.branches) {
    const auto& state = state_of(branch);
    const float* d_out = dy.data + branch.offset;
    const auto rank = branch.padded;
    const float* low = state.low + first * rank;
    kernels_.product({rank, panelled(branch.out), rows, low, 1, rank, d_out, kPanel, dy.stride,
                      gradient_.data() + branch.d_up, panelled(branch.out), true});
    kernels_.product({rows, rank, branch.out, d_out, dy.stride, 1, branch.up_back.data(), branch.out * kPanel,
                      kPanel, low_.data, rank, false});
    const auto input = dropped(branch, first, rows, x);
    kernels_.product({rank, panelled(branch.in), rows, low_.data, 1, rank, input.data, kPanel, input.stride,
                      gradient_.data() + branch.d_down, panelled(branch.in), true});
    if (!dx.data) continue;
    const Rows through = state.kept ? dropped_ : dx;
    kernels_.product({rows, panelled(branch.in), branch.rank, low_.data, rank, 1, branch.down_back.data(),
                      branch.rank * kPanel, kPanel, through.data, through.stride, !state.kept});
    for (std::int64_t t = 0; t < rows && state.kept; ++t)
      kernels_.add_masked(dropped_[t], state.kept + (first + t) * branch.in, keep_scale_, branch.in, dx[t]);
  }
}

void LoraPass::attend(const LayerState& state, std::int64_t head, const Rows* d_mixed, const Rows* d_qkv) {
  const auto size = config_.head_size, groups = config_.heads / config_.kv_heads;
  const auto query = head * groups * size, key = (config_.heads + head) * size,
             value = (config_.heads + config_.kv_heads + head) * size;
  HeadAttention work{};
  work.length = length_;
  work.head_size = size;
  work.groups = groups;
  work.stride = state.qkv.stride;
  work.query = state.qkv.data + query;
  work.key = state.qkv.data + key;
  work.value = state.qkv.data + value;
  work.mixed_stride = state.mixed.stride;
  work.mixed = state.mixed.data + query;
  work.normaliser = state.normaliser + head * groups * length_;
  work.scratch = attention_scratch_;
  if (!d_mixed) return kernels_.attention(work);
  work.d_mixed = d_mixed->data + query;
  work.d_query = d_qkv->data + query;
  work.d_key = d_qkv->data + key;
  work.d_value = d_qkv->data + value;
  kernels_.attention_backward(work);
}

void LoraPass::norm(const Rows& x, const std::vector<float>& weight, std::int64_t first, std::int64_t rows,
                    const Rows& out) {
  for (std::int64_t t = first; t < first + rows; ++t)
    kernels_.rms_norm(x[t], weight.data(), static_cast<float>(config_.norm_epsilon), config_.hidden, out[t]);
}

void LoraPass::norm_heads(std::int64_t layer, std::int64_t row) {
  if (!config_.qk_norm) return;
  const auto& weights = step_.layers_[static_cast<std::size_t>(layer)];
  const auto& state = layers_[static_cast<std::size_t>(layer)];
  const auto size = config_.head_size, heads = config_.heads + config_.kv_heads;
  std::copy_n(state.qkv[row], heads * size, state.plain[row]);
  for (std::int64_t head = 0; head < heads; ++head) {
    const auto& weight = head < config_.heads ? weights.query_norm : weights.key_norm;
    kernels_.rms_norm(state.plain[row] + head * size, weight.data(), static_cast<float>(config_.norm_epsilon),
                      size, state.qkv[row] + head * size);
  }
}

void LoraPass::norm_heads_backward(std::int64_t layer, std::int64_t row) {
  if (!config_.qk_norm) return;
  const auto& weights = step_.layers_[static_cast<std::size_t>(layer)];
  const auto& state = layers_[static_cast<std::size_t>(layer)];
  const auto size = config_.head_size, heads = config_.heads + config_.kv_heads;
  for (std::int64_t head = 0; head < heads; ++head) {
    const auto& weight = head < config_.heads ? weights.query_norm : weights.key_norm;
    float* gradient = d_qkv_[row] + head * size;
    std::copy_n(gradient, size, head_);
    std::fill_n(gradient, size, 0.0F);
    kernels_.rms_norm_backward(state.plain[row] + head * size, weight.data(),
                               static_cast<float>(config_.norm_epsilon), head_, size, gradient);
  }
}

void LoraPass::rotate(const Rows& qkv, std::int64_t row, const std::vector<float>& sine) {
  const auto size = config_.head_size, half = size / 2;
  for (std::int64_t head = 0; head < config_.heads + config_.kv_heads; ++head)
    kernels_.rotate(qkv[row] + head * size, step_.cosine_.data() + row * half, sine.data() + row * half,
                    half);
}

}  // namespace trl::runtime
