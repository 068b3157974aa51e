#pragma once
// The protocol of an examination.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "verifier/budget.hpp"
#include "verifier/executor/model_time.hpp"
#include "verifier/services/gpu_runner.hpp"
#include "verifier/services/recorder.hpp"
#include "verifier/tasks/kernel_language.hpp"
#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The most bytes of an answer. A longer one is refused as `too_large`, and none of its code runs.
constexpr std::size_t most_answer_bytes = std::size_t{1} << 20;

/// Says how strict an examination is and which steps it has.
struct Protocol {
  enum class Compile {
    all,           ///< for exams: every kernel is compiled before values are compared
    after_values,  ///< for training: a kernel is compiled once all values are right, and only if it is timed
  };
  std::vector<Variation> variations = {Variation{}};
  std::optional<KernelLanguage> language;  ///< the language that every launched kernel must have; empty: any
  bool tiny = false;                       ///< whether to try sizes of 4 first
  Compile compile = Compile::after_values;
  bool memory_checks = false;             ///< whether a memory error fails a candidate whose values are right
  bool strict = false;                    ///< for exams; implies memory_checks
  Precision precision = Precision::task;  ///< the precision in which honest candidates may compute
  bool epilogue = false;                  ///< whether PyTorch may finish the kernels' work (epilogue.hpp)
  executor::GpuModel gpu = *executor::gpu_model("H200");  ///< the GPU for which times are modelled
  /// How candidates are timed on the GPU; empty: times are modelled.
  std::optional<TimingProtocol> timing;
  bool executor = true;             ///< whether the executor judges values at full sizes before the GPU does
  bool compiled_reference = false;  ///< whether to time the reference by torch.compile, too
  bool also_by_kernelbench =
      false;               ///< whether KernelBench's protocol judges, too, where the task is of its form
  CandidateLimits limits;  ///< limits of each process that works for a candidate
  BudgetLimits budget;     ///< limits of all these processes together
  /// The operations that the executor may spend on one plan with directed inputs; only tests set it.
  std::uint64_t directed_operations = 400'000'000;
  /// Called with the inputs and the results of the timed test case; only benchmarks set it.
  std::function<void(const std::vector<InputData>&, const GpuReplay&)> watch;

  /// Reads a verify stage's spec (docs/interfaces.md, 3). Throws UserError.
  static Protocol parse(const nlohmann::json& spec);
  bool memory_errors_fail() const { return memory_checks || strict; }
};

}  // namespace trl::runtime
