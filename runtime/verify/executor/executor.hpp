#pragma once
// The CPU interpreter of Triton's TTIR (MLIR text as `make_ttir` of Triton 3.6 prints it) on checked memory.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/verify/executor/memory.hpp"

namespace trl::executor {

namespace ir {
struct Program;
}
class Trace;

/// Why a text is not a program for the executor. `line` and `column` count from 1 and refer to the TTIR text.
struct ParseError {
  std::string message;
  int line = 0;
  int column = 0;
};

/// A parameter of a kernel: `type` is `!tt.ptr<f32>`'s `f32` for a pointer, else the scalar's type (`i32`).
struct Parameter {
  std::string name;
  std::string type;
  bool pointer = false;
};

/// A parsed TTIR module; immutable, cheap to copy, safe to share between threads.
class Module {
 public:
  explicit Module(std::shared_ptr<const ir::Program> program) : program_(std::move(program)) {}

  /// Names of the public functions, in the text's order.
  std::vector<std::string> kernels() const;
  /// Parameters of a kernel; empty when there is none of that name.
  std::vector<Parameter> parameters(std::string_view kernel) const;

  const ir::Program& program() const { return *program_; }

 private:
  std::shared_ptr<const ir::Program> program_;
};

/// Parses and checks a TTIR module. Any text is safe to pass: size, nesting and block sizes are capped.
std::variant<Module, ParseError> parse(std::string_view ttir);

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

/// All limits are deterministic: the same launch ends in the same way on any machine.
struct Limits {
  /// The maximum work of one launch. Each operation counts the number of its elements (functions such as exp
  /// count 8 per element) plus 16; an access counts 16 more for each piece of consecutive elements; a dot of
  /// M×N×K counts M·N·K/8. A launch that exceeds the limit ends with the finding `timeout`. The default limit
  /// takes a second or two; a 64×256×256 matmul needs 1 % of it.
  std::uint64_t max_operations = 1'000'000'000;
  std::uint64_t max_programs = 1 << 22;
  /// The maximum number of bytes of all blocks that are alive at once in one program; beyond it the finding
  /// is `unsupported`.
  std::uint64_t max_block_bytes = std::uint64_t{512} << 20;
  /// If set, it is called from time to time, by one thread at a time but not always the same; returning true
  /// ends the launch with the finding `timeout` (not deterministic: for deadlines).
  std::function<bool()> cancelled;
};

struct Options {
  /// True: memory errors make the report not ok. False: they are listed, but execution goes on: an
  /// out-of-bounds or uninitialised read gives poison, and an out-of-bounds write is dropped.
  bool strict = true;
  /// Stop after this many findings (each position in the source and kind counts once). Tolerant runs never
  /// stop because of memory errors, but list at most this many.
  int max_findings = 8;
  /// Whether to look for races (as README.md defines them).
  bool races = true;
  /// The byte that fills the result of an invalid read. 0xFF gives NaN in every float type. Where a NaN could
  /// be swallowed, as by maximum(NaN, 0), run a second time with another pattern (0x7B: large and finite).
  std::uint8_t poison = 0xFF;
  /// The seed of a permutation of the launch's programs; 0 is the grid's order (x fastest). A GPU promises no
  /// order, and damage by an out-of-bounds write shows only if the damaged program's own write came earlier.
  /// Where a program waits, others go on; with a seed, others sometimes go on after an atomic, too.
  std::uint64_t order = 0;
  /// If not empty, only these programs run, one after another, by their number in the grid (x fastest);
  /// numbers beyond the grid are skipped. What other programs would have written is missing then.
  std::vector<std::uint64_t> only;
  /// The number of threads that may work on the launch. Results, findings and counters don't depend on it or
  /// on timing: programs run in parallel on copies of the memory, and if one touched what another wrote, or
  /// anything was found, the launch runs again, one program after another. Kernels with atomics or volatile
  /// loads always run in that way.
  int threads = 1;
  /// Launches with less work than this many operations (estimated from their first programs) stay on one
  /// thread.
  std::uint64_t threads_from = std::uint64_t{1} << 22;
  /// If set, NaN and infinities are traced back to their origins; the launch then takes several times as long
  /// and uses one thread.
  Trace* trace = nullptr;
  /// If set, the launch records which ways each decision of the module goes (paths/paths.hpp), in one byte
  /// per decision; ways that are recorded already are not looked for again.
  std::vector<std::uint8_t>* ways = nullptr;
  Limits limits;
};

enum class Kind {
  out_of_bounds_load,
  out_of_bounds_store,
  unwritten_read,
  read_only_store,
  misaligned,  ///< an address that isn't a multiple of the element's size: a sticky error on a GPU
  race,  ///< two programs, or threads of one, touch a byte without an order, and at least one of them writes
  division_by_zero,
  assertion,
  unsupported,  ///< the kernel needs something that the executor refuses, such as a pointer as an integer or
                ///< a huge block
  launch,       ///< the arguments or the grid don't match the kernel
  timeout,
  deadlock,  ///< a program waits for something that no other program will do
};

/// The kind's name as a verdict's reason: "out_of_bounds_load"…
std::string_view name(Kind kind);
/// Whether the kind concerns memory alone: tolerant runs go on after it.
bool is_memory_error(Kind kind);

/// A place in the candidate's source; line 0: unknown. Lines and columns count from 1.
struct Source {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The other program of a race (or the same one, when its threads race), and where it accessed the address.
struct OtherProgram {
  std::uint32_t program[3] = {0, 0, 0};
  Source source;
};

struct Finding {
  Kind kind = Kind::unsupported;
  std::string message;  ///< one sentence: "load of 4 bytes at offset 16384 of x (16384 bytes)"
  std::string file;     ///< of the candidate, according to its debug locations
  int line = 0;         ///< from 1; 0 unknown
  int column = 0;
  std::uint32_t program[3] = {0, 0, 0};
  int buffer = -1;  ///< -1 when no buffer is involved
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::optional<OtherProgram> other;  ///< for a race, if known
};

/// What a launch did. A sector is 32 bytes; one access of a block counts each sector once.
struct Counters {
  std::uint64_t launches = 0;
  std::uint64_t programs = 0;
  std::uint64_t operations = 0;  ///< element operations, counted as in Limits
  std::uint64_t loads = 0;       ///< loads of blocks (an atomic counts as a load and a store)
  std::uint64_t stores = 0;
  std::uint64_t sectors_read = 0;  ///< sum over all accesses: traffic to L2
  std::uint64_t sectors_written = 0;
  std::uint64_t sectors_read_first = 0;  ///< distinct sectors in the launch: the minimum traffic to DRAM
  std::uint64_t sectors_written_first = 0;
  std::uint64_t bytes_read = 0;  ///< of the loaded elements themselves
  std::uint64_t bytes_written = 0;
  std::uint64_t flops = 0;      ///< float operations outside dots, one per element
  std::uint64_t dot_flops = 0;  ///< 2·M·N·K per dot
  std::uint64_t dots = 0;
  /// Loads of blocks in which a mask disabled lanes and there was no `other` for them. Triton's documentation
  /// leaves these lanes undefined; for sm_80 and later its code sets them to 0, and so does the executor.
  /// They are counted, but no candidate fails for them.
  std::uint64_t unfilled_loads = 0;

  Counters& operator+=(const Counters& other);
};

struct Report {
  bool ok = true;
  std::vector<Finding> findings;
  Counters counters;
  int threads = 1;  ///< the number of threads that computed the result; nothing else depends on it
};

/// Runs all programs of a launch, with the same result as one after another in the order of the options.
/// Never throws. Deterministic in (module, launch, memory, options) unless `limits.cancelled` is set.
Report run(const Module& module, const Launch& launch, Memory& memory, const Options& options = {});

}  // namespace trl::executor
