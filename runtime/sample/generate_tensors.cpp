#include <algorithm>
#include <limits>

#include "runtime/model/vocabulary.hpp"
#include "runtime/sample/generate.hpp"

namespace trl::runtime {
namespace {

// The number of cached positions is a multiple of this number, so that there are few shapes and a mask's rows
// are aligned for kernels.
constexpr std::int64_t kPositions = 64;
// The number of tokens of each row that are drawn between two transfers to the host, since each transfer
// waits for the device.
constexpr std::int64_t kSteps = 16;

std::int64_t whole(std::int64_t positions) { return (positions + kPositions - 1) / kPositions * kPositions; }

// A fixed batch of sequences with keys and values in tensors that were allocated once. It uses as few
// operations as possible, since a small model's time on a GPU depends on the number of kernels launched.
class RowsOfTensors {
 public:
  RowsOfTensors(const LanguageModel& model, const ProjectionHook* adapter, std::int64_t rows,
                std::int64_t capacity)
      : model_(model), adapter_(adapter), capacity_(whole(capacity)) {
    const auto& config = model.config();
    const auto options = at::TensorOptions().dtype(model.compute()).device(model.embedding().device());
    for (const auto& layer : model.layers()) {
      keys_.push_back(at::zeros({rows, config.kv_heads, capacity_, config.head_size}, options));
      values_.push_back(at::zeros_like(keys_.back()));
      using enum Projection;
      const bool gated = config.feed_forward == FeedForwardKind::gated_silu;
      layers_.push_back({layer.input_norm, layer.attention_norm, norm_of_heads(layer),
                         joined(layer, {q, k, v}), joined(layer, {o}),
                         gated ? joined(layer, {gate, up}) : joined(layer, {up}), joined(layer, {down})});
    }
    // Computes x cos + swapped(x) sin, where swapped exchanges the halves of x.
    cosine_ = at::cat({model.cosine(), model.cosine()}, -1);
    sine_ = at::cat({-model.sine(), model.sine()}, -1);
  }

  // Computes the first positions of all rows. tokens [rows, count] i64 → hidden states [rows, count, hidden].
  at::Tensor read(const at::Tensor& tokens) {
    const auto count = tokens.size(1);
    return forward(tokens, cosine_.narrow(0, 0, count).unsqueeze(1), sine_.narrow(0, 0, count).unsqueeze(1),
                   [&](std::size_t layer, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
                     keys_[layer].narrow(2, 0, count).copy_(k);
                     values_[layer].narrow(2, 0, count).copy_(v);
                     const auto groups = q.size(1) / k.size(1);
                     const auto share = [&](const at::Tensor& x) {  // each serves `groups` query heads
                       return x.unsqueeze(2).expand({-1, -1, groups, -1, -1}).flatten(1, 2);
                     };
                     return at::scaled_dot_product_attention(q, share(k), share(v), {}, 0.0,
                                                             /*is_causal=*/true);
                   });
  }

  // Computes one more position of each row. tokens, positions [rows] i64; visible: an upper bound of the
  // number of cached positions in use, a multiple of kPositions. Returns hidden states [rows, hidden].
  at::Tensor step(const at::Tensor& tokens, const at::Tensor& positions, std::int64_t visible) {
    const auto& config = model_.config();
    const auto rows = tokens.size(0), heads = config.kv_heads, size = config.head_size;
    const auto cosine = cosine_.index_select(0, positions).view({rows, 1, 1, size});
    const auto sine = sine_.index_select(0, positions).view({rows, 1, 1, size});
    // The index of each row's new key among the positions of all rows and heads.
    const auto first = at::arange(0, rows * heads * capacity_, capacity_, positions.options());
    const auto place = (first.view({rows, heads}) + positions.unsqueeze(1)).flatten();
    const auto hidden = at::arange(visible, positions.options()) > positions.unsqueeze(1);
    const auto mask = at::zeros({rows, visible}, keys_[0].options())
                          .masked_fill_(hidden, -std::numeric_limits<double>::infinity())
                          .view({rows, 1, 1, visible});
    // Query heads that share a key head take the dimension that usually holds the query's positions.
    return forward(tokens.unsqueeze(1), cosine, sine,
                   [&](std::size_t layer, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
                     keys_[layer].view({-1, size}).index_copy_(0, place, k.reshape({-1, size}));
                     values_[layer].view({-1, size}).index_copy_(0, place, v.reshape({-1, size}));
                     return at::scaled_dot_product_attention(q.reshape({rows, heads, -1, size}),
                                                             keys_[layer].narrow(2, 0, visible),
                                                             values_[layer].narrow(2, 0, visible), mask)
                         .reshape({rows, config.heads, 1, size});
                   })
        .squeeze(1);
  }

