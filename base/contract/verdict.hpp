// The results of verification for a candidate: a row of verdicts.jsonl, and trl-verify's answer
// (docs/interfaces.md, 3 and 4).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"

namespace trl::contract {

/// The verdict of another project's protocol, such as KernelBench's, on a candidate.
struct OtherVerdict {
  std::optional<bool> correct;  ///< none: the protocol couldn't be asked, for `reason`
  std::string reason, message;  ///< empty if the candidate is correct

  static OtherVerdict read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The part of a plan that ran at a task's own sizes, where these are too large for the whole plan to run.
struct OwnSizes {
  std::uint64_t programs = 0, all_programs = 0;  ///< programs that ran, and all programs of all launches
  std::uint64_t values = 0, all_values = 0;      ///< values that were compared, and all of the output

  static OwnSizes read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The least time of kernels, in microseconds, that a reward formula sees of a right candidate.
constexpr double least_time_us = 0.001;

struct Verdict {
  bool valid = false;            ///< whether running the candidate gave a valid launch plan
  std::optional<bool> compiled;  ///< whether every kernel compiles; nothing if not tried
  std::optional<bool> tiny;      ///< whether it passed at small sizes; nothing if not tried
  bool correct = false;
  bool values = false;  ///< whether all values are right; memory errors don't count
  std::string failed;   ///< the stage of verification that it failed: syntax, compile, tiny, full, timed;
                        ///< empty if it passed
  std::string reason, message, variation;  ///< empty if there is nothing to report
  int line = 0;  ///< the line of the answer that is at fault, from 1; 0: no particular line
  /// Whether reason, message and line come from the process in which the candidate ran, and may be forged.
  bool claimed = false;
  double speedup = 0;
  std::optional<double> time_us, reference_us;
  bool modelled = true;               ///< whether the times are modelled, not measured
  std::optional<double> launched_us;  ///< measured time of the launches one by one, not as one CUDA graph
  std::optional<double> compiled_us;  ///< measured time of the reference compiled by torch.compile
  int launches = 0;
  std::optional<nlohmann::json> paths;  ///< a `Paths` as JSON: the decisions that went both ways
  /// The variations that an answer that computes nothing would pass, too.
  std::vector<std::string> no_evidence;
  /// The variations that weren't tried: casts that change nothing about the task, and casts or resizes that a
  /// task's PyTorch module doesn't allow.
  std::vector<std::string> left_alone;
  /// The number of masked loads without `other` whose disabled lanes, zero in practice but undefined by
  /// Triton, affect the values; 0: the values don't depend on such lanes.
  std::int64_t masked_without_other = 0;
  /// The share of the task's work that the candidate's own kernels do; none if PyTorch may compute nothing.
  std::optional<double> kernel_share;
  std::optional<OwnSizes> own_sizes;        ///< none: the own sizes were carried out as a whole
  std::optional<OtherVerdict> kernelbench;  ///< none: KernelBench's protocol wasn't run

  /// Whether the answer was judged, as right or as wrong. An answer that wasn't judged counts in no share.
  bool judged() const;

  /// Throws ContractError.
  static Verdict read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of verdicts.jsonl.
struct VerdictRow : Verdict {
  std::size_t task = 0;     ///< index into tasks.json
  std::int64_t sample = 0;  ///< number of the answer among the task's answers, from 0

  static VerdictRow read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// How many decisions in a candidate's kernels depend on loaded values (comparisons, conditions, maxima), and
/// which of them went both ways in tests.
struct Paths {
  struct Site {
    std::optional<int> line;  ///< line of the answer
    std::string what;         ///< the kind of decision: "comparison < -9"

    static Site read(const nlohmann::json& input);
    nlohmann::json write() const;
    template <class Form, class Self>
    static void fields(Form& form, Self& self);
  };
  int sites = 0, both = 0;
  int directed = 0;  ///< of the decisions counted in `both`, the number of those that went both ways only
                     ///< with inputs that were made for this purpose
  std::vector<Site> one_sided;  ///< at most eight of the decisions that never went both ways

  static Paths read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A kernel launch in a launch plan.
struct Launch {
  std::string kernel;  ///< the kernel's name, which the candidate chose
  std::vector<std::int64_t> grid;
  /// Threads of a block along each axis; zeros: Triton derives them from the number of warps.
  std::vector<std::int64_t> block;
  int num_warps = 0;  ///< 0: unknown
  int line = 0;

  static Launch read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A step of a candidate's verification.
struct Step {
  enum class Outcome { passed, failed, skipped };
  std::string stage;      ///< the stage of verification: syntax, compile, tiny, full, timed
  std::string variation;  ///< only for the stages tiny and full
  Outcome outcome = Outcome::skipped;
  /// Why the step failed; for a passed step, a memory error that the protocol tolerates.
  std::string reason, message;
  int line = 0;
  std::vector<Launch> launches;  ///< the launches of the plan that a tiny or full step runs
  bool evidence = true;          ///< false: an answer that computes nothing would pass this step, too

  static Step read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// trl-verify's answer about a candidate.
struct Examined : Verdict {
  /// Seconds for each kind of work, and the limit under `limit`.
  using Seconds = std::map<std::string, double>;
  std::vector<Step> stages;
  /// One entry for each clock: cpu_seconds, wall_seconds.
  std::optional<std::map<std::string, Seconds>> budget;
  std::optional<std::size_t> number;       ///< the candidate's index, from 0, if there are several
  std::optional<nlohmann::json> exported;  ///< the files that an export wrote
  std::optional<MadeOn> made_on;

  static Examined read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// trl-verify's answer about a row of plans.jsonl.
struct Replayed {
  std::vector<std::size_t> rows;  ///< the rows of verdicts.jsonl, from 0, that have this plan
  std::size_t task = 0;
  std::optional<Verdict> verdict;
  std::optional<bool> planned;          ///< false: running the candidate gave no launch plan
  bool forged = false;                  ///< whether the plan differs from the one that was committed
  std::optional<std::int64_t> omitted;  ///< bytes of a plan that was too large to be stored

  static Replayed read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
