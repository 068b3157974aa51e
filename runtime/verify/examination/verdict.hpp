#pragma once
// What an examination comes to: its verdict, and each of its steps.
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/executor/launch/report.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/spent.hpp"

namespace trl::runtime {

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

}  // namespace trl::runtime
