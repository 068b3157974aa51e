#pragma once
// Carries out a launch plan on the executor's checked memory.
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/executor/executor.hpp"
#include "runtime/verify/plan/plan.hpp"

namespace trl::runtime {

/// An input as the plan's buffer holds it.
struct InputData {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Something wrong that a replay found; `kind` as verdicts write reasons.
struct ReplayFinding {
  std::string kind;
  std::string message;
  int line = 0;
  bool memory = false;  ///< concerns memory alone: tolerant verdicts look at the values
};

/// One element of the output: its value, and who wrote it last. What the framework copies keeps its writer;
/// `input`: it is a task's input, untouched by any kernel.
enum class Writer : std::uint8_t { nobody = 0, kernel = 1, host = 2, input = 3 };

/// An operation on the way to a NaN or Inf: "exp(120.5) is inf".
struct OriginStep {
  std::string what;
  int line = 0;
};

/// A decision by loaded values in a kernel (executor/paths/paths.hpp) and which ways it went: 1 one way (a
/// condition holds), 2 the other, 3 both.
struct KernelDecision {
  std::string what;  ///< "comparison < -9"
  int line = 0;
  std::uint8_t ways = 0;
};

/// Numbers from `low` to `high` that should turn a decision where they stand in `inputs`, at corresponding
/// places.
struct TurningValues {
  int kernel = 0;
  int decision = 0;
  std::vector<int> inputs;  ///< of the task; empty: in a temporary, which hangs on nobody knows which
  double low = 0, high = 0;
  bool everywhere = false;  ///< not in single elements but throughout
};

/// The decisions of one kernel of the recording, in a replay and those before it.
struct KernelPaths {
  int kernel = 0;
  std::vector<KernelDecision> decisions;
};

struct ReplayResult {
  std::vector<ReplayFinding> findings;
  std::vector<double> output;   ///< in the output view's order; poison where nobody wrote
  std::vector<Writer> writers;  ///< one an element
  executor::Counters counters;
  std::vector<executor::Counters> per_launch;  ///< of kernels, copies and fills, in their order
  std::vector<OriginStep> origin;      ///< of the element asked for, its operation first; empty: unknown
  std::vector<KernelPaths> paths;      ///< of the kernels launched, where they were asked for
  std::vector<TurningValues> turning;  ///< for decisions that have not gone both ways
};

struct ReplayOptions {
  std::uint8_t poison = 0xFF;
  std::uint64_t order = 0;  ///< of each launch's programs, as executor::Options says
  bool launches = true;     ///< false: the plan without its kernels, which must not give the answer
  /// Threads that a launch may take, asked at each; none: one. They change nothing but the time.
  std::function<int()> threads;
  /// Of one launch, and of all that a plan has together, as executor::Limits counts.
  std::uint64_t launch_operations = 1'000'000'000, plan_operations = 4'000'000'000;
  std::optional<std::size_t> explain;  ///< an element of the output whose NaN or Inf is followed back; slow
  /// Not 0: of each launch some programs alone run, each with `launch_operations` for itself: the first, the
  /// last, and others that this key draws, as far as `sampled_operations` lead. For plans that are too long
  /// to run: findings tell of accesses to memory, and of programs that are too long alone. Values are not
  /// those of the plan; memory that nobody has written holds zeros, so that an index which a left out program
  /// would have written leads nowhere.
  std::uint64_t sample = 0;
  std::uint64_t sampled_operations = 20'000'000;  ///< of one launch
  /// Notes which ways decisions go, when set: ways[kernel] are those of earlier replays, a byte for each
  /// decision of the kernel, or nothing.
  std::optional<std::vector<std::vector<std::uint8_t>>> ways;
  /// Also looks for values that turn decisions of these kernels.
  std::vector<int> turn;
  /// What it may take: seconds of computing, as whoever carries it out counts them, and of the wall clock.
  double cpu_seconds = std::numeric_limits<double>::infinity();
  double wall_seconds = std::numeric_limits<double>::infinity();
  std::function<bool()> cancelled;
};

/// Runs the plan's steps in order. `modules[i]` is kernel i parsed. Inputs can't be written. Ends at the
/// first finding that is not about memory; lists the first 64 that are.
ReplayResult replay(const Plan& plan, const std::vector<executor::Module>& modules,
                    const std::vector<std::string>& kernel_names, const std::vector<InputData>& inputs,
                    const ReplayOptions& options);

/// Where element number i of a view, in order, begins in its buffer.
std::int64_t offset_of(const BufferView& view, std::size_t i);

/// A number rounded to an element type and written to bytes, and back. Integers are truncated.
void store_element(ElementType type, double value, std::byte* to);
double load_element(ElementType type, const std::byte* from);

}  // namespace trl::runtime
