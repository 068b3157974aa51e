#pragma once
// Tests whether values depend on choices that TTIR leaves to the compiler, or on results that Triton leaves
// undefined.
#include <optional>
#include <vector>

#include "verifier/compare/tolerance.hpp"
#include "verifier/examination/execution.hpp"

namespace trl::runtime {

/// One replay of a plan: its inputs, the options, the result, and the expected values.
struct Replayed {
  const Plan& plan;
  const std::vector<InputData>& inputs;
  const Expected& expected;
  const ReplayOptions& options;
  const ReplayResult& result;
};

/// Judges a replay's values and, in two cases, replays the plan again:
/// - If the values are wrong, the plan is replayed without the compiler's choices (Options::lowering is 0).
///   If the values are then right, the finding is `order_dependent`, with the line of the operation. `lines`
///   is the number of lines of the answer; 0: unknown.
/// - If the values are right and an operation had undefined results, the plan is replayed with other numbers
///   in place of these results. If the values are then wrong, the finding is `undefined_result`, with the
///   line of the operation.
///
/// Returns nothing if the values are right, whatever the compiler chooses.
std::optional<ReplayFinding> judge_replay(const Replayed& replayed, Execution& execution, int lines);

}  // namespace trl::runtime
