#include "runtime/train/trainer.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <numeric>

#include "base/support/error.hpp"
#include "runtime/model/threads.hpp"
#include "runtime/model/vocabulary.hpp"
#include "runtime/train/lora_step.hpp"
#include "runtime/train/loss.hpp"

namespace trl::runtime {
namespace {

double share_of(std::int64_t tokens) { return 1.0 / static_cast<double>(std::max<std::int64_t>(tokens, 1)); }

class LoopTrainer : public Trainer {
 public:
  LoopTrainer(const LanguageModel& model, const LoraSettings& settings,
              const std::vector<Document>& documents, int threads)
      : Trainer(documents, model.config().context),
        step_(model.config(), model.weights(), settings),
        threads_(static_cast<std::size_t>(threads)),
        rooms_(threads_) {}

 protected:
  /// Single documents.
  Leaves leaves(const std::vector<std::size_t>& chosen) const override {
    Leaves leaves;
    for (std::size_t i = 0; i < chosen.size(); ++i) leaves.push_back({i});
    return leaves;
  }

  void compute(const Lora& lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
               const StepFacts& step, const Take& take) override {
    step_.load(lora);
    std::vector<LoraStep::Part> parts(leaves.size());
    std::vector<AnswerLoss> losses(leaves.size());
    each(chosen, leaves, [&](std::size_t leaf, std::size_t i, LoraStep::Room& room) {
      const auto& document = documents_[chosen.documents[i]];
      if (learning_.objective.likelihood()) {
        const double share = share_of(step.tokens);
        parts[leaf] = step_.run(document, chosen.keys[i], static_cast<float>(share), room);
        losses[leaf].loss = parts[leaf].loss * share;
        return;
      }
      parts[leaf] = step_.run(
          document, chosen.keys[i],
          [&](std::span<const float> logp, std::span<float> coefficients) {
            losses[leaf] = learning_.objective.answer(logp, chosen.facts[i], step, coefficients);
            return losses[leaf].loss;
          },
          room);
      losses[leaf].measures.entropy = parts[leaf].entropy;
    });
    for (std::size_t leaf = 0; leaf < parts.size(); ++leaf) {
      const auto kept = std::make_shared<std::vector<float>>(std::move(parts[leaf].gradient));
      take({at::from_blob(
                kept->data(), {static_cast<std::int64_t>(kept->size())}, [kept](void*) {}, at::kFloat),
            at::scalar_tensor(losses[leaf].loss, at::kDouble), losses[leaf].measures});
    }
  }

  void score(const Lora* lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
             LogProbabilities& all) override {
    if (lora != nullptr) step_.load(*lora);
    each(chosen, leaves, [&](std::size_t, std::size_t i, LoraStep::Room& room) {
      all[i] =
          step_.log_probabilities(documents_[chosen.documents[i]], lora != nullptr,
                                  chosen.keys.empty() ? std::nullopt : std::optional(chosen.keys[i]), room);
    });
  }

  std::vector<at::Tensor> tensors(const Lora&, const at::Tensor& gradient) const override {
    return step_.tensors({gradient.const_data_ptr<float>(), static_cast<std::size_t>(gradient.numel())});
  }
  std::int64_t elements(const Lora&) const override {
    return static_cast<std::int64_t>(step_.gradient_size());
  }

 private:
  /// Calls body(leaf, document, room) for each leaf: the leaf's index into `leaves`, the index of its
  /// document into `chosen`, and the workspace of the calling thread. All threads take part, and the longest
  /// documents come first, so that all threads end at about the same time.
  template <typename Body>
  void each(const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves, const Body& body) {
    const auto length = [&](std::size_t leaf) {
      return documents_[chosen.documents[leaves[leaf].front()]].tokens.size();
    };
    std::vector<std::size_t> order(leaves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
    std::atomic<std::size_t> next = 0;
    parallel(threads_, static_cast<int>(threads_), [&](std::size_t thread) {
      for (std::size_t at = next++; at < order.size(); at = next++)
        body(order[at], leaves[order[at]].front(), rooms_[thread]);
    });
  }

  LoraStep step_;
  std::size_t threads_;
  std::vector<LoraStep::Room> rooms_;
};

class TensorTrainer : public Trainer {
 public:
  TensorTrainer(const LanguageModel& model, const std::vector<Document>& documents, std::size_t budget)
      : Trainer(documents, model.config().context), model_(model), budget_(budget) {}

