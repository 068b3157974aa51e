#pragma once
// Which decisions of a candidate's kernels its trials have seen go both ways (executor/paths/paths.hpp).
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// What all replays of a candidate saw together. What a replay says is read as a candidate's word.
class PathCoverage {
 public:
  explicit PathCoverage(std::size_t kernels = 0) : kernels_(kernels) {}

  /// For ReplayOptions: what is known so far.
  std::vector<std::vector<std::uint8_t>> ways() const;
  /// Of these kernels, those whose turning values nobody has asked for. They count as asked for then.
  std::vector<int> unasked(const std::vector<int>& kernels);
  /// Adds what a replay saw; `directed`: on inputs that were made to turn decisions. True when that was more.
  bool add(const ReplayResult& result, bool directed = false);

  bool open(int kernel) const;
  bool open(int kernel, int decision) const;
  const KernelDecision* decision(int kernel, int number) const;
  /// Values for the decisions of these kernels that are open still.
  std::vector<TurningValues> turning(const std::vector<int>& kernels) const;
  /// The first decision that was turned by directed inputs since `before`, a copy of this.
  const KernelDecision* turned_since(const PathCoverage& before) const;

  /// {"sites", "both", "directed", "one_sided": [{"line", "what"}, …]}: decisions of equal lines and words
  /// count once, at most eight are listed. None where no kernel was looked at.
  std::optional<nlohmann::json> to_json() const;

 private:
  struct Kernel {
    std::vector<KernelDecision> decisions;
    std::vector<bool> directed;  // directed inputs saw what others hadn't
    bool asked = false, seen = false;
  };
  std::vector<Kernel> kernels_;
  std::vector<TurningValues> turning_;
};

}  // namespace trl::runtime
