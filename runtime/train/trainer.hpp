// Computes the gradient of a LoRA adapter for one optimiser step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/train/documents.hpp"
#include "runtime/train/objective.hpp"

namespace trl::runtime {

/// The gradient of an objective over some documents. Without an objective it is the gradient of the mean,
/// over their answer tokens, of each token's loss times its document's weight.
struct StepGradients {
  at::Tensor loss;                  // a scalar, whose computation on a GPU may still be running
  std::vector<at::Tensor> tensors;  // in f32, in the order of Lora::parameters
  std::optional<ObjectiveMeasures> measures = {};  // none for the weighted likelihood
};

/// For each of some documents, the log-probabilities of its answer tokens.
using LogProbabilities = std::vector<std::vector<float>>;

class Trainer {
 public:
  virtual ~Trainer() = default;
  /// Sets the objective that `step` minimises from now on. If it is never called, `step` minimises the
  /// weighted likelihood.
  void learn_by(Learning learning) { learning_ = std::move(learning); }

  /// Computes the loss and gradients of the documents with the indices `chosen`, which must include both
  /// answers of a pair. `keys` determine the documents' dropout masks. The result depends on the arguments
  /// and the objective alone; on the CPU that holds for any number of threads.
  virtual StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                             const std::vector<RandomKey>& keys) = 0;

  /// Returns the log-probabilities by the model with the adapter `lora`, or by the model alone if it is null.
  /// Without keys there is no dropout.
  virtual LogProbabilities log_probabilities(const Lora* lora, const std::vector<std::size_t>& chosen,
                                             const std::vector<RandomKey>& keys) = 0;

 protected:
  Learning learning_;
};

/// Returns the indices into `chosen` of the documents whose loss isn't constant, in increasing order.
std::vector<std::size_t> that_teach(const Objective& objective, const std::vector<Document>& documents,
                                    const std::vector<std::size_t>& chosen);

/// Returns the facts of each chosen document for the objective. For pairs `trainer` computes
/// log-probabilities under the step's dropout masks for them. Throws UserError when one document of a pair is
/// missing.
std::vector<AnswerFacts> facts_of_step(Trainer& trainer, const Learning& learning,
                                       const std::vector<Document>& documents, const Lora& lora,
                                       const std::vector<std::size_t>& chosen,
                                       const std::vector<RandomKey>& keys);

/// The documents of a step whose loss isn't constant, with their facts for the objective.
struct Taught {
  std::vector<std::size_t> chosen;
  std::vector<RandomKey> keys;
  std::vector<AnswerFacts> facts;
};
/// Returns the chosen documents whose loss isn't constant. `keys` and `facts` have an entry for each chosen
/// document.
Taught taught_of(const Objective& objective, const std::vector<Document>& documents,
                 const std::vector<std::size_t>& chosen, const std::vector<RandomKey>& keys,
                 const std::vector<AnswerFacts>& facts);

/// Returns the sum of an objective over several answers. `logp` [answer tokens] f32 on the CPU has the
/// log-probabilities of all answers, one answer after another: answer i has counts[i] tokens and the facts
/// facts[places[i]]. `coefficients`, of the size of `logp`, receives the derivatives by the
/// log-probabilities.
AnswerLoss sum_of_answers(const Objective& objective, const at::Tensor& logp,
                          const std::vector<std::int64_t>& counts, const std::vector<std::size_t>& places,
                          const std::vector<AnswerFacts>& facts, const StepFacts& step,
                          const at::Tensor& coefficients);

/// A trainer for the CPU in f32, with the loops of LoraStep and one document per thread. `model` and
/// `documents` must outlive the trainer.
std::unique_ptr<Trainer> trainer_by_loops(const LanguageModel& model, const LoraSettings& settings,
                                          const std::vector<Document>& documents, int threads);

/// A trainer for GPUs in bf16, with the kernels of KernelStep: documents are packed after each other.
/// KernelStep::reason_against(model) must be "". To save memory, the backward pass computes the forward pass
/// of `recomputed` layers again; by default, of as many layers as the longest document needs to fit into GPU
/// memory.
std::unique_ptr<Trainer> trainer_by_kernels(const LanguageModel& model, const LoraSettings& settings,
                                            const std::vector<Document>& documents,
                                            std::optional<std::int64_t> recomputed = std::nullopt);

/// A trainer that uses tensor operations and autograd on the model's device, in micro-batches of at most
/// `budget` padded tokens. The split into micro-batches changes nothing but rounding.
std::unique_ptr<Trainer> trainer_by_tensors(const LanguageModel& model,
                                            const std::vector<Document>& documents,
                                            std::size_t budget = 16384);

}  // namespace trl::runtime
