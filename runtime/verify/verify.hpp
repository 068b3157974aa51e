#pragma once
// Reaches one candidate's verdict: it is recorded, sealed, replayed on the executor, compared, compiled, and
// timed by a model or on a GPU.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tasks/kernel_language.hpp"
#include "runtime/tasks/precision.hpp"
#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/budget.hpp"
#include "runtime/verify/executor/model_time.hpp"
#include "runtime/verify/executor_process.hpp"
#include "runtime/verify/gpu_lane.hpp"
#include "runtime/verify/recorder.hpp"
#include "runtime/verify/spent.hpp"

namespace trl::runtime {

/// A longer answer is `too_large`, and nothing of it runs.
constexpr std::size_t most_answer_bytes = std::size_t{1} << 20;

/// How strictly candidates are examined, and up to which step.
struct Protocol {
  enum class Compile {
    all,           ///< every kernel is compiled before values are compared: for exams
    after_values,  ///< a kernel is compiled once all values are right, and only if it is timed: for training
  };
  std::vector<Variation> variations = {Variation{}};
  std::optional<KernelLanguage> language;  ///< of every kernel that is launched; none: any language
  bool tiny = false;                       ///< whether to try sizes of 4 first
  Compile compile = Compile::after_values;
  bool memory_checks = false;             ///< whether a memory error fails a candidate whose values are right
  bool strict = false;                    ///< for exams; as memory_checks
  Precision precision = Precision::task;  ///< the precision in which honest candidates may compute
  executor::GpuModel gpu = *executor::gpu_model("H200");  ///< the GPU for which times are modelled
  /// How candidates are timed on the GPU; none: times are modelled.
  std::optional<TimingProtocol> timing;
  bool executor = true;             ///< whether the executor judges values at full sizes before the GPU does
  bool compiled_reference = false;  ///< whether to time the reference by torch.compile, too
  CandidateLimits limits;           ///< of each process that works for a candidate
  BudgetLimits budget;              ///< of all these processes together
  /// Called with the inputs and the results of the timed trial: for benchmarks.
  std::function<void(const std::vector<InputData>&, const GpuReplay&)> watch;

  /// Reads a verify stage's spec (docs/seams.md, 3). Throws StageError.
  static Protocol parse(const nlohmann::json& spec);
  bool memory_errors_fail() const { return memory_checks || strict; }
};

/// A row of verdicts.jsonl, without its task and sample.
struct Verdict {
  bool valid = false;            ///< a sound launch plan was recorded
  std::optional<bool> compiled;  ///< none: not tried
  bool tiny = false;             ///< passed the tiny stage, or all other stages where there is none
  bool correct = false;
  bool values = false;  ///< all values are right, apart from memory errors
  std::string failed;   ///< syntax, compile, tiny, full; empty: passed
  std::string reason;
  std::string message;
  int line = 0;
  bool claimed = false;  ///< reason, message and line come from the process in which the candidate ran, and
                         ///< may be forged
  std::string variation;
  double speedup = 0;
  std::optional<double> time_us;
  std::optional<double> reference_us;
  bool modelled = true;               ///< whether the times are modelled
  std::optional<double> launched_us;  ///< measured: launches one by one, not as one CUDA graph
  std::optional<double> compiled_us;  ///< measured: the reference compiled by torch.compile
  int launches = 0;
  std::optional<nlohmann::json>
      paths;  ///< which decisions went both ways (path_coverage.hpp): for strict protocols
  /// Labels of variations that an answer which computes nothing passes (assessment.hpp): for strict
  /// protocols.
  std::vector<std::string> no_evidence;
  std::vector<executor::Counters> counters;  ///< of each launch at the first full variation; not in to_json
  Spent spent;                               ///< timings of the steps; not in to_json

  nlohmann::json to_json() const;
};

/// A kernel launch as in a plan.
struct LaunchGeometry {
  std::string kernel;  ///< the name is the candidate's choice
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{0, 0, 0};  ///< threads; zeros: given by the number of warps (Triton)
  int num_warps = 0;                            ///< 0: unknown
  int line = 0;
};

/// One step of an examination; steps are in the order in which they were carried out.
struct ExaminedStep {
  enum class Outcome { passed, failed, skipped };
  std::string stage;      ///< syntax, compile, tiny, full, timed
  std::string variation;  ///< for tiny and full
  Outcome outcome = Outcome::skipped;
  bool evidence = true;         ///< false: an answer that computes nothing passes it, too
  std::string reason, message;  ///< for a passed step: a memory error that the protocol tolerates
  int line = 0;
  std::vector<LaunchGeometry> launches;  ///< of the plan that a tiny or full step replays

  nlohmann::json to_json() const;
};

/// The result of an examination.
struct Examined {
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  nlohmann::json recorded;  ///< the recorder's answer, which is untrusted
  std::string seal;         ///< of a sound plan
  Recording recording;      ///< as examined, with the autotuning configurations that a GPU preferred
  nlohmann::json budget;    ///< the budget and what was used of it, in the form of Budget::to_json
};

/// One worker slot of verification, with processes of its own. Used by one thread at a time.
class Verifier {
 public:
  /// Worker slots may share their cache of compiled kernels.
  Verifier(const Installation& installation, bool sandbox,
           std::shared_ptr<CompiledKernels> compiled = std::make_shared<CompiledKernels>());

  /// Starts the processes that don't run yet, so that the first verdict doesn't wait for them (seconds).
  void ready(const std::function<bool()>& cancelled = {});

  /// Sets the GPU on which candidates are replayed and timed if the protocol asks for it. Worker slots share
  /// it.
  void set_gpu(std::shared_ptr<GpuLane> gpu) { gpu_ = std::move(gpu); }

  /// The compiler of this worker slot.
  KernelCompiler& compiler() { return compiler_; }

  /// Sets the function that is called at each launch for the number of threads that it may use; 1 unless set.
  /// Verdicts don't depend on it.
  void set_threads(std::function<int()> threads) { threads_ = std::move(threads); }

  /// Returns the verdict on an answer. It depends on (task, answer, protocol, secret) alone, except where a
  /// time limit is reached. Throws StageError when the machine, not the candidate, fails, and Cancelled once
  /// `cancelled` returns true.
  Verdict verify(const Task& task, const std::string& answer, const Protocol& protocol,
                 const std::string& secret, const std::function<bool()>& cancelled = {});

  /// The same, with each step and the plan that was sealed.
  Examined examine(const Task& task, const std::string& answer, const Protocol& protocol,
                   const std::string& secret, const std::function<bool()>& cancelled = {});

  /// The verdict on what was recorded earlier, possibly by somebody else: no recorder runs, and no code of
  /// the candidate.
  Examined examine_recorded(const Task& task, const nlohmann::json& recorded, const Protocol& protocol,
                            const std::string& secret, const std::function<bool()>& cancelled = {});

 private:
  void require_gpu(const Protocol& protocol) const;

  Recorder recorder_;
  ExecutorProcess executor_;
  KernelCompiler compiler_;
  std::function<int()> threads_;
  std::shared_ptr<GpuLane> gpu_;
};

}  // namespace trl::runtime