  void keep(const at::Tensor& rows) {
    for (auto* caches : {&keys_, &values_}) {
      for (auto& cache : *caches) cache = cache.index_select(0, rows);
    }
  }

  std::int64_t capacity() const { return capacity_; }

 private:
  // Projections that have the same input. Their matrices are joined into one, unless an adapter is added to
  // their products or the matrices have few bits.
  struct Product {
    std::vector<Projection> projections;
    std::vector<Linear> matrices;
  };
  struct Layer {
    Norm input_norm, attention_norm;
    at::Tensor heads_norm;  // [heads + kv_heads, head_size]: the norms of q and k; undefined without them
    Product qkv, o, gate_up, down;
  };

  at::Tensor norm_of_heads(const LanguageModel::Layer& layer) const {
    if (!layer.query_norm.defined()) return {};
    const auto& config = model_.config();
    return at::cat({layer.query_norm.weight.expand({config.heads, -1}),
                    layer.key_norm.weight.expand({config.kv_heads, -1})});
  }

  Product joined(const LanguageModel::Layer& layer, std::initializer_list<Projection> projections) const {
    Product product{projections, {}};
    if (projections.size() == 1 || model_.quantised() || adapter_ != nullptr) {
      for (const auto projection : projections) product.matrices.push_back(layer[projection]);
      return product;
    }
    std::vector<at::Tensor> weights, biases;
    for (const auto projection : projections) {
      weights.push_back(layer[projection].weight());
      if (layer[projection].bias().defined()) biases.push_back(layer[projection].bias());
    }
    product.matrices.emplace_back(at::cat(weights), biases.empty() ? at::Tensor() : at::cat(biases));
    return product;
  }

  // x [rows, count, in] → [rows, count, out], the outputs of the projections beside each other.
  at::Tensor multiply(std::size_t layer, const Product& product, const at::Tensor& x) const {
    std::vector<at::Tensor> parts;
    for (std::size_t i = 0; i < product.matrices.size(); ++i) {
      parts.push_back(product.matrices[i](x));
      if (adapter_ != nullptr)
        parts.back() =
            adapter_->apply(static_cast<std::int64_t>(layer), product.projections[i], x, parts.back());
    }
    return parts.size() == 1 ? parts.front() : at::cat(parts, -1);
  }

  // attend(layer, q, k, v) with q [rows, heads, count, head_size] and k, v [rows, kv_heads, count,
  // head_size], rotated, returns [rows, heads, count, head_size].
  template <typename Attend>
  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& cosine, const at::Tensor& sine,
                     const Attend& attend) {
    const auto& config = model_.config();
    const auto rows = tokens.size(0), count = tokens.size(1), size = config.head_size;
    const auto norm = [&](const at::Tensor& x, const Norm& parameters) {
      return parameters(x, config.norm_epsilon).to(model_.compute());
    };
    auto x = at::embedding(model_.embedding(), tokens).to(at::kFloat);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const auto& layer = layers_[i];
      const auto parts = multiply(i, layer.qkv, norm(x, layer.input_norm))
                             .view({rows, count, config.heads + 2 * config.kv_heads, size})
                             .split_with_sizes({config.heads + config.kv_heads, config.kv_heads}, 2);
      auto qk = parts[0].to(at::kFloat);  // [rows, count, heads + kv_heads, head_size]
      if (layer.heads_norm.defined())
        qk = at::rms_norm(qk, {size}, {}, config.norm_epsilon) * layer.heads_norm;
      const auto rotated = at::addcmul(qk * cosine, at::roll(qk, size / 2, -1), sine)
                               .to(model_.compute())
                               .transpose(1, 2)
                               .split_with_sizes({config.heads, config.kv_heads}, 1);
      const auto mixed = attend(i, rotated[0], rotated[1], parts[1].transpose(1, 2));
      x = x + multiply(i, layer.o, mixed.transpose(1, 2).reshape({rows, count, config.query_width()}));
      const auto inner = multiply(i, layer.gate_up, norm(x, layer.attention_norm));
      const bool gated = config.feed_forward == FeedForwardKind::gated_silu;
      const auto halves = gated ? inner.chunk(2, -1) : std::vector<at::Tensor>{at::Tensor(), inner};
      x = x + multiply(i, layer.down, activation(config.feed_forward, halves[0], halves[1]));
    }
    return model_.final_norm()(x, config.norm_epsilon);
  }

