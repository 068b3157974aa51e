#pragma once
// What a launch is asked for.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace trl::executor {

class Trace;

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

/// Every limit is deterministic: the same launch ends the same way on any machine.
struct Limits {
  /// Work of one launch: each operation counts its elements (functions as exp 8 times) and 16 more, an access
  /// 16 more for each piece of consecutive elements, a dot of M×N×K counts M·N·K/8. Beyond it the launch ends
  /// in the finding `timeout`. The default takes a second or two; a 64×256×256 matmul needs 1 % of it.
  std::uint64_t max_operations = 1'000'000'000;
  std::uint64_t max_programs = 1 << 22;
  /// Bytes of all blocks that are alive at once in one program; beyond it the finding is `unsupported`.
  std::uint64_t max_block_bytes = std::uint64_t{512} << 20;
  /// Asked now and then when set, by one thread at a time but not always the same; true ends the launch with
  /// the finding `timeout` (not deterministic: for deadlines).
  std::function<bool()> cancelled;
};

struct Options {
  /// True: memory errors make the report not ok. False: they are listed, and execution goes on all the same:
  /// a stray or unwritten read gives poison, a stray write goes nowhere.
  bool strict = true;
  /// Stop after this many findings (each place in the source and kind counts once). Tolerant runs never stop
  /// for one of memory but list at most these.
  int max_findings = 8;
  /// Look for races (README.md says what they are).
  bool races = true;
  /// Byte that fills what a stray read returns. 0xFF gives NaN in every float type; run twice with another
  /// pattern (0x7B: large and finite) where a NaN could be swallowed by maximum(NaN, 0).
  std::uint8_t poison = 0xFF;
  /// Seed of a permutation of the launch's programs; 0: the grid's order (x fastest). A GPU promises no
  /// order, and what a stray write damages shows only where the damaged program's own write came first. Where
  /// a program waits others go on, and with a seed so they sometimes do after an atomic.
  std::uint64_t order = 0;
  /// When not empty: these programs alone, by their number in the grid (x fastest), one after another;
  /// numbers beyond the grid are passed over. What other programs would have written is not there then.
  std::vector<std::uint64_t> only;
  /// Threads that may work on the launch. Results, findings and counters are those of one thread, whatever
  /// the number and the timing: programs run at once on copies of the memory, and where one touched what
  /// another wrote, or anything was found, the launch is run again one program after another. Kernels with
  /// atomics or volatile loads always run so.
  int threads = 1;
  /// Launches of less work than this many operations (estimated from their first programs) stay on one
  /// thread.
  std::uint64_t threads_from = std::uint64_t{1} << 22;
  /// Follows NaN and Inf to where they came from when set; the launch then takes several times as long and
  /// one thread.
  Trace* trace = nullptr;
  /// Where the launch notes which ways each decision of the module goes (paths/paths.hpp), one byte a
  /// decision, when set; ways that are there already are looked for no more.
  std::vector<std::uint8_t>* ways = nullptr;
  Limits limits;
};

}  // namespace trl::executor
