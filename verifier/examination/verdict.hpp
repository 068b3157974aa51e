#pragma once
// The result of an examination: the verdict and each step.
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

/// Another protocol's verdict on a candidate.
struct OtherVerdict {
  bool correct = false;
  std::string reason, message;  ///< empty where it is right
};

/// A row of verdicts.jsonl, without its task and sample.
struct Verdict {
  bool valid = false;            ///< a sound launch plan was recorded
  std::optional<bool> compiled;  ///< empty: not tried
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
  /// Labels of casts that leave the task alone, and so weren't tried.
  std::vector<std::string> left_alone;
  /// For a right candidate whose values depend on the numbers that masked loads without `other` give to
  /// disabled lanes: the number of such loads at the sizes where that was tried. Triton's documents leave
  /// these lanes undefined.
  std::int64_t masked_without_other = 0;
  /// The share of the task's work that the candidate's own kernels do; empty where the protocol leaves
  /// PyTorch nothing to compute, or there is no plan.
  std::optional<double> kernel_share;
  std::optional<OtherVerdict> kernelbench;  ///< where the protocol asks for it
  /// counters of each launch at the first full variation; not in to_json
  std::vector<executor::Counters> counters;
  Timings timings;  ///< timings of the steps; not in to_json

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
  std::string variation;  ///< the variation of a tiny or full step
  Outcome outcome = Outcome::skipped;
  bool evidence = true;         ///< false: an answer that computes nothing passes it, too
  std::string reason, message;  ///< a memory error of a passed step, which the protocol tolerates
  int line = 0;
  std::vector<LaunchGeometry> launches;  ///< the launches of the plan that a tiny or full step replays

  nlohmann::json to_json() const;
};

/// The result of an examination.
struct Examined {
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  nlohmann::json recorded;  ///< the recorder's answer, which is untrusted
  std::string commitment;   ///< empty if the plan is unsound
  Recording recording;      ///< as examined, with the autotuning configurations that a GPU preferred
  nlohmann::json budget;    ///< the budget and the used part of it, in the form of Budget::to_json
};

}  // namespace trl::runtime
