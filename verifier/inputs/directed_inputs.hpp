#pragma once
// Makes inputs that change the outcome of decisions in a kernel. A decision is, for example, a comparison of
// loaded values; with randomly drawn inputs some decisions always have the same outcome.
#include <optional>
#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/inputs/path_coverage.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// A value that replaces an element of a drawn input.
struct Planted {
  std::size_t input = 0, element = 0;
  double value = 0;
  int kernel = 0, decision = 0;  ///< the decision whose outcome the value should change
};

struct DirectedInputs {
  std::vector<InputData> inputs;
  std::vector<Planted> planted;  ///< the changed elements, if single elements were changed
  std::string how;  ///< describes a change of all elements: "all of x is about 80", "x is 30 times as large"
};

/// Makes a sequence of inputs for a plan by changing drawn inputs. The executor has solved for input values
/// that would change a decision's outcome (`TurningValues`). First a sixteenth of the elements get such
/// values, then all elements. If decisions without such values remain, the next inputs differ from the drawn
/// inputs in magnitude, sign or number of equal values. The sequence ends when all decisions have had both
/// outcomes.
class Direction {
 public:
  /// `kernels` are the kernels that the plan launches. `search`: whether to try other magnitudes and signs
  /// for decisions without solved values.
  Direction(const Task& task, const Variation& variation, std::vector<InputData> drawn,
            std::vector<int> kernels, RandomKey key, bool search);

  /// Returns the next inputs; nothing if no further inputs could change an outcome.
  std::optional<DirectedInputs> next(const PathCoverage& coverage);
  /// Reports that the last inputs were useless, because the reference isn't finite for them. The next inputs
  /// then have smaller values.
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
  bool picks_;  // whether outputs are indices of values (as of argmax), so that equal values allow several
                // right answers
  Phase phase_ = Phase::planted;
  std::vector<std::vector<std::uint8_t>> before_;  // the outcomes seen before the first inputs were made
  bool refused_ = false;
  std::optional<std::vector<TurningValues>> fills_;  // the values that haven't been tried yet
  std::size_t searches_ = 0;
};

}  // namespace trl::runtime
