#pragma once
// The arguments and options of a launch.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace trl::executor {

class Trace;
struct GpuModel;

/// A pointer argument: byte `offset` into buffer number `buffer` of the Memory.
struct PointerArg {
  int buffer = 0;
  std::int64_t offset = 0;
};

using Argument = std::variant<PointerArg, bool, std::int32_t, std::int64_t, float, double>;

struct Launch {
  std::string kernel;  ///< name of a public function; empty: the module's only one
  std::uint32_t grid[3] = {1, 1, 1};
  std::vector<Argument> args;  ///< in the order of the TTIR function's parameters
};

/// Limits of a launch. All except `cancelled` are deterministic: the same launch ends in the same way on any
/// machine.
struct Limits {
  /// The maximum work of one launch. Each operation counts the number of its elements (functions such as exp
  /// count 8 per element) plus 16; an access counts 16 more for each piece of consecutive elements; a dot of
  /// M×N×K counts M·N·K/8. A launch that exceeds the limit ends with the finding `timeout`. The default limit
  /// is reached after a second or two; a 64×256×256 matmul needs 1 % of the default.
  std::uint64_t max_operations = 1'000'000'000;
  std::uint64_t max_programs = 1 << 22;
  /// The maximum number of bytes of all blocks that are alive at once in one program; beyond it the finding
  /// is `unsupported`.
  std::uint64_t max_block_bytes = std::uint64_t{512} << 20;
  /// If set, it is called from time to time, by one thread at a time but not always the same; returning true
  /// ends the launch with the finding `timeout` (not deterministic: for deadlines).
  std::function<bool()> cancelled;
};

/// Any line of the source.
constexpr int anywhere = std::numeric_limits<int>::max();

/// Consecutive bytes of a buffer that a program has stored.
struct StoredRun {
  std::int64_t buffer = 0, offset = 0, bytes = 0;
};

struct Options {
  /// True: memory errors make the report not ok. False: they are listed, but execution goes on: an
  /// out-of-bounds or uninitialised read gives poison, and an out-of-bounds write is dropped.
  bool strict = true;
  /// Execution stops after this many findings (each kind counts once for each position in the source).
  /// Tolerant runs don't stop because of memory errors, but list at most this many.
  int max_findings = 8;
  /// Whether to look for races (as README.md defines them).
  bool races = true;
  /// The byte that fills the result of an invalid read. 0xFF gives NaN in every float type. A kernel may
  /// swallow a NaN, as maximum(NaN, 0) does; to find such reads, run the launch again with another pattern
  /// (0x7B: large and finite).
  std::uint8_t poison = 0xFF;
  /// The byte that fills the disabled lanes of a masked load without `other`. Compiled kernels have 0 there.
  /// A replay with another byte shows whether a kernel relies on the zeros.
  std::uint8_t unfilled = 0;
  /// The seed of a permutation of the launch's programs; 0 is the grid's order (x fastest). A GPU guarantees
  /// no order, and an out-of-bounds write to another program's output shows only if that program had written
  /// its output before. When a program waits, another program continues; with a seed other than 0, another
  /// program sometimes continues after an atomic, too.
  std::uint64_t order = 0;
  /// A key from which the choices are derived that TTIR leaves to the compiler (values/lowering.hpp): the
  /// orders of reductions and scans, the places of elements that may be reordered, and the contraction to
  /// fused multiply-add. With 0, neighbours are joined, and nothing is reordered or contracted. Operations
  /// behind line `lowered_to_line` of the source are always carried out as with 0.
  std::uint64_t lowering = 0;
  int lowered_to_line = anywhere;
  /// The bytes that replace undefined results: of shifts by the width or more, divisions by zero or with
  /// overflow, and floats that don't fit an integer. Empty: the results of PTX, as far as PTX defines them.
  /// If `undefined_line` is set, only results of that line are replaced.
  std::optional<std::uint64_t> undefined;
  int undefined_line = anywhere;
  /// Runs the programs in a way that makes races change values. Many programs begin, in the reverse of
  /// `order`. Each program is suspended after it has read memory that the launch may write, and the program
  /// that was suspended last continues first. The elements of one store are written in reverse order, too.
  bool interleaved = false;
  /// If not empty, only these programs run, one after another. A program is given by its number in the grid
  /// (x fastest); numbers beyond the grid are skipped. The writes of the other programs are missing then.
  std::vector<std::uint64_t> only;
  /// If set, the launch appends the ranges of bytes of paged buffers (Memory::add_paged) that it stores, in
  /// the order of the stores, up to `most_stored` bytes in all. Atomics aren't recorded.
  std::vector<StoredRun>* stored = nullptr;
  std::int64_t most_stored = std::int64_t{1} << 18;
  /// The number of threads that may work on the launch. Results, findings and counters don't depend on this
  /// number or on timing: threads run programs in parallel on copies of the memory. If one thread touched
  /// bytes that another thread wrote, or there was any finding, these programs run again on one thread, one
  /// after another. Kernels with atomics or volatile loads always use one thread.
  int threads = 1;
  /// Launches with less work than this many operations (estimated from the launch's first programs) use one
  /// thread.
  std::uint64_t threads_from = std::uint64_t{1} << 22;
  /// If set, the launch records the origins of NaN and infinities there; it then takes several times as long
  /// and uses one thread.
  Trace* trace = nullptr;
  /// If set, the launch records there the ways in which each decision of the module goes (paths/paths.hpp),
  /// one byte per decision. Ways that are recorded already are not looked for again.
  std::vector<std::uint8_t>* ways = nullptr;
  /// If set, programs that wait for each other, or divide their work by atomics, take turns as they would on
  /// this GPU: the program with the earliest modelled time continues. This serves to model their time;
  /// `order` then only decides in which order programs begin.
  const GpuModel* clock = nullptr;
  Limits limits;
};

}  // namespace trl::executor
