// Computes the gradient of a LoRA adapter for one optimiser step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/train/documents.hpp"

namespace trl::runtime {

/// The gradient of the mean over the answer tokens of some documents, of each token's loss times its
/// document's weight.
struct StepGradients {
  at::Tensor loss;                  // that mean: a scalar, whose computation on a GPU may still be under way
  std::vector<at::Tensor> tensors;  // in f32, in the order of Lora::parameters
};

class Trainer {
 public:
  virtual ~Trainer() = default;
  /// `keys` determine the dropout masks of the chosen documents. The result depends on the arguments alone;
  /// on the CPU that holds for any number of threads.
  virtual StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                             const std::vector<RandomKey>& keys) = 0;
};

/// A trainer for the CPU in f32, with the loops of LoraStep and one document per thread. `model` and
/// `documents` must outlive it.
std::unique_ptr<Trainer> trainer_by_loops(const LanguageModel& model, const LoraSettings& settings,
                                          const std::vector<Document>& documents, int threads);

/// A trainer for GPUs in bf16, with the kernels of KernelStep: documents are packed after each other.
/// KernelStep::reason_against(model) must be "". Of `recomputed` layers the forward pass is computed again in
/// the backward pass; without it, of as many as the longest document needs to fit into the GPU.
std::unique_ptr<Trainer> trainer_by_kernels(const LanguageModel& model, const LoraSettings& settings,
                                            const std::vector<Document>& documents,
                                            std::optional<std::int64_t> recomputed = std::nullopt);

/// A trainer that uses tensor operations and autograd on the model's device, in micro-batches of at most
/// `budget` padded tokens. The split into micro-batches changes nothing but rounding.
std::unique_ptr<Trainer> trainer_by_tensors(const LanguageModel& model,
                                            const std::vector<Document>& documents,
                                            std::size_t budget = 16384);

}  // namespace trl::runtime
