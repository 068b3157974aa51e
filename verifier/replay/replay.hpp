#pragma once
// Carries out a launch plan on the executor's checked memory.
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verifier/executor/executor.hpp"
#include "verifier/plan/plan.hpp"

namespace trl::runtime {

/// An input's bytes in the form of the plan's buffer.
struct InputData {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Something wrong that a replay found; `kind` is a verdict's reason.
struct ReplayFinding {
  std::string kind;
  std::string message;
  int line = 0;
  bool memory = false;  ///< whether it concerns memory alone: tolerant verdicts then depend on the values
};

/// The last writer of one element of the output. An element that the framework copies keeps its writer;
/// `input` is a task's input that no kernel has changed.
enum class Writer : std::uint8_t { nobody = 0, kernel = 1, host = 2, input = 3 };

/// An operation on the way to a NaN or infinity: "exp(120.5) is inf".
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

/// Numbers from `low` to `high` that should turn a decision if they are put into all of `inputs` at
/// corresponding positions.
struct TurningValues {
  int kernel = 0;
  int decision = 0;
  /// Indices of the task's inputs. Empty: the values are in a temporary, and it is unknown on which inputs
  /// they depend.
  std::vector<int> inputs;
  double low = 0, high = 0;
  bool everywhere = false;  ///< whether all elements should be changed, not single ones
};

/// The decisions of one kernel of the recording, seen in this replay and earlier ones.
struct KernelPaths {
  int kernel = 0;
  std::vector<KernelDecision> decisions;
};

struct ReplayResult {
  std::vector<ReplayFinding> findings;
  std::vector<double> output;   ///< in the output view's order; poison where nothing was written
  std::vector<Writer> writers;  ///< one per element
  executor::Counters counters;
  std::vector<executor::Counters> per_launch;  ///< of kernels, copies and fills, in their order
  /// Where the NaN or infinity of the element that was asked for comes from, beginning with the element's own
  /// operation; empty: unknown.
  std::vector<OriginStep> origin;
  std::vector<KernelPaths> paths;      ///< of the launched kernels, where asked for
  std::vector<TurningValues> turning;  ///< for decisions that have not gone both ways
};

struct ReplayOptions {
  std::uint8_t poison = 0xFF;
  std::uint8_t unfilled =
      0;  ///< the byte in lanes that a mask disables without an `other`, as in executor::Options
  std::uint64_t order = 0;  ///< the order of each launch's programs, as in executor::Options
  bool launches = true;     ///< false: the plan runs without its kernels, which must not give the answer
  /// Called at each launch for the number of threads that it may use; empty: one thread. It changes nothing
  /// but the time.
  std::function<int()> threads;
  /// Limits for one launch and for the whole plan, counted as in executor::Limits.
  std::uint64_t launch_operations = 1'000'000'000, plan_operations = 4'000'000'000;
  /// An element of the output whose NaN or infinity is traced back; slow.
  std::optional<std::size_t> explain;
  /// If not 0, only some programs of each launch run, and each may use `launch_operations`: the first, the
  /// last, and others that this key draws until `sampled_operations` are used up. For plans that are too long
  /// to run completely. Findings then are about memory accesses and about single programs that are too long.
  /// The output's values differ from the whole plan's. Uninitialised memory holds zeros, so that an index
  /// which a program that didn't run would have written leads nowhere harmful.
  std::uint64_t sample = 0;
  std::uint64_t sampled_operations = 20'000'000;  ///< of one launch
  /// If set, which ways decisions go is recorded: ways[kernel] are the ways of earlier replays, a byte for
  /// each decision of the kernel, or nothing.
  std::optional<std::vector<std::vector<std::uint8_t>>> ways;
  /// Also searches for values that turn decisions of these kernels.
  std::vector<int> turn;
  /// Limits: CPU seconds, as the process that carries it out counts them, and wall time.
  double cpu_seconds = std::numeric_limits<double>::infinity();
  double wall_seconds = std::numeric_limits<double>::infinity();
  std::function<bool()> cancelled;
};

/// Carries out the plan's steps in order. `modules[i]` is kernel i, parsed. Inputs are read-only. Ends at the
/// first finding that is not about memory, and lists the first 64 that are.
ReplayResult replay(const Plan& plan, const std::vector<executor::Module>& modules,
                    const std::vector<std::string>& kernel_names, const std::vector<InputData>& inputs,
                    const ReplayOptions& options);

/// Byte offset in its buffer of the i-th element of a view.
std::int64_t offset_of(const BufferView& view, std::size_t i);

/// Rounds a number to an element type and writes its bytes, or reads it back. Integers are truncated.
void store_element(ElementType type, double value, std::byte* to);
double load_element(ElementType type, const std::byte* from);

}  // namespace trl::runtime
