#pragma once
// The rows of JSON in which trl-verify reports verdicts (docs/interfaces.md, section 4).
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/made_on.hpp"
#include "verifier/examination/verdict.hpp"
#include "verifier/services/exclusive_gpu.hpp"
#include "verifier/services/installation.hpp"

namespace trl::runtime {

/// The record of the machine and software behind verdicts: this machine and, for a candidate that was timed
/// on a GPU, the GPU. Several threads may use it.
class Machine {
 public:
  /// `gpu` is null if no candidate is timed. `threads` is the number of candidates that are judged at once.
  Machine(const Installation& installation, std::shared_ptr<ExclusiveGpu> gpu, int threads);

  nlohmann::json of(const Verdict& verdict);

 private:
  std::shared_ptr<ExclusiveGpu> gpu_;
  contract::MadeOn here_, with_gpu_;
  std::once_flag named_;
};

/// The row of a verdict with its steps, its budget and the machine.
nlohmann::json row_of(const Examined& examined, Machine& machine);

/// The row of an answer that can't be judged.
nlohmann::json unjudged_row(const std::string& why, Machine& machine);

}  // namespace trl::runtime
