#pragma once
// The protocol of an examination: the tests, and how strictly they are judged.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "verifier/budget.hpp"
#include "verifier/executor/launch/model_time.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/services/gpu_runner.hpp"
#include "verifier/services/recorder.hpp"
#include "verifier/tasks/kernel_language.hpp"
#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The maximum size of an answer in bytes. A longer answer is refused as `too_large`, and none of its code
/// runs.
constexpr std::size_t most_answer_bytes = std::size_t{1} << 20;

/// The settings of an examination.
struct Protocol {
  enum class Compile {
    all,           ///< for exams: every kernel is compiled before values are compared
    after_values,  ///< for training: a kernel is compiled once all values are right, and only if it is timed
  };
  std::vector<Variation> variations = {Variation{}};
  std::optional<KernelLanguage> language;  ///< the language of all launched kernels; empty: any
  bool tiny = false;  ///< whether to begin with the stage tiny, where every dimension is 4
  Compile compile = Compile::after_values;
  bool memory_checks = false;             ///< whether a candidate fails for a memory error alone
  bool strict = false;                    ///< whether this is an exam; implies memory_checks
  Precision precision = Precision::task;  ///< the precision in which honest candidates may compute
  bool epilogue = false;                  ///< whether PyTorch may compute the last operations (epilogue.hpp)
  executor::GpuModel gpu = *executor::gpu_model("H200");  ///< the GPU for which times are modelled
  /// Settings of the timing on a GPU; empty: times are modelled instead.
  std::optional<TimingProtocol> timing;
  bool executor = true;             ///< whether the executor judges values at full sizes before the GPU
  bool compiled_reference = false;  ///< whether to time torch.compile's code of the reference, too
  bool also_by_kernelbench =
      false;  ///< whether to also judge by KernelBench's protocol, for tasks in KernelBench's form
  bool judge_reasoning = false;  ///< whether an answer that is all reasoning is judged by its last code block
  CandidateLimits limits;        ///< limits of each single process that works for a candidate
  BudgetLimits budget;           ///< limits of all processes of a candidate together
  /// The largest number of CPU seconds for the process that runs the candidate's Python, in case a deadline
  /// leaves less time than `limits.seconds`.
  std::int64_t recording_seconds = INT64_MAX;
  /// The maximum number of operations that the executor carries out for one plan on directed inputs. Only
  /// tests change it.
  std::uint64_t directed_operations = 400'000'000;
  /// The largest size in bytes of a task's inputs and results together at which test cases without a GPU are
  /// carried out as a whole. Only tests change it.
  std::int64_t held_bytes = PlanLimits{}.buffer_bytes;
  /// Called with the inputs and the results of the timed test case. Only benchmarks use it.
  std::function<void(const std::vector<InputData>&, const GpuReplay&)> watch;

  /// Reads the spec of a verify stage (docs/interfaces.md, 3). Throws UserError for an invalid spec.
  static Protocol parse(const nlohmann::json& spec);
  bool memory_errors_fail() const { return memory_checks || strict; }
};

}  // namespace trl::runtime
