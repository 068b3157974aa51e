#include "runtime/train/trainer.hpp"

#include <algorithm>
#include <atomic>
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
      : step_(model.config(), model.weights(), settings),
        context_(model.config().context),
        documents_(documents),
        threads_(static_cast<std::size_t>(threads)),
        rooms_(threads_) {}

  StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                     const std::vector<RandomKey>& keys) override {
    const auto facts = facts_of(documents_, chosen, context_);
    if (!learning_.objective.likelihood()) return step_by_objective(lora, chosen, keys, facts);
    step_.load(lora);
    std::vector<LoraStep::Part> parts(chosen.size());
    each(chosen, [&](std::size_t i, LoraStep::Room& room) {
      parts[i] = step_.run(documents_[chosen[i]], keys[i], static_cast<float>(share_of(facts.tokens)), room);
    });
    double loss = 0;
    for (const auto& part : parts) loss += part.loss;
    return {at::scalar_tensor(loss * share_of(facts.tokens), at::kDouble), step_.sum(parts), {}};
  }

  LogProbabilities log_probabilities(const Lora* lora, const std::vector<std::size_t>& chosen,
                                     const std::vector<RandomKey>& keys) override {
    if (lora != nullptr) step_.load(*lora);
    LogProbabilities all(chosen.size());
    each(chosen, [&](std::size_t i, LoraStep::Room& room) {
      all[i] = step_.log_probabilities(documents_[chosen[i]], lora != nullptr,
                                       keys.empty() ? std::nullopt : std::optional(keys[i]), room);
    });
    return all;
  }

 private:
  StepGradients step_by_objective(const Lora& lora, const std::vector<std::size_t>& chosen,
                                  const std::vector<RandomKey>& keys, const StepFacts& step) {
    const auto facts = facts_of_step(*this, learning_, documents_, lora, chosen, keys);
    step_.load(lora);
    std::vector<LoraStep::Part> parts(chosen.size());
    std::vector<AnswerLoss> losses(chosen.size());
    each(chosen, [&](std::size_t i, LoraStep::Room& room) {
      if (learning_.objective.constant(documents_[chosen[i]])) {
        parts[i] = step_.nothing();
        return;
      }
      parts[i] = step_.run(
          documents_[chosen[i]], keys[i],
          [&](std::span<const float> logp, std::span<float> coefficients) {
            losses[i] = learning_.objective.answer(logp, facts[i], step, coefficients);
            return losses[i].loss;
          },
          room);
      losses[i].measures.entropy = parts[i].entropy;
    });
    double loss = 0;
    ObjectiveMeasures measures;
    for (const auto& one : losses) loss += one.loss, measures.add(one.measures);
    return {at::scalar_tensor(loss, at::kDouble), step_.sum(parts), measures};
  }

  /// Calls body(i, room) for each index of `chosen`, on all threads, the longest documents first, so that all
  /// threads end at about the same time.
  template <typename Body>
  void each(const std::vector<std::size_t>& chosen, const Body& body) {
    std::vector<std::size_t> order(chosen.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return documents_[chosen[a]].tokens.size() > documents_[chosen[b]].tokens.size();
    });
    std::atomic<std::size_t> next = 0;
    parallel(threads_, static_cast<int>(threads_), [&](std::size_t thread) {
      for (std::size_t at = next++; at < order.size(); at = next++) body(order[at], rooms_[thread]);
    });
  }

  LoraStep step_;
  std::int64_t context_;
  const std::vector<Document>& documents_;
  std::size_t threads_;
  std::vector<LoraStep::Room> rooms_;
};

class TensorTrainer : public Trainer {
 public:
  TensorTrainer(const LanguageModel& model, const std::vector<Document>& documents, std::size_t budget)
      : model_(model), documents_(documents), budget_(budget) {}

  StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                     const std::vector<RandomKey>& keys) override {
    if (!learning_.objective.likelihood()) return step_by_objective(lora, chosen, keys);
    const auto work = work_of(chosen, keys);
    StepGradients result;
    for (const auto& micro : work.micro) {
      auto own = lora.leaves(model_.compute());
      own.draw_masks(micro.keys, micro.batch.tokens.size(1), model_.config(), device(), model_.compute());
      const auto loss = answer_loss(model_, micro.batch, &own) * share_of(work.tokens);
      loss.backward();
      add(result, loss.detach(), own.gradients());
    }
    return result;
  }

  LogProbabilities log_probabilities(const Lora* lora, const std::vector<std::size_t>& chosen,
                                     const std::vector<RandomKey>& keys) override {
    const at::NoGradGuard no_grad;
    LogProbabilities all(chosen.size());
    for (const auto& micro : work_of(chosen, keys).micro) {
      std::optional<Lora> own;
      if (lora != nullptr) {
        own = lora->leaves(model_.compute());
        if (!keys.empty())
          own->draw_masks(micro.keys, micro.batch.tokens.size(1), model_.config(), device(),
                          model_.compute());
      }
      const auto logits = answer_logits(model_, micro.batch, own ? &*own : nullptr);
      const auto logp = of_targets(at::log_softmax(logits, -1), micro.batch).to(at::kCPU).contiguous();
      const float* from = logp.const_data_ptr<float>();
      for (std::size_t row = 0; row < micro.places.size(); ++row) {
        const auto count = micro.batch.counts[row];
        all[micro.places[row]].assign(from, from + count);
        from += count;
      }
    }
    return all;
  }

 private:
  struct Micro {
    std::vector<std::size_t> places;  // of its documents in `chosen`
    std::vector<RandomKey> keys;      // of its documents; none without dropout
    Batch batch;
  };
  struct Work {
    std::vector<Micro> micro;
    std::int64_t tokens = 0;  // of all answers
  };

  c10::Device device() const { return model_.embedding().device(); }

  Work work_of(const std::vector<std::size_t>& chosen, const std::vector<RandomKey>& keys) const {
    std::map<std::size_t, std::size_t> place_of;
    for (std::size_t i = 0; i < chosen.size(); ++i) place_of[chosen[i]] = i;
    Work work;
    for (const auto& rows : micro_batches(documents_, chosen, budget_)) {
      Micro micro;
      for (const auto row : rows) micro.places.push_back(place_of.at(row));
      for (const auto place : micro.places)
        if (!keys.empty()) micro.keys.push_back(keys[place]);
      micro.batch = make_batch(documents_, rows, model_.config().context, device());
      work.tokens += micro.batch.targets.size(0);
      work.micro.push_back(std::move(micro));
    }
    return work;
  }

  static at::Tensor of_targets(const at::Tensor& logp, const Batch& batch) {
    return logp.gather(1, batch.targets.unsqueeze(1)).squeeze(1);
  }

  StepGradients step_by_objective(const Lora& lora, const std::vector<std::size_t>& chosen,
                                  const std::vector<RandomKey>& keys) {
    const auto facts = facts_of_step(*this, learning_, documents_, lora, chosen, keys);
    const auto step = facts_of(documents_, chosen, model_.config().context);
    const auto taught = taught_of(learning_.objective, documents_, chosen, keys, facts);
    StepGradients result;
    result.measures.emplace();
    for (const auto& micro : work_of(taught.chosen, taught.keys).micro) {
      auto own = lora.leaves(model_.compute());
      own.draw_masks(micro.keys, micro.batch.tokens.size(1), model_.config(), device(), model_.compute());
      const auto loss = by_objective(micro, taught.facts, step, own, *result.measures);
      add(result, loss, own.gradients());
    }
    if (taught.chosen.empty()) {
      result.loss = at::scalar_tensor(0, at::kDouble).to(device());
      for (const auto& parameter : lora.parameters())
        result.tensors.push_back(at::zeros_like(parameter.detach(), at::kFloat));
    }
    return result;
  }

  /// Leaves the gradients of one micro-batch's part of the objective in the leaves of `own`; returns that
  /// part.
  at::Tensor by_objective(const Micro& micro, const std::vector<AnswerFacts>& facts, const StepFacts& step,
                          const Lora& own, ObjectiveMeasures& measures) const {
    const auto distributions = at::log_softmax(answer_logits(model_, micro.batch, &own), -1);
    const auto logp = of_targets(distributions, micro.batch);
    const auto known = logp.detach().to(at::kCPU).contiguous();
    const auto coefficients = at::empty_like(known);
    auto answers = sum_of_answers(learning_.objective, known, micro.batch.counts, micro.places, facts, step,
                                  coefficients);
    (coefficients.to(logp.device()) * logp).sum().backward();
    const at::NoGradGuard no_grad;
    // In pieces, since each has the size of the vocabulary for each token.
    for (const auto& piece : distributions.detach().split(1024))
      answers.measures.entropy -= (piece.exp() * piece).sum().item<double>();
    measures.add(answers.measures);
    return at::scalar_tensor(answers.loss, at::kDouble).to(device());
  }

  static void add(StepGradients& result, const at::Tensor& loss, const std::vector<at::Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    if (result.loss.defined()) at::_foreach_add_(result.tensors, gradients);
    if (!result.loss.defined()) result.tensors = gradients;
    result.loss = result.loss.defined() ? result.loss + loss : loss;
  }

  const LanguageModel& model_;
  const std::vector<Document>& documents_;
  std::size_t budget_;
};

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

Taught taught_of(const Objective& objective, const std::vector<Document>& documents,
                 const std::vector<std::size_t>& chosen, const std::vector<RandomKey>& keys,
                 const std::vector<AnswerFacts>& facts) {
  Taught taught;
  for (const auto place : that_teach(objective, documents, chosen)) {
    taught.chosen.push_back(chosen[place]);
    taught.keys.push_back(keys[place]);
    taught.facts.push_back(facts[place]);
  }
  return taught;
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
