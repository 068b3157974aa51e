#pragma once
// How candidates are examined.
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "runtime/tasks/kernel_language.hpp"
#include "runtime/tasks/precision.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/budget.hpp"
#include "runtime/verify/executor/model_time.hpp"
#include "runtime/verify/services/gpu_runner.hpp"
#include "runtime/verify/services/recorder.hpp"

namespace trl::runtime {

/// An answer with more bytes is `too_large` before anything runs.
constexpr std::size_t most_answer_bytes = std::size_t{1} << 20;

/// How strictly and how far candidates are examined.
struct Protocol {
  enum class Compile {
    all,           ///< every kernel is compiled before values are looked at: exams
    after_values,  ///< only once all values are right, and only what is timed: training
  };
  std::vector<Variation> variations = {Variation{}};
  std::optional<KernelLanguage> language;  ///< of every kernel that is launched; none: either
  bool tiny = false;                       ///< first at sizes of 4
  Compile compile = Compile::after_values;
  bool memory_checks = false;             ///< a memory error fails a candidate whose values are right
  bool strict = false;                    ///< exams: as memory_checks
  Precision precision = Precision::task;  ///< that honest candidates may compute in
  executor::GpuModel gpu = *executor::gpu_model("H200");  ///< what times are modelled for
  /// How candidates are timed on the GPU; none: by the model.
  std::optional<TimingProtocol> timing;
  bool executor = true;             ///< before the GPU; false: the GPU alone judges values at full sizes
  bool compiled_reference = false;  ///< torch.compile's time of the reference, too
  CandidateLimits limits;           ///< of each process that works for a candidate
  BudgetLimits budget;              ///< of all of them together
  /// Called with what the timed trial took and gave: for benchmarks.
  std::function<void(const std::vector<InputData>&, const GpuReplay&)> watch;

  /// From a verify stage's spec (docs/seams.md, 3). Throws UserError.
  static Protocol parse(const nlohmann::json& spec);
  bool memory_errors_fail() const { return memory_checks || strict; }
};

}  // namespace trl::runtime
