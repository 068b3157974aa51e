#pragma once
// Records the outcomes of data-dependent decisions in a candidate's kernels over all trials
// (executor/paths/paths.hpp).
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// The outcomes of decisions, collected from all replays of a candidate. The reports of replays aren't
/// trusted.
class PathCoverage {
 public:
  explicit PathCoverage(std::size_t kernels = 0) : kernels_(kernels) {}

  /// Returns the outcomes seen so far, in the form of ReplayOptions::ways.
  std::vector<std::vector<std::uint8_t>> ways() const;
  /// Returns those of `kernels` for which `unasked` is called for the first time. The values that would
  /// change their decisions (TurningValues) are computed only once, in the next replay.
  std::vector<int> unasked(const std::vector<int>& kernels);
  /// Adds the outcomes that a replay reports. `directed`: the replay had directed inputs. Returns whether
  /// there is any new outcome.
  bool add(const ReplayResult& result, bool directed = false);

  bool open(int kernel) const;
  bool open(int kernel, int decision) const;
  const KernelDecision* decision(int kernel, int number) const;
  /// Returns values that may change the outcome of decisions in these kernels. Only decisions that have had a
  /// single outcome, or none, are included.
  std::vector<TurningValues> turning(const std::vector<int>& kernels) const;
  /// Returns the first decision with a new outcome since `before`, an earlier copy of this object; null if
  /// there is none.
  const KernelDecision* turned_since(const PathCoverage& before) const;

  /// Returns {"sites", "both", "directed", "one_sided": [{"line", "what"}, …]}: the numbers of all decisions
  /// and of decisions that had both outcomes (`both`; `directed` counts the ones that needed directed
  /// inputs), and a list of at most eight decisions with one outcome. The same decision in kernels that were
  /// compiled for several sizes counts once. Nothing if no kernel was examined.
  std::optional<nlohmann::json> to_json() const;

 private:
  struct Kernel {
    std::vector<KernelDecision> decisions;
    std::vector<bool> directed;  // whether a decision had its second outcome only on directed inputs
    bool asked = false, seen = false;
  };
  std::vector<Kernel> kernels_;
  std::vector<TurningValues> turning_;
};

}  // namespace trl::runtime
