#include <algorithm>

#include "runtime/sample/generate.hpp"

namespace trl::runtime {
namespace {

// A fixed batch of sequences with keys and values in tensors that were allocated once.
class Batch {
 public:
  Batch(const Qwen2& model, std::int64_t rows, std::int64_t capacity) : model_(model) {
    const auto& config = model.config();
    const auto options = at::TensorOptions().dtype(model.compute()).device(model.embedding().device());
    for (std::int64_t i = 0; i < config.layers; ++i) {
      keys_.push_back(at::zeros({rows, config.kv_heads, capacity, config.head_size()}, options));
      values_.push_back(at::zeros_like(keys_.back()));
    }
  }

  // tokens, positions [rows, count] i64, a row's positions in sequence; visible: cached positions that
  // matter, at most. Returns hidden states [rows, count, hidden]. Each position attends to those up to
  // itself.
  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& positions, std::int64_t visible) {
    const auto& config = model_.config();
    const auto rows = tokens.size(0), count = tokens.size(1), size = config.head_size();
    const auto cosine = model_.cosine().index({positions}).unsqueeze(1);  // [rows, 1, count, head_size / 2]
    const auto sine = model_.sine().index({positions}).unsqueeze(1);
    const auto row = at::arange(rows, positions.options()).unsqueeze(1);  // [rows, 1]
    const auto mask = (at::arange(visible, positions.options()) <= positions.unsqueeze(-1)).unsqueeze(1);
    const auto norm = [&](const at::Tensor& x, const at::Tensor& weight) {
      return at::rms_norm(x, {config.hidden}, weight.to(at::kFloat), config.norm_epsilon)
          .to(model_.compute());
    };
    const auto split = [&](const at::Tensor& y, std::int64_t heads) {
      return y.view({rows, count, heads, size}).transpose(1, 2);
    };
    auto x = at::embedding(model_.embedding(), tokens).to(at::kFloat);
    for (std::int64_t i = 0; i < config.layers; ++i) {
      const auto& layer = model_.layers()[i];
      const auto a = norm(x, layer.input_norm);
      const auto q = rotate(split(layer[Projection::q](a), config.heads), cosine, sine).to(model_.compute());
      const auto k =
          rotate(split(layer[Projection::k](a), config.kv_heads), cosine, sine).to(model_.compute());
      // index_put on [rows, capacity, kv_heads, head_size]
      keys_[i].transpose(1, 2).index_put_({row, positions}, k.transpose(1, 2));
      values_[i].transpose(1, 2).index_put_(
          {row, positions}, layer[Projection::v](a).view({rows, count, config.kv_heads, size}));
      const auto share = [&](const at::Tensor& cache) {
        return cache.narrow(2, 0, visible).repeat_interleave(config.heads / config.kv_heads, 1);
      };
      const auto mixed = at::scaled_dot_product_attention(q, share(keys_[i]), share(values_[i]), mask);
      x = x + layer[Projection::o](mixed.transpose(1, 2).reshape({rows, count, config.hidden}));
      const auto b = norm(x, layer.attention_norm);
      x = x + layer[Projection::down](at::silu(layer[Projection::gate](b)) * layer[Projection::up](b));
    }
    return at::rms_norm(x, {config.hidden}, model_.final_norm().to(at::kFloat), config.norm_epsilon);
  }

  void keep(const at::Tensor& rows) {
    for (auto* caches : {&keys_, &values_}) {
      for (auto& cache : *caches) cache = cache.index_select(0, rows);
    }
  }

 private:
  const Qwen2& model_;
  std::vector<at::Tensor> keys_, values_;  // a layer: [rows, kv_heads, capacity, head_size]
};

struct Job {
  std::size_t prompt, sample;
};

// The first token whose cumulative probability exceeds u. logits [rows, choices], u [rows] f64 → [rows] i64.
at::Tensor draw_tokens(const at::Tensor& logits, double temperature, const at::Tensor& u) {
  if (temperature <= 0) return logits.argmax(-1);
  const auto cumulative = at::softmax(logits.to(at::kDouble) / temperature, -1).cumsum(-1);
  const auto target = (u * cumulative.select(-1, -1)).unsqueeze(-1);
  return (cumulative <= target).sum(-1).clamp_max(logits.size(-1) - 1);
}

}  // namespace

