#include "runtime/train/trainer.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "runtime/model/threads.hpp"
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
        documents_(documents),
        threads_(static_cast<std::size_t>(threads)),
        rooms_(threads_) {}

  StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                     const std::vector<RandomKey>& keys) override {
    std::int64_t tokens = 0;
    for (const auto i : chosen) tokens += step_.answer_tokens(documents_[i]);
    // Long documents come first, so that all threads end at about the same time.
    std::vector<std::size_t> order(chosen.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return documents_[chosen[a]].tokens.size() > documents_[chosen[b]].tokens.size();
    });
    step_.load(lora);
    std::vector<LoraStep::Part> parts(chosen.size());
    std::atomic<std::size_t> next = 0;
    parallel(threads_, static_cast<int>(threads_), [&](std::size_t thread) {
      for (std::size_t at = next++; at < order.size(); at = next++) {
        const auto i = order[at];
        parts[i] =
            step_.run(documents_[chosen[i]], keys[i], static_cast<float>(share_of(tokens)), rooms_[thread]);
      }
    });
    double loss = 0;
    for (const auto& part : parts) loss += part.loss;
    return {at::scalar_tensor(loss * share_of(tokens), at::kDouble), step_.sum(parts)};
  }

 private:
  LoraStep step_;
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
    const auto device = model_.embedding().device();
    std::map<std::size_t, RandomKey> key_of;
    for (std::size_t i = 0; i < chosen.size(); ++i) key_of[chosen[i]] = keys[i];
    const auto micro = micro_batches(documents_, chosen, budget_);
    std::vector<Batch> batches;
    std::int64_t tokens = 0;
    for (const auto& rows : micro) {
      batches.push_back(make_batch(documents_, rows, model_.config().context, device));
      tokens += batches.back().targets.size(0);
    }
    StepGradients result;
    for (std::size_t i = 0; i < micro.size(); ++i) {
      auto own = lora.leaves(model_.compute());
      std::vector<RandomKey> row_keys;
      for (const auto row : micro[i]) row_keys.push_back(key_of.at(row));
      own.draw_masks(row_keys, batches[i].tokens.size(1), model_.config(), device, model_.compute());
      const auto loss = answer_loss(model_, batches[i], &own) * share_of(tokens);
      loss.backward();
      add(result, loss.detach(), own.gradients());
    }
    return result;
  }

 private:
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

std::unique_ptr<Trainer> trainer_by_loops(const LanguageModel& model, const LoraSettings& settings,
                                          const std::vector<Document>& documents, int threads) {
  return std::make_unique<LoopTrainer>(model, settings, documents, threads);
}

std::unique_ptr<Trainer> trainer_by_tensors(const LanguageModel& model,
                                            const std::vector<Document>& documents, std::size_t budget) {
  return std::make_unique<TensorTrainer>(model, documents, budget);
}

}  // namespace trl::runtime
