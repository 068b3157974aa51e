#pragma once
// Makes inputs that turn decisions of a kernel that drawn inputs take one way alone.
#include <optional>
#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/inputs/path_coverage.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// A value that replaces a drawn one.
struct Planted {
  std::size_t input = 0, element = 0;
  double value = 0;
  int kernel = 0, decision = 0;  ///< the decision that it should turn
};

struct DirectedInputs {
  std::vector<InputData> inputs;
  std::vector<Planted> planted;  ///< where single elements were changed
  std::string how;  ///< for changes of all elements: "all of x is about 80", "x is 30 times as large"
};

/// Makes inputs for a plan, one after another, from a trial's inputs. First a sixteenth of the elements get
/// values that were solved for, then all elements do. Where nothing was solved for, other inputs follow,
/// which differ from drawn ones in magnitude, sign or number of equal values. It ends once all decisions have
/// gone both ways.
class Direction {
 public:
  /// `kernels` are the kernels that the plan launches; `search` says whether to try other inputs where no
  /// value was solved for.
  Direction(const Task& task, const Variation& variation, std::vector<InputData> drawn,
            std::vector<int> kernels, RandomKey key, bool search);

  /// The next inputs; none when no open decision could be turned by further inputs.
  std::optional<DirectedInputs> next(const PathCoverage& coverage);
  /// Tells that the last inputs were useless, because the reference isn't finite there. Smaller values are
  /// tried next.
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
  bool picks_;  // the outputs are positions of values, so equal values leave no single right answer
  Phase phase_ = Phase::planted;
  std::vector<std::vector<std::uint8_t>> before_;  // the ways seen before the first inputs were made
  bool refused_ = false;
  std::optional<std::vector<TurningValues>> fills_;  // the values that are left to try
  std::size_t searches_ = 0;
};

}  // namespace trl::runtime
