#pragma once
// Tests whether values depend on Triton's choices for the compiler, or on results that it leaves undefined.
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

/// Judges a replay's values, and replays the plan again where that says more:
/// - Wrong values are judged again without the compiler's choices. If they are right then, the finding is
///   `order_dependent`, with the line of the operation. `lines`: the lines of the answer; 0: unknown.
/// - Right values are judged again with other numbers in the places of undefined results, if there were any.
///   If they are wrong then, the finding is `undefined_result`, with the line of the operation.
///
/// Returns nothing if the values are right, whatever the compiler does.
std::optional<ReplayFinding> judge_replay(const Replayed& replayed, Execution& execution, int lines);

}  // namespace trl::runtime