 protected:
  /// Makes micro-batches of documents of similar lengths.
  Leaves leaves(const std::vector<std::size_t>& chosen) const override {
    std::map<std::size_t, std::size_t> place_of;
    for (std::size_t i = 0; i < chosen.size(); ++i) place_of[chosen[i]] = i;
    auto leaves = micro_batches(documents_, chosen, budget_);
    for (auto& leaf : leaves)
      for (auto& document : leaf) document = place_of.at(document);
    return leaves;
  }

  void compute(const Lora& lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
               const StepFacts& step, const Take& take) override {
    for (const auto& leaf : leaves) {
      const auto batch = batch_of(chosen, leaf);
      auto own = lora.leaves(model_.compute());
      draw_masks(own, chosen, leaf, batch);
      Part part;
      if (learning_.objective.likelihood()) {
        const auto loss = answer_loss(model_, batch, &own) * share_of(step.tokens);
        loss.backward();
        part.loss = loss.detach().to(at::kDouble);
      } else {
        part.loss = by_objective(batch, chosen, leaf, step, own, part.measures);
      }
      std::vector<at::Tensor> flat;
      for (const auto& gradient : own.gradients()) flat.push_back(gradient.to(at::kFloat).flatten());
      part.gradient = at::cat(flat);
      take(std::move(part));
    }
  }

  void score(const Lora* lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
             LogProbabilities& all) override {
    const at::NoGradGuard no_grad;
    for (const auto& leaf : leaves) {
      const auto batch = batch_of(chosen, leaf);
      std::optional<Lora> own;
      if (lora != nullptr) {
        own = lora->leaves(model_.compute());
        if (!chosen.keys.empty()) draw_masks(*own, chosen, leaf, batch);
      }
      const auto logits = answer_logits(model_, batch, own ? &*own : nullptr);
      const auto logp = of_targets(at::log_softmax(logits, -1), batch).to(at::kCPU).contiguous();
      const float* from = logp.const_data_ptr<float>();
      for (std::size_t row = 0; row < leaf.size(); ++row) {
        const auto count = batch.counts[row];
        all[leaf[row]].assign(from, from + count);
        from += count;
      }
    }
  }

 private:
  c10::Device device() const { return model_.embedding().device(); }

  Batch batch_of(const Chosen& chosen, const std::vector<std::size_t>& leaf) const {
    std::vector<std::size_t> rows;
    for (const auto i : leaf) rows.push_back(chosen.documents[i]);
    return make_batch(documents_, rows, context_, device());
  }

  void draw_masks(Lora& own, const Chosen& chosen, const std::vector<std::size_t>& leaf,
                  const Batch& batch) const {
    std::vector<RandomKey> keys;
    for (const auto i : leaf) keys.push_back(chosen.keys[i]);
    own.draw_masks(keys, batch.tokens.size(1), model_.config(), device(), model_.compute());
  }

  static at::Tensor of_targets(const at::Tensor& logp, const Batch& batch) {
    return logp.gather(1, batch.targets.unsqueeze(1)).squeeze(1);
  }

  /// Computes one micro-batch's part of the objective and returns it. The gradients are left in the leaves of
  /// `own`.
  at::Tensor by_objective(const Batch& batch, const Chosen& chosen, const std::vector<std::size_t>& leaf,
                          const StepFacts& step, const Lora& own, ObjectiveMeasures& measures) const {
    const auto distributions = at::log_softmax(answer_logits(model_, batch, &own), -1);
    const auto logp = of_targets(distributions, batch);
    const auto known = logp.detach().to(at::kCPU).contiguous();
    const auto coefficients = at::empty_like(known);
    auto answers =
        sum_of_answers(learning_.objective, known, batch.counts, leaf, chosen.facts, step, coefficients);
    (coefficients.to(logp.device()) * logp).sum().backward();
    const at::NoGradGuard no_grad;
    // Done in pieces, since each distribution has as many numbers as the vocabulary for each token.
    for (const auto& piece : distributions.detach().split(1024))
      answers.measures.entropy -= (piece.exp() * piece).sum().item<double>();
    measures = answers.measures;
    return at::scalar_tensor(answers.loss, at::kDouble).to(device());
  }