  const LanguageModel& model_;
  const ProjectionHook* adapter_;
  std::int64_t capacity_;
  std::vector<Layer> layers_;
  at::Tensor cosine_, sine_;
  std::vector<at::Tensor> keys_, values_;  // a layer: [rows, kv_heads, capacity, head_size]
};

struct Job {
  std::size_t prompt, sample;
};

// The same rule as `draw`: for each row, the first token whose cumulative probability exceeds u, among the
// tokens that top_k and top_p leave. logits [rows, choices], u [rows] f64 → [rows] i64.
at::Tensor draw_tokens(at::Tensor logits, const GenerateSettings& settings, const at::Tensor& u) {
  if (settings.temperature <= 0) return logits.argmax(-1);
  constexpr double never = -std::numeric_limits<double>::infinity();
  if (settings.top_k > 0 && settings.top_k < logits.size(-1)) {
    const auto least = std::get<0>(logits.topk(settings.top_k, -1)).narrow(-1, settings.top_k - 1, 1);
    logits = logits.masked_fill(logits < least, never);
  }
  if (settings.top_p < 1) {
    const auto sorted = std::get<0>(logits.sort(-1, /*descending=*/true));
    const auto reached = at::softmax(sorted.to(at::kDouble) / settings.temperature, -1).cumsum(-1);
    // The first token whose cumulative probability reaches the share is the last one that may be drawn.
    const auto share = static_cast<double>(static_cast<float>(settings.top_p));
    const auto last = (reached < share).sum(-1, true).clamp_max(logits.size(-1) - 1);
    logits = logits.masked_fill(logits < sorted.gather(-1, last), never);
  }
  const auto cumulative = at::softmax(logits.to(at::kDouble) / settings.temperature, -1).cumsum(-1);
  const auto target = (u * cumulative.select(-1, -1)).unsqueeze(-1);
  return (cumulative <= target).sum(-1).clamp_max(logits.size(-1) - 1);
}

}  // namespace

