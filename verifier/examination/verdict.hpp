#pragma once
// The result of an examination: the verdict and the steps.
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "verifier/executor/launch/report.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/timings.hpp"

namespace trl::runtime {

/// The verdict of another protocol, such as KernelBench's, on a candidate.
struct OtherVerdict {
  std::optional<bool> correct;  ///< nothing: the protocol couldn't be asked, for `reason`
  std::string reason, message;  ///< empty if the candidate is right
};

/// The results of single programs at the task's own sizes. Every access of these programs was checked.
struct OwnSizes {
  std::uint64_t programs = 0, all_programs = 0;  ///< programs that ran to their end, and all programs
  std::uint64_t values = 0, all_values = 0;      ///< values that were compared, and all of the output
};

/// A verdict: a row of verdicts.jsonl without the members for task and sample.
struct Verdict {
  bool valid = false;            ///< whether a sound launch plan was recorded
  std::optional<bool> compiled;  ///< whether the kernels compile; empty: not tried
  bool tiny = false;  ///< whether it passed the stage tiny, or, without that stage, all other stages
  bool correct = false;
  bool values = false;  ///< whether all values are right, even if there are memory errors
  std::string failed;   ///< the failed stage (syntax, compile, tiny, full, timed); empty: passed
  std::string reason;
  std::string message;
  int line = 0;
  bool claimed = false;  ///< whether reason, message and line come from the process in which the candidate's
                         ///< code ran, which can forge them
  std::string variation;
  double speedup = 0;
  std::optional<double> time_us;
  std::optional<double> reference_us;
  bool modelled = true;               ///< whether the times are modelled
  std::optional<double> launched_us;  ///< measured time with single launches instead of one CUDA graph
  std::optional<double> compiled_us;  ///< measured time of the reference compiled by torch.compile
  int launches = 0;
  std::optional<nlohmann::json> paths;  ///< for strict protocols: data-dependent decisions in the kernels
                                        ///< that had both outcomes (path_coverage.hpp)
  /// For strict protocols: the labels of variations that an answer which computes nothing would pass
  /// (assessment.hpp).
  std::vector<std::string> no_evidence;
  /// The labels of variations that were not tried, since they can't be applied to the task
  /// (`TestCases::left_alone`).
  std::vector<std::string> left_alone;
  /// The number of masked loads without `other` in the test case that was tried, if right values depend on
  /// the numbers that these loads give to disabled lanes; otherwise 0. Triton's documentation leaves those
  /// numbers undefined.
  std::int64_t masked_without_other = 0;
  /// The share of the task's work that the candidate's own kernels do, where PyTorch may compute an epilogue
  /// (epilogue.hpp). Empty if the protocol allows no epilogue, or if there is no plan.
  std::optional<double> kernel_share;
  /// The part that ran at the task's own sizes, if these are too large for the whole plan to run.
  std::optional<OwnSizes> own_sizes;
  std::optional<OtherVerdict> kernelbench;  ///< the verdict of KernelBench's protocol, if it was requested
  /// The executor's counters of each launch in the first test case of the stage full; not in to_json.
  std::vector<executor::Counters> counters;
  Timings timings;  ///< timings of the steps; not in to_json

  nlohmann::json to_json() const;
};

/// The name and sizes of a kernel launch in a plan.
struct LaunchGeometry {
  std::string kernel;  ///< the kernel's name, which the candidate chose
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{0, 0,
                                     0};  ///< threads of a block; zeros: `num_warps` determines them (Triton)
  int num_warps = 0;                      ///< 0: unknown
  int line = 0;
};

/// One step of an examination.
struct ExaminedStep {
  enum class Outcome { passed, failed, skipped };
  std::string stage;      ///< syntax, compile, tiny, full, timed
  std::string variation;  ///< the label of the variation; only for the stages tiny and full
  Outcome outcome = Outcome::skipped;
  bool evidence = true;         ///< false if an answer that computes nothing would pass, too
  std::string reason, message;  ///< the defect; in a passed step, a memory error that the protocol tolerates
  int line = 0;
  std::vector<LaunchGeometry>
      launches;  ///< the launches of the replayed plan; only for the stages tiny and full

  nlohmann::json to_json() const;
};

/// The result of an examination.
struct Examined {
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  nlohmann::json recorded;  ///< the recorder's answer, which is untrusted
  std::string commitment;   ///< hash of kernels and plans; empty if the recording is unsound
  Recording recording;      ///< the examined kernels and plans, with the autotuning configurations that were
                            ///< fastest on the GPU
  nlohmann::json budget;    ///< the budget and the time used, in the form of Budget::to_json
};

}  // namespace trl::runtime