  const LanguageModel& model_;
  std::size_t budget_;
};

/// Returns the documents of a step from which something is learned, that is, whose loss isn't constant.
Chosen taught_of(const Objective& objective, const std::vector<Document>& documents,
                 const std::vector<std::size_t>& chosen, const std::vector<RandomKey>& keys,
                 const std::vector<AnswerFacts>& facts) {
  Chosen taught;
  for (const auto place : that_teach(objective, documents, chosen)) {
    taught.documents.push_back(chosen[place]);
    taught.keys.push_back(keys[place]);
    taught.facts.push_back(facts[place]);
  }
  return taught;
}

// Returns a process's numbers as bytes, to be sent to the other processes.
template <typename Number>
std::string packed(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

template <typename Number>
std::vector<Number> unpacked(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

// The number of documents whose log-probabilities a trainer is asked for at a time. A stage can be stopped
// between two requests.
constexpr std::size_t kScoredTogether = 64;

}  // namespace

std::vector<std::size_t> that_teach(const Objective& objective, const std::vector<Document>& documents,
                                    const std::vector<std::size_t>& chosen) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (!objective.constant(documents[chosen[i]])) places.push_back(i);
  return places;
}

std::vector<AnswerFacts> facts_of_step(Trainer& trainer, const Learning& learning,
                                       const std::vector<Document>& documents, const Lora& lora,
                                       const std::vector<std::size_t>& chosen,
                                       const std::vector<RandomKey>& keys) {
  std::vector<AnswerFacts> facts;
  for (const auto i : chosen) facts.push_back(learning.facts(documents, i));
  if (!learning.objective.pairs()) return facts;
  const auto logp = trainer.log_probabilities(&lora, chosen, keys);
  std::map<std::size_t, double> log_ratios;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    log_ratios[chosen[i]] = learning.log_ratio(chosen[i], logp[i]);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& other = documents[chosen[i]].other;
    if (!other || !log_ratios.contains(*other))
      throw UserError("an answer that is to be compared has no other one in its step",
                      "give each pair's answers the same `pair`");
    facts[i].other = log_ratios.at(*other);
  }
  return facts;
}

AnswerLoss sum_of_answers(const Objective& objective, const at::Tensor& logp,
                          const std::vector<std::int64_t>& counts, const std::vector<std::size_t>& places,
                          const std::vector<AnswerFacts>& facts, const StepFacts& step,
                          const at::Tensor& coefficients) {
  AnswerLoss sum;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto size = static_cast<std::size_t>(counts[i]);
    const auto answer = objective.answer({logp.const_data_ptr<float>() + first, size}, facts[places[i]], step,
                                         {coefficients.mutable_data_ptr<float>() + first, size});
    sum.loss += answer.loss;
    sum.measures.add(answer.measures);
    first += counts[i];
  }
  return sum;
}

std::vector<std::size_t> Trainer::bounds(const std::vector<std::size_t>& chosen, const Leaves& leaves) const {
  std::vector<std::int64_t> costs;
  for (const auto& leaf : leaves) {
    costs.push_back(0);
    for (const auto i : leaf) costs.back() += static_cast<std::int64_t>(documents_[chosen[i]].tokens.size());
  }
  return shares(costs, group_->size());
}

std::vector<at::Tensor> Trainer::tensors(const Lora& lora, const at::Tensor& gradient) const {
  std::vector<at::Tensor> tensors;
  std::int64_t at = 0;
  for (const auto& parameter : lora.parameters()) {
    tensors.push_back(gradient.narrow(0, at, parameter.numel()).view(parameter.sizes()));
    at += parameter.numel();
  }
  return tensors;
}

std::int64_t Trainer::elements(const Lora& lora) const {
  std::int64_t elements = 0;
  for (const auto& parameter : lora.parameters()) elements += parameter.numel();
  return elements;
}

StepGradients Trainer::step(const Lora& lora, const std::vector<std::size_t>& chosen,
                            const std::vector<RandomKey>& keys) {
  const auto taught = taught_of(learning_.objective, documents_, chosen, keys,
                                facts_of_step(*this, learning_, documents_, lora, chosen, keys));
  const auto parts = leaves(taught.documents);
  const auto of = bounds(taught.documents, parts);
  const auto rank = static_cast<std::size_t>(group_->rank());
  TreeSum sum;
  std::vector<at::Tensor> losses;
  std::vector<ObjectiveMeasures> measures;
  auto leaf = of[rank];
  compute(lora, taught, std::span(parts).subspan(of[rank], of[rank + 1] - of[rank]),
          facts_of(documents_, chosen, context_), [&](Part part) {
            sum.add(leaf++, 1, std::move(part.gradient));
            losses.push_back(std::move(part.loss));
            measures.push_back(part.measures);
          });

  const at::NoGradGuard no_grad;
  const auto on = lora.parameters().front().device();
  const auto zeros = at::zeros({elements(lora)}, at::TensorOptions().dtype(at::kFloat).device(on));
  StepGradients result{at::zeros({}, zeros.options().dtype(at::kDouble)),
                       tensors(lora, sum_in_group(*group_, of, sum, zeros)),
                       {}};
  if (!learning_.objective.likelihood()) {
    result.measures.emplace();
    for (const auto& some : group_->gather(packed(std::span<const ObjectiveMeasures>(measures))))
      for (const auto& one : unpacked<ObjectiveMeasures>(some)) result.measures->add(one);
  }
  if (parts.empty()) return result;
  // The losses stay on the device, since reading them would wait for it. So each process sends the same
  // number of losses.
  std::size_t most = 0;
  for (std::size_t r = 0; r + 1 < of.size(); ++r) most = std::max(most, of[r + 1] - of[r]);
  losses.resize(most, result.loss);
  const auto all = group_->gather(at::stack(losses));
  std::vector<at::Tensor> in_order;
  for (std::size_t r = 0; r + 1 < of.size(); ++r)
    in_order.push_back(
        all[static_cast<std::int64_t>(r)].narrow(0, 0, static_cast<std::int64_t>(of[r + 1] - of[r])));
  result.loss = at::cat(in_order).sum();
  return result;
}

LogProbabilities Trainer::log_probabilities(const Lora* lora, const std::vector<std::size_t>& chosen,
                                            const std::vector<RandomKey>& keys, const Between& between) {
  const Chosen asked{chosen, keys, {}};
  const auto parts = leaves(chosen);
  const auto of = bounds(chosen, parts);
  const auto documents_of = [&](std::size_t r) {
    std::vector<std::size_t> places;
    for (auto leaf = of[r]; leaf < of[r + 1]; ++leaf)
      places.insert(places.end(), parts[leaf].begin(), parts[leaf].end());
    return places;
  };
  const auto rank = static_cast<std::size_t>(group_->rank());
  const auto own = documents_of(rank);
  LogProbabilities all(chosen.size());
  std::size_t done = 0;
  for (auto leaf = of[rank]; leaf < of[rank + 1];) {
    if (between) between(done, own.size());
    const auto first = leaf;
    std::size_t together = 0;
    do {
      together += parts[leaf++].size();
    } while (leaf < of[rank + 1] && together + parts[leaf].size() <= kScoredTogether);
    score(lora, asked, std::span(parts).subspan(first, leaf - first), all);
    done += together;
  }
  std::vector<std::uint64_t> counts;
  std::vector<float> scores;
  for (const auto i : own) {
    counts.push_back(all[i].size());
    scores.insert(scores.end(), all[i].begin(), all[i].end());
  }
  const auto all_counts = group_->gather(packed(std::span<const std::uint64_t>(counts)));
  const auto all_scores = group_->gather(packed(std::span<const float>(scores)));
  for (std::size_t r = 0; r < all_counts.size(); ++r) {
    if (r == rank) continue;
    const auto lengths = unpacked<std::uint64_t>(all_counts[r]);
    const auto values = unpacked<float>(all_scores[r]);
    auto from = values.begin();
    const auto places = documents_of(r);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto to = from + static_cast<std::ptrdiff_t>(lengths[i]);
      all[places[i]].assign(from, to);
      from = to;
    }
  }
  return all;
}

std::unique_ptr<Trainer> trainer_by_loops(const LanguageModel& model, const LoraSettings& settings,
                                          const std::vector<Document>& documents, int threads) {
  for (const auto& document : documents) require_tokens(document.tokens, model.config());
  return std::make_unique<LoopTrainer>(model, settings, documents, threads);
}

std::unique_ptr<Trainer> trainer_by_tensors(const LanguageModel& model,
                                            const std::vector<Document>& documents, std::size_t budget) {
  for (const auto& document : documents) require_tokens(document.tokens, model.config());
  return std::make_unique<TensorTrainer>(model, documents, budget);
}

}  // namespace trl::runtime
