#pragma once
// Carries out a launch plan on the executor, which checks memory accesses.
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/executor/executor.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/tasks/domain.hpp"

namespace trl::runtime {

/// The contents of an input that is too large to be held in memory. Each element is computed when it is
/// needed, from the key and the element's number (Domain::draw_at).
struct DrawnContents {
  ElementType type = ElementType::f32;
  std::int64_t elements = 0;
  std::int64_t width = 1;  ///< elements of a row
  Domain domain;
  double factor = 1;
  RandomKey key;

  std::int64_t bytes() const { return elements * bytes_of(type); }
  /// Returns the element as it is in memory, rounded to its type.
  std::array<std::byte, 8> element(std::int64_t number) const;
};

/// The bytes of an input, as the plan's buffer holds them.
struct InputData {
  std::string name;
  std::vector<std::byte> bytes;  ///< empty if `drawn` is set
  std::optional<DrawnContents> drawn = {};
};

/// A defect that a replay found. `kind` becomes the verdict's `reason`.
struct ReplayFinding {
  std::string kind;
  std::string message;
  int line = 0;
  bool memory = false;  ///< whether it is a memory error alone; protocols that tolerate such errors then
                        ///< judge the values
};

/// The last writer of one element of the output:
/// - nobody: the element was never written;
/// - kernel: a kernel wrote it;
/// - host: a fill step or address step of the plan wrote it;
/// - input: it comes from an input of the task that no kernel has changed.
///
/// A copied element keeps its writer.
enum class Writer : std::uint8_t { nobody = 0, kernel = 1, host = 2, input = 3 };

/// An operation in a kernel, for messages: one in the chain that led to a NaN or infinity ("exp(120.5) is
/// inf"), or one with undefined results ("a shift by 32 bits or more").
struct OriginStep {
  std::string what;
  int line = 0;
};

/// A decision in a kernel that depends on loaded values, such as a comparison (executor/paths/paths.hpp).
/// `ways` holds the outcomes seen, as bits: 1 if the condition was true, 2 if it was false.
struct KernelDecision {
  std::string what;  ///< a description, such as "comparison < -9"
  int line = 0;
  std::uint8_t ways = 0;
};

/// A range of numbers, from `low` to `high`, that should change a decision's outcome if such a number is put
/// into all of `inputs` at corresponding positions.
struct TurningValues {
  int kernel = 0;
  int decision = 0;
  /// Indices of the task's inputs. Empty: the decision reads a temporary buffer, and the inputs on which it
  /// depends are unknown.
  std::vector<int> inputs;
  double low = 0, high = 0;
  bool everywhere = false;  ///< whether all elements should be changed, not single ones
};

/// The decisions of one kernel, with the outcomes seen in this replay and earlier replays.
struct KernelPaths {
  int kernel = 0;
  std::vector<KernelDecision> decisions;
};

/// A program that a replay of single programs has run (ReplayOptions::sample).
struct SampledProgram {
  std::int64_t step = 0;      ///< the launch, as a number among the plan's steps
  std::uint64_t program = 0;  ///< its number in the grid, x fastest
  std::uint64_t of = 0;       ///< the number of the grid's programs
  std::int64_t ended = 0;     ///< 0: it had more operations, or touched more memory, than a program may
  /// 0 if the program's results may differ from the results in a complete run of the plan: it read values
  /// that other programs may write, or used atomics. Otherwise 1.
  std::int64_t alone = 0;
  std::int64_t runs = 0;  ///< how many elements of ReplayResult::stored are its own
};

struct ReplayResult {
  std::vector<ReplayFinding> findings;
  /// For inputs that aren't held in memory: the programs that ran; the ranges of bytes that each of them
  /// stored, in this order; and the contents of these bytes when the program ended.
  std::vector<SampledProgram> sampled;
  std::vector<executor::StoredRun> stored;
  std::vector<std::byte> stored_bytes;
  /// The outputs' elements in row-major order; poison in unwritten elements. Empty if inputs aren't held.
  std::vector<double> output;
  std::vector<Writer> writers;  ///< the writer of each element of `output`
  executor::Counters counters;
  std::vector<executor::Counters> per_launch;  ///< the counters of each step of the plan, in order
  /// The operations that led to the NaN or infinity of element `ReplayOptions::explain`, beginning with the
  /// operation that computed that element; empty: unknown.
  std::vector<OriginStep> origin;
  /// The operations that had undefined results, whether or not the output depends on them.
  std::vector<OriginStep> undefined;
  std::vector<KernelPaths> paths;      ///< decisions of the launched kernels, if ReplayOptions::ways is set
  std::vector<TurningValues> turning;  ///< for decisions that haven't had both outcomes
};

struct ReplayOptions {
  std::uint8_t poison = 0xFF;
  std::uint8_t unfilled = 0;  ///< the byte that fills the disabled lanes of a masked load without `other`, as
                              ///< in executor::Options
  /// The compiler's choices that TTIR leaves open, and undefined results' bytes, as in executor::Options.
  std::uint64_t lowering = 0;
  int lowered_to_line = executor::anywhere;
  std::optional<std::uint64_t> undefined;
  int undefined_line = executor::anywhere;
  std::uint64_t order = 0;   ///< a key for the order of each launch's programs, as in executor::Options
  bool interleaved = false;  ///< as in executor::Options
  /// Whether programs that wait for each other, or divide their work by atomics, take turns by the modelled
  /// clock of an H200 (executor::Options::clock). Only the counters of such a replay are used.
  bool by_clock = false;
  bool launches =
      true;  ///< false: the kernels aren't launched, to test that the output isn't right without them
  /// Called at each launch; returns the number of threads that the launch may use. Empty: one thread. The
  /// result doesn't depend on it.
  std::function<int()> threads;
  /// The maximum number of operations of one launch and of the whole plan, counted as in executor::Limits.
  std::uint64_t launch_operations = 1'000'000'000, plan_operations = 4'000'000'000;
  /// The index of an output element whose NaN or infinity is traced back to its origin. This is slow.
  std::optional<std::size_t> explain;
  /// If not 0, only some programs of each launch run: first those in the corners of the grid, then programs
  /// that this key chooses, until `sampled_operations` are used up. Each of these programs may use
  /// `launch_operations`. This is for plans that take too long to run completely, or whose inputs are too
  /// large to be held in memory (InputData::drawn). The findings are then about memory accesses and about
  /// single programs that take too long. Uninitialised memory holds zeros, so that an index which should have
  /// been written by a program that didn't run is harmless. If inputs aren't held in memory, a program that
  /// takes too long is no finding (SampledProgram::ended), and a launch's counters are the counts of the
  /// programs that ran, scaled up to all programs.
  std::uint64_t sample = 0;
  std::uint64_t sampled_operations = 20'000'000;                           ///< limit for one launch
  std::size_t sampled_programs = std::numeric_limits<std::size_t>::max();  ///< limit for one launch
  /// In a replay of only some programs: the byte that fills memory which other programs would have written.
  std::uint8_t missing = 0;
  /// If set, the outcomes of decisions are recorded. ways[kernel] holds the outcomes of earlier replays, one
  /// byte (`KernelDecision::ways`) for each decision of the kernel; it may be empty.
  std::optional<std::vector<std::vector<std::uint8_t>>> ways;
  /// The kernels for whose decisions `ReplayResult::turning` is computed.
  std::vector<int> turn;
  /// Limits of the replay in CPU seconds, measured in the process that carries it out, and in seconds in
  /// which that process sleeps.
  double cpu_seconds = std::numeric_limits<double>::infinity();
  double asleep_seconds = std::numeric_limits<double>::infinity();
  std::function<bool()> cancelled;
};

/// Carries out the plan's steps in order. `modules[i]` is the parsed kernel i. Inputs are read-only. The
/// replay ends at the first finding that isn't a memory error alone; the first 64 memory errors are listed.
ReplayResult replay(const Plan& plan, const std::vector<executor::Module>& modules,
                    const std::vector<std::string>& kernel_names, const std::vector<InputData>& inputs,
                    const ReplayOptions& options);

/// Returns the byte offset, within the buffer, of the i-th element of a view.
std::int64_t offset_of(const BufferView& view, std::size_t i);

/// `store_element` rounds a number to an element type and writes its bytes; for integer types it truncates.
/// `load_element` reads such a number.
void store_element(ElementType type, double value, std::byte* to);
double load_element(ElementType type, const std::byte* from);

}  // namespace trl::runtime
