#include "verifier/examination/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "verifier/examination/judge.hpp"
#include "verifier/executor/values/lowering.hpp"

namespace trl::runtime {
namespace {

using executor::Lowering;

// The largest number of operations of a replay that is repeated to find out why values are wrong.
constexpr std::uint64_t most_operations = 100'000'000;

using Right = std::function<bool(const ReplayOptions&)>;

// Returns the first line up to which the compiler's choices make the values wrong; 0 if it isn't known.
int first_wrong_line(ReplayOptions options, int lines, const Right& right) {
  constexpr int most_lines = 1 << 16;
  int low = 1, high = lines > 0 ? std::min(lines, most_lines) : most_lines;
  options.lowered_to_line = high;
  if (right(options)) return 0;
  while (low < high) {
    const int middle = options.lowered_to_line = low + (high - low) / 2;
    if (right(options))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<ReplayFinding> find_dependence(const ReplayFinding& wrong, const ReplayResult& result,
                                             ReplayOptions options, int lines, const Right& right) {
  if (options.lowering == 0 || result.counters.orders + result.counters.contractions == 0 ||
      result.counters.operations > most_operations)
    return std::nullopt;
  const std::uint64_t all = std::exchange(options.lowering, 0);
  if (!right(options)) return std::nullopt;
  options.lowering = all & ~Lowering::contraction;
  const bool order = result.counters.orders > 0 && !right(options);
  if (!order) options.lowering = Lowering::contraction;
  const int line = first_wrong_line(options, lines, right);
  const char* const how =
      order
          ? "the values are right if neighbours are joined first, and wrong in the order in which a GPU's "
            "threads join or hold the elements"
          : "the values are right if a product is rounded before a sum, and wrong if the compiler contracts "
            "both to a fused multiply-add";
  return ReplayFinding{"order_dependent", fmt::format("{}: {}", how, wrong.message), line};
}

std::optional<ReplayFinding> find_undefined(const ReplayResult& result, ReplayOptions options,
                                            const Right& right) {
  if (result.undefined.empty() || !result.findings.empty()) return std::nullopt;
  // A large index or bound must not make a replay much longer than the one before it.
  options.plan_operations = 2 * result.counters.operations;
  for (const std::uint64_t number : {~std::uint64_t{0}, std::uint64_t{0x7B7B7B7B7B7B7B7B}, options.order}) {
    options.undefined = number;
    options.undefined_line = executor::anywhere;
    if (right(options)) continue;
    const auto blamed =
        std::find_if(result.undefined.begin(), result.undefined.end(), [&](const OriginStep& one) {
          options.undefined_line = one.line;
          return !right(options);
        });
    const OriginStep& one = blamed == result.undefined.end() ? result.undefined.front() : *blamed;
    return ReplayFinding{"undefined_result",
                         one.what + " has no defined result, and the output depends on it", one.line};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ReplayFinding> judge_replay(const Replayed& replayed, Execution& execution, int lines) {
  std::optional<ReplayFinding> wrong = judge_values(replayed.plan, replayed.result, replayed.expected);
  ReplayOptions options = replayed.options;
  options.turn.clear();
  options.ways.reset();
  const Right right = [&](const ReplayOptions& other) {
    const ReplayResult again = execution.replay(replayed.plan, replayed.inputs, other);
    return again.findings.empty() && !judge_values(replayed.plan, again, replayed.expected);
  };
  if (!wrong) return find_undefined(replayed.result, options, right);
  if (wrong->kind != "wrong_values" || !replayed.result.findings.empty()) return wrong;
  if (auto dependent = find_dependence(*wrong, replayed.result, options, lines, right)) return dependent;
  return wrong;
}

}  // namespace trl::runtime
