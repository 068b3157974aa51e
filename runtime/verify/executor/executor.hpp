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

/// Why a text is not a program for the executor. `line` and `column` count from 1 and are into the TTIR text.
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

enum class Kind {
  out_of_bounds_load,
  out_of_bounds_store,
  unwritten_read,
  read_only_store,
  misaligned,  ///< an address that isn't a multiple of the element's size: a sticky error on a GPU
  race,        ///< two programs, or threads of one, touch a byte in no order, and at least one writes it
  division_by_zero,
  assertion,
  unsupported,  ///< the kernel asks for something that the executor refuses (a pointer as a number, a huge
                ///< block)
  launch,       ///< the arguments or the grid don't fit the kernel
  timeout,
  deadlock,  ///< a program waits for what no other one does
};

/// The kind's name as verdicts write it: "out_of_bounds_load"…
std::string_view name(Kind kind);
/// True for what only concerns memory: tolerant runs go on after it.
bool is_memory_error(Kind kind);

/// A place in the candidate's source; line 0: unknown. Lines and columns count from 1.
struct Source {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The other program of a race (the same one when its threads race), and where it touched the address.
struct OtherProgram {
  std::uint32_t program[3] = {0, 0, 0};
  Source source;
};

struct Finding {
  Kind kind = Kind::unsupported;
  std::string message;  ///< one sentence: "load of 4 bytes at offset 16384 of x (16384 bytes)"
  std::string file;     ///< of the candidate, as its debug locations say
  int line = 0;         ///< from 1; 0 unknown
  int column = 0;
  std::uint32_t program[3] = {0, 0, 0};
  int buffer = -1;  ///< -1 when it is about no buffer
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::optional<OtherProgram> other;  ///< of a race, where it is known
};

/// What a launch did. A sector is 32 bytes; one access of a block counts each sector once.
struct Counters {
  std::uint64_t launches = 0;
  std::uint64_t programs = 0;
  std::uint64_t operations = 0;  ///< element operations, as Limits counts them
  std::uint64_t loads = 0;       ///< block-level loads (atomics count as a load and a store)
  std::uint64_t stores = 0;
  std::uint64_t sectors_read = 0;  ///< summed over accesses: traffic to L2
  std::uint64_t sectors_written = 0;
  std::uint64_t sectors_read_first = 0;  ///< distinct in the launch: the least traffic to DRAM
  std::uint64_t sectors_written_first = 0;
  std::uint64_t bytes_read = 0;  ///< of the elements themselves
  std::uint64_t bytes_written = 0;
  std::uint64_t flops = 0;      ///< float operations outside dots, one an element
  std::uint64_t dot_flops = 0;  ///< 2·M·N·K a dot
  std::uint64_t dots = 0;
  /// Block-level loads with lanes that a mask left out and no `other` for them. Triton's documents leave
  /// these lanes undefined; what it makes of them for sm_80 and later is 0, and so it is here. A note that
  /// refuses nothing.
  std::uint64_t unfilled_loads = 0;

  Counters& operator+=(const Counters& other);
};

struct Report {
  bool ok = true;
  std::vector<Finding> findings;
  Counters counters;
  int threads = 1;  ///< that the result came from; nothing else depends on it
};

/// Runs all programs of a launch, as if one after another in the order that the options say. Never throws.
/// Deterministic in (module, launch, memory, options) unless `limits.cancelled` is set.
Report run(const Module& module, const Launch& launch, Memory& memory, const Options& options = {});

}  // namespace trl::executor
