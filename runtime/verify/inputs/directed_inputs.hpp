#pragma once
// Inputs that make a kernel decide otherwise than drawn ones do.
#include <optional>
#include <string>
#include <vector>

#include "ground/random.hpp"
#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/inputs/path_coverage.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// A value that stands in a drawn one's place.
struct Planted {
  std::size_t input = 0, element = 0;
  double value = 0;
  int kernel = 0, decision = 0;  ///< that it should turn
};

struct DirectedInputs {
  std::vector<InputData> inputs;
  std::vector<Planted> planted;  ///< where single elements were changed
  std::string how;               ///< where all were: "all of x is about 80", "x is 30 times as large"
};

/// Makes inputs for a plan, one after another, from a trial's: first those with values that were solved for
/// in a sixteenth of their elements, then those that have them throughout, then, where nothing was solved
/// for, others that differ from drawn ones in size, sign and likeness. Ends once all decisions have gone both
/// ways.
class Direction {
 public:
  /// `kernels` are those that the plan launches; `search` says whether to go on where nothing was solved for.
  Direction(const Task& task, const Variation& variation, std::vector<InputData> drawn,
            std::vector<int> kernels, RandomKey key, bool search);

  /// The next inputs; none: no decision is open that more inputs could turn.
  std::optional<DirectedInputs> next(const PathCoverage& coverage);
  /// The last inputs were no use: the reference isn't finite there. Smaller values are tried.
  void refused() { refused_ = true; }

 private:
  enum class Phase { planted, smaller, filled, searched, done };

  std::optional<DirectedInputs> planted(const PathCoverage& coverage, double most);
  std::optional<DirectedInputs> filled(const PathCoverage& coverage);
  std::optional<DirectedInputs> searched();
  std::optional<double> drawn(std::size_t input, double low, double high);
  std::vector<std::size_t> targets(const TurningValues& values) const;
  bool open(const PathCoverage& coverage) const;
  bool searchable(const PathCoverage& coverage) const;

  const Task& task_;
  const std::vector<TensorShape> shapes_;
  const std::vector<InputData> drawn_;
  const std::vector<int> kernels_;
  RandomStream random_;
  const bool search_;
  bool picks_;  // outputs are places: equal values have no right one
  Phase phase_ = Phase::planted;
  std::vector<std::vector<std::uint8_t>> before_;  // the first inputs
  bool refused_ = false;
  std::optional<std::vector<TurningValues>> fills_;  // that are left to try
  std::size_t searches_ = 0;
};

}  // namespace trl::runtime
