// One optimiser step's gradient in a LoRA adapter.
#pragma once

#include <memory>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/train/documents.hpp"

namespace trl::runtime {

/// The gradient of the mean loss over the answer tokens of some documents.
struct StepGradients {
  at::Tensor loss;                  // the mean: a scalar, which may still be on its way on a GPU
  std::vector<at::Tensor> tensors;  // in f32, in the order of Lora::parameters
};

class Trainer {
 public:
  virtual ~Trainer() = default;
  /// `keys` name the dropout masks of the chosen documents. The result depends on the arguments alone, on the
  /// CPU whatever the number of threads.
  virtual StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                             const std::vector<RandomKey>& keys) = 0;
};

/// On the CPU in f32: the loops of LoraStep, a document a thread. `model` and `documents` must outlive it.
std::unique_ptr<Trainer> trainer_by_loops(const Qwen2& model, const LoraSettings& settings,
                                          const std::vector<Document>& documents, int threads);

/// With tensor operations and autograd on the model's device, in micro-batches of at most `budget` padded
/// tokens, which changes nothing beyond rounding.
std::unique_ptr<Trainer> trainer_by_tensors(const Qwen2& model, const std::vector<Document>& documents,
                                            std::size_t budget = 16384);

}  // namespace trl::runtime