std::vector<std::vector<Answer>> generate_by_tensors(const LanguageModel& model,
                                                     const std::vector<Prompt>& prompts,
                                                     const GenerateSettings& settings,
                                                     const GenerateProgress& progress,
                                                     const ProjectionHook* adapter) {
  const at::NoGradGuard no_grad;
  const auto device = model.embedding().device();
  const auto choices = std::min(settings.choices, model.config().vocabulary);
  std::vector<std::vector<Answer>> answers;
  std::vector<Job> jobs;
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    require_tokens(prompts[p].tokens, model.config());
    answers.emplace_back(prompts[p].samples.size());
    for (std::size_t s = 0; s < prompts[p].samples.size(); ++s) jobs.push_back({p, s});
  }
  const auto length = [&](const Job& job) {
    return static_cast<std::int64_t>(prompts[job.prompt].tokens.size());
  };
  std::stable_sort(jobs.begin(), jobs.end(),
                   [&](const Job& a, const Job& b) { return length(a) < length(b); });
  const auto to_device = [&](const std::vector<std::int64_t>& values) {
    return at::tensor(values, at::kLong).to(device);
  };

  std::int64_t finished = 0, tokens_made = 0;
  for (std::size_t first = 0; first < jobs.size(); first += static_cast<std::size_t>(settings.rows)) {
    std::vector<Job> live(
        jobs.begin() + static_cast<std::ptrdiff_t>(first),
        jobs.begin() + static_cast<std::ptrdiff_t>(std::min(jobs.size(), first + settings.rows)));
    const auto longest = length(live.back());
    const auto last_position = std::min(longest + settings.max_tokens, model.config().context) - 1;
    RowsOfTensors batch(model, adapter, static_cast<std::int64_t>(live.size()), last_position + 1);

    std::vector<std::int64_t> tokens, last;
    for (const auto& job : live) {
      for (std::int64_t i = 0; i < longest; ++i)
        tokens.push_back(i < length(job) ? prompts[job.prompt].tokens[i] : 0);
      last.push_back(length(job) - 1);
    }
    const auto rows = static_cast<std::int64_t>(live.size());
    auto positions = to_device(last);  // the positions of the tokens whose successors are drawn next
    auto hidden = batch.read(to_device(tokens).view({rows, longest}));
    hidden = hidden.index({at::arange(rows, positions.options()), positions});  // [rows, hidden]

    // A finished row stays in the batch, where its results are ignored, until a quarter of the rows are
    // finished, so that shapes seldom change.
    std::vector<bool> idle(live.size(), false);
    for (;;) {
      const auto limit = [&](const Job& job) {
        return std::min(settings.max_tokens, model.config().context - length(job));
      };
      const auto made = [&](const Job& job) {
        return static_cast<std::int64_t>(answers[job.prompt][job.sample].tokens.size());
      };
      std::int64_t steps = 1, reach = 0;
      for (std::size_t i = 0; i < live.size(); ++i) {
        if (idle[i]) continue;
        steps = std::max(steps, std::min(kSteps, limit(live[i]) - made(live[i])));
        reach = std::max(reach, length(live[i]) + made(live[i]));
      }
      std::vector<double> draws;  // [steps, rows]
      for (std::int64_t step = 0; step < steps; ++step) {
        for (const auto& job : live)
          draws.push_back(
              uniform(prompts[job.prompt].samples[job.sample], static_cast<std::uint64_t>(made(job) + step)));
      }
      const auto u = at::tensor(draws, at::kDouble).to(device).view({steps, -1});
      const auto visible = std::min(whole(reach + steps), batch.capacity());
      std::vector<at::Tensor> chosen, likely;
      for (std::int64_t step = 0; step < steps; ++step) {
        const auto logits = model.logits(hidden);
        chosen.push_back(draw_tokens(logits.narrow(-1, 0, choices), settings, u[step]));
        if (settings.scores)
          likely.push_back(at::log_softmax(logits, -1).gather(-1, chosen.back().view({-1, 1})).view({-1}));
        // Rows that have ended already are computed, too; no row goes beyond the batch's last position.
        positions = (positions + 1).clamp_max(last_position);
        hidden = batch.step(chosen.back(), positions, visible);
      }
      const auto drawn = at::stack(chosen).to(at::kCPU);  // [steps, rows]
      const auto scores = settings.scores ? at::stack(likely).to(at::kCPU, at::kFloat) : at::Tensor();

      std::vector<std::int64_t> busy;
      for (std::size_t i = 0; i < live.size(); ++i) {
        const bool was_idle = idle[i];
        auto& answer = answers[live[i].prompt][live[i].sample];
        for (std::int64_t step = 0; step < steps && !idle[i]; ++step) {
          const auto token =
              drawn.const_data_ptr<std::int64_t>()[step * drawn.size(1) + static_cast<std::int64_t>(i)];
          if (settings.scores)
            answer.scores.push_back(scores[step][static_cast<std::int64_t>(i)].item<float>());
          if (!append(settings, static_cast<Token>(token), answer) && made(live[i]) < limit(live[i]))
            continue;
          idle[i] = true;
          ++finished;
          tokens_made += made(live[i]);
        }
        if (!idle[i]) busy.push_back(static_cast<std::int64_t>(i));
        if (settings.stream && !was_idle) settings.stream(live[i].prompt, live[i].sample, answer, idle[i]);
      }
      if (progress) progress(finished, tokens_made);
      if (busy.empty()) break;
      if (busy.size() * 4 <= live.size() * 3) {
        const auto kept = to_device(busy);
        batch.keep(kept);
        positions = positions.index_select(0, kept);
        hidden = hidden.index_select(0, kept);
        std::vector<Job> still;
        for (const auto i : busy) still.push_back(live[static_cast<std::size_t>(i)]);
        live = std::move(still);
        idle.assign(live.size(), false);
      }
    }
  }
  return answers;
}

}  // namespace trl::runtime