std::vector<std::vector<Answer>> generate_by_tensors(const Qwen2& model, const std::vector<Prompt>& prompts,
                                                     const GenerateSettings& settings,
                                                     const GenerateProgress& progress) {
  const at::NoGradGuard no_grad;
  const auto device = model.embedding().device();
  const auto choices = std::min(settings.choices, model.config().vocabulary);
  std::vector<std::vector<Answer>> answers;
  std::vector<Job> jobs;
  for (std::size_t p = 0; p < prompts.size(); ++p) {
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
    const auto capacity = std::min(longest + settings.max_tokens, model.config().context);
    Batch batch(model, static_cast<std::int64_t>(live.size()), capacity);

    std::vector<std::int64_t> tokens, last;
    for (const auto& job : live) {
      for (std::int64_t i = 0; i < longest; ++i)
        tokens.push_back(i < length(job) ? prompts[job.prompt].tokens[i] : 0);
      last.push_back(length(job) - 1);
    }
    const auto rows = static_cast<std::int64_t>(live.size());
    const auto all =
        at::arange(longest, at::TensorOptions().dtype(at::kLong).device(device)).expand({rows, longest});
    auto hidden = batch.forward(to_device(tokens).view({rows, longest}), all, longest);
    hidden = hidden.index({at::arange(rows, all.options()), to_device(last)});  // [rows, hidden]

    // A finished row stays, computed in vain, until a quarter of the batch is idle: shapes change seldom.
    std::vector<bool> idle(live.size(), false);
    for (;;) {
      std::vector<double> draws;
      for (const auto& job : live) {
        const auto made = answers[job.prompt][job.sample].tokens.size();
        draws.push_back(uniform(prompts[job.prompt].samples[job.sample], made));
      }
      const auto u = at::tensor(draws, at::kDouble).to(device);
      const auto drawn =
          draw_tokens(model.logits(hidden).narrow(-1, 0, choices), settings.temperature, u).to(at::kCPU);
      std::vector<std::int64_t> busy;
      for (std::size_t i = 0; i < live.size(); ++i) {
        if (idle[i]) continue;
        auto& answer = answers[live[i].prompt][live[i].sample];
        const auto token = drawn.const_data_ptr<std::int64_t>()[i];
        const auto limit = std::min(settings.max_tokens, model.config().context - length(live[i]));
        answer.stopped = token == settings.end;
        if (!answer.stopped) answer.tokens.push_back(static_cast<Token>(token));
        const auto made = static_cast<std::int64_t>(answer.tokens.size());
        if (answer.stopped || made >= limit) {
          idle[i] = true;
          ++finished;
          tokens_made += made;
        } else {
          busy.push_back(static_cast<std::int64_t>(i));
        }
      }
      if (progress) progress(finished, tokens_made);
      if (busy.empty()) break;
      if (busy.size() * 4 <= live.size() * 3) {
        batch.keep(to_device(busy));
        std::vector<Job> still;
        for (const auto i : busy) still.push_back(live[static_cast<std::size_t>(i)]);
        live = std::move(still);
        idle.assign(live.size(), false);
      }
      std::vector<std::int64_t> next, positions;
      for (std::size_t i = 0; i < live.size(); ++i) {
        const auto& made = answers[live[i].prompt][live[i].sample].tokens;
        next.push_back(idle[i] ? 0 : made.back());
        positions.push_back(idle[i] ? 0 : length(live[i]) + static_cast<std::int64_t>(made.size()) - 1);
      }
      const auto last_position = *std::max_element(positions.begin(), positions.end());
      const auto visible = std::min((last_position / 64 + 1) * 64, capacity);
      hidden =
          batch.forward(to_device(next).unsqueeze(1), to_device(positions).unsqueeze(1), visible).squeeze(1);
    }
  }
  return answers;
}

}  // namespace trl::runtime
