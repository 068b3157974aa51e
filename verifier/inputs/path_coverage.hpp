#pragma once
// Records which decisions of a candidate's kernels went both ways in its trials (executor/paths/paths.hpp).
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// The decisions that all replays of a candidate saw together. A replay's report isn't trusted.
class PathCoverage {
 public:
  explicit PathCoverage(std::size_t kernels = 0) : kernels_(kernels) {}

  /// The ways seen so far, for ReplayOptions.
  std::vector<std::vector<std::uint8_t>> ways() const;
  /// The kernels among these whose turning values have not been asked for yet. From then on they count as
  /// asked for.
  std::vector<int> unasked(const std::vector<int>& kernels);
  /// Adds the decisions that a replay saw. `directed`: on inputs that were made to turn decisions. Returns
  /// true when it saw anything new.
  bool add(const ReplayResult& result, bool directed = false);

  bool open(int kernel) const;
  bool open(int kernel, int decision) const;
  const KernelDecision* decision(int kernel, int number) const;
  /// Values that may turn the decisions of these kernels that are still open.
  std::vector<TurningValues> turning(const std::vector<int>& kernels) const;
  /// The first decision that directed inputs have turned since `before`, an earlier copy of this object.
  const KernelDecision* turned_since(const PathCoverage& before) const;

  /// {"sites", "both", "directed", "one_sided": [{"line", "what"}, …]}. Decisions with equal line and text
  /// count once; at most eight are listed. None where no kernel was examined.
  std::optional<nlohmann::json> to_json() const;

 private:
  struct Kernel {
    std::vector<KernelDecision> decisions;
    std::vector<bool> directed;  // whether only directed inputs saw both ways
    bool asked = false, seen = false;
  };
  std::vector<Kernel> kernels_;
  std::vector<TurningValues> turning_;
};

}  // namespace trl::runtime
