// Computes the gradient of a LoRA adapter for one optimiser step, alone or with the other processes of a
// group.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/group/tree_sum.hpp"
#include "runtime/train/documents.hpp"
#include "runtime/train/objective.hpp"

namespace trl::runtime {

/// The gradient of an objective over some documents. If no objective was set, it is the gradient of the mean,
/// over the documents' answer tokens, of each token's loss times its document's weight.
struct StepGradients {
  at::Tensor loss;                  // a scalar, whose computation on a GPU may still be running
  std::vector<at::Tensor> tensors;  // in f32, in the order of Lora::parameters
  std::optional<ObjectiveMeasures> measures = {};  // none for the weighted likelihood
};

/// For each of some documents, the log-probabilities of its answer tokens.
using LogProbabilities = std::vector<std::vector<float>>;

/// Some documents of one optimiser step. The vectors have an entry for each of them.
struct Chosen {
  std::vector<std::size_t> documents;  // their indices
  std::vector<RandomKey> keys;         // which determine their dropout masks; empty: no dropout
  std::vector<AnswerFacts> facts;      // for the objective; empty if only log-probabilities are computed
};

/// Documents are computed in leaves, small sets of documents that are computed together. The leaves depend
/// only on the documents of a step and on the model. A step's gradient is the sum of its leaves' gradients in
/// the order of a fixed tree (tree_sum.hpp). So each process of a group can compute some of the leaves, and
/// the number of processes changes no bit of the result.
class Trainer {
 public:
  explicit Trainer(const std::vector<Document>& documents, std::int64_t context)
      : documents_(documents), context_(context) {}
  virtual ~Trainer() = default;
  /// Sets the objective that `step` minimises from now on. Before the first call, `step` minimises the
  /// weighted likelihood.
  void learn_by(Learning learning) { learning_ = std::move(learning); }
  /// From now on, the processes of `group` share the work. The group must outlive the trainer. All processes
  /// must call the functions below with the same arguments, and get the same results.
  void share_with(const Group& group) { group_ = &group; }

  /// Computes the loss and gradients of the documents with the indices `chosen`, which must include both
  /// answers of a pair. `keys` determine the documents' dropout masks. The result depends on the arguments
  /// and the objective alone; on the CPU that holds for any number of threads.
  StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                     const std::vector<RandomKey>& keys);

  /// Called between leaves with the number of documents of this process that are done and of all that it
  /// computes; may throw.
  using Between = std::function<void(std::size_t done, std::size_t all)>;
  /// Returns the log-probabilities of the chosen documents' answer tokens, by the model with the adapter
  /// `lora`, or by the model alone if `lora` is null. Without keys there is no dropout.
  LogProbabilities log_probabilities(const Lora* lora, const std::vector<std::size_t>& chosen,
                                     const std::vector<RandomKey>& keys, const Between& between = {});

 protected:
  using Leaves = std::vector<std::vector<std::size_t>>;  // of indices into Chosen
  /// The contribution of one leaf to a step.
  struct Part {
    at::Tensor gradient;  // flat, f32; nobody else uses it
    at::Tensor loss;      // a scalar in f64
    ObjectiveMeasures measures;
  };
  using Take = std::function<void(Part)>;

  /// Splits documents into leaves. The result depends on the documents alone.
  virtual Leaves leaves(const std::vector<std::size_t>& chosen) const = 0;
  /// Computes some leaves of a step, and calls `take` with the part of each, in order.
  virtual void compute(const Lora& lora, const Chosen& chosen,
                       std::span<const std::vector<std::size_t>> leaves, const StepFacts& step,
                       const Take& take) = 0;
  /// Computes the log-probabilities of the documents of some leaves, and stores them at their places in
  /// `all`.
  virtual void score(const Lora* lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
                     LogProbabilities& all) = 0;
  /// Returns a gradient as tensors in the order and the shapes of Lora::parameters; by default they lie in
  /// `gradient` one after another.
  virtual std::vector<at::Tensor> tensors(const Lora& lora, const at::Tensor& gradient) const;
  /// The number of elements of Part::gradient.
  virtual std::int64_t elements(const Lora& lora) const;

  const std::vector<Document>& documents_;
  const std::int64_t context_;
  Learning learning_;

 private:
  /// Returns the bounds of each process's leaves: process r computes the leaves bounds[r] …
  /// bounds[r + 1] - 1.
  std::vector<std::size_t> bounds(const std::vector<std::size_t>& chosen, const Leaves& leaves) const;

  const Group alone_;
  const Group* group_ = &alone_;
};

/// Returns the indices into `chosen` of the documents whose loss isn't constant, in increasing order.
std::vector<std::size_t> that_teach(const Objective& objective, const std::vector<Document>& documents,
                                    const std::vector<std::size_t>& chosen);

/// Returns, for each chosen document, the facts that the objective needs. For pairs, `trainer` first computes
/// log-probabilities under the step's dropout masks. Throws UserError if one document of a pair is missing.
std::vector<AnswerFacts> facts_of_step(Trainer& trainer, const Learning& learning,
                                       const std::vector<Document>& documents, const Lora& lora,
                                       const std::vector<std::size_t>& chosen,
                                       const std::vector<RandomKey>& keys);

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
