#pragma once
// One candidate's verdict: recorded, sealed, replayed on the executor, compared, compiled, timed by a model.
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

/// A row of verdicts.jsonl without its task and sample.
struct Verdict {
  bool valid = false;            ///< came to a sound launch plan
  std::optional<bool> compiled;  ///< none: not tried
  bool tiny = false;             ///< passed the tiny stage, or all others where there is none
  bool correct = false;
  bool values = false;  ///< all values right, memory errors aside
  std::string failed;   ///< syntax, compile, tiny, full; empty: passed
  std::string reason;
  std::string message;
  int line = 0;
  bool claimed = false;  ///< reason, message and line come from where the candidate ran, and may be forged
  std::string variation;
  double speedup = 0;
  std::optional<double> time_us;
  std::optional<double> reference_us;
  bool modelled = true;               ///< the times are a model's
  std::optional<double> launched_us;  ///< measured: its launches one by one, not as one CUDA graph
  std::optional<double> compiled_us;  ///< measured: torch.compile's reference
  int launches = 0;
  std::optional<nlohmann::json>
      paths;  ///< which decisions went both ways (path_coverage.hpp): strict protocols
  /// Labels of variations that an answer passes that computes nothing (assessment.hpp): strict protocols.
  std::vector<std::string> no_evidence;
  std::vector<executor::Counters> counters;  ///< of each launch at the first full variation; not in to_json
  Spent spent;                               ///< on reaching it; not in to_json

  nlohmann::json to_json() const;
};

/// A kernel as a plan launches it.
struct LaunchGeometry {
  std::string kernel;  ///< a candidate's word
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{0, 0, 0};  ///< threads; zeros: by the number of warps (Triton)
  int num_warps = 0;                            ///< 0: not said
  int line = 0;
};

/// One step of an examination, in the order in which they are taken.
struct ExaminedStep {
  enum class Outcome { passed, failed, skipped };
  std::string stage;      ///< syntax, compile, tiny, full, timed
  std::string variation;  ///< of tiny and full
  Outcome outcome = Outcome::skipped;
  bool evidence = true;         ///< false: an answer that computes nothing passes it, too
  std::string reason, message;  ///< of a passed step: a memory error that the protocol lets pass
  int line = 0;
  std::vector<LaunchGeometry> launches;  ///< of the plan that a tiny or full step replays

  nlohmann::json to_json() const;
};

/// What an examination comes to.
struct Examined {
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  nlohmann::json recorded;  ///< the recorder's answer: a candidate's word
  std::string seal;         ///< of a sound plan
  Recording recording;      ///< as examined: with the configurations that a GPU preferred
  nlohmann::json budget;    ///< what it had and what it used, as Budget::to_json has it
};

/// One lane of verification, with processes of its own. Used by one thread at a time.
class Verifier {
 public:
  /// Lanes may share what they have compiled.
  Verifier(const Installation& installation, bool sandbox,
           std::shared_ptr<CompiledKernels> compiled = std::make_shared<CompiledKernels>());

  /// Starts the processes that don't run yet, so that the first verdict doesn't wait for them (seconds).
  void ready(const std::function<bool()>& cancelled = {});

  /// Where candidates are replayed and timed for protocols that say so; lanes share it.
  void set_gpu(std::shared_ptr<GpuLane> gpu) { gpu_ = std::move(gpu); }

  /// The lane's compiler.
  KernelCompiler& compiler() { return compiler_; }

  /// How many threads a launch may take, asked at each: 1 unless set. Verdicts don't depend on it.
  void set_threads(std::function<int()> threads) { threads_ = std::move(threads); }

  /// The verdict on an answer. The same for the same (task, answer, protocol, secret) but for time limits.
  /// Throws UserError when the machine, not the candidate, fails, and Cancelled once `cancelled` says so.
  Verdict verify(const Task& task, const std::string& answer, const Protocol& protocol,
                 const std::string& secret, const std::function<bool()>& cancelled = {});

  /// The same, with each step and the plan that was sealed.
  Examined examine(const Task& task, const std::string& answer, const Protocol& protocol,
                   const std::string& secret, const std::function<bool()>& cancelled = {});

  /// The verdict on what was recorded earlier, whoever brings it: no recorder runs, and no candidate's code.
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
