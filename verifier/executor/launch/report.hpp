#pragma once
// The result of a launch: its findings and the work that was counted.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::executor {

enum class Kind {
  out_of_bounds_load,
  out_of_bounds_store,
  unwritten_read,
  read_only_store,
  misaligned,  ///< an address that isn't a multiple of the element's size: a sticky error on a GPU
  race,  ///< two programs, or threads of a program, access a byte without an order, and at least one writes
  stray_store,  ///< a store so far out of bounds that it is no tail of a block: another tensor may be there
  division_by_zero,
  assertion,
  untrue_hint,  ///< a number breaks a promise that the kernel makes the compiler about it (tl.multiple_of and
                ///< the like)
  unsupported,  ///< the kernel needs something that the executor refuses, such as a pointer as an integer or
                ///< a huge block
  launch,       ///< the arguments or the grid don't match the kernel
  timeout,
  deadlock,  ///< a program waits for something that no other program will do
};

/// Returns the kind's name, which verdicts use as their reason: "out_of_bounds_load" and so on. A stray store
/// is an "out_of_bounds_store", too.
std::string_view name(Kind kind);
/// Whether the kind is a memory error. A run that isn't strict (Options::strict) goes on after such an error.
bool is_memory_error(Kind kind);

/// A position in the candidate's source. Lines and columns count from 1; line 0 means that it is unknown.
struct Source {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The second program of a race, which is the same program when its threads race, and the position in the
/// source of that program's access.
struct OtherProgram {
  std::uint32_t program[3] = {0, 0, 0};
  Source source;
};

struct Finding {
  Kind kind = Kind::unsupported;
  std::string message;  ///< one sentence: "load of 4 bytes at offset 16384 of x (16384 bytes)"
  std::string file;     ///< the source file, according to the kernel's debug locations
  int line = 0;         ///< from 1; 0: unknown
  int column = 0;
  std::uint32_t program[3] = {0, 0, 0};
  int buffer = -1;  ///< -1 when no buffer is involved
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::optional<OtherProgram> other;  ///< for a race: the second program, if known
};

/// The counted work of one program, in the units of Counters.
struct ProgramWork {
  std::uint64_t loads = 0;
  std::uint64_t sectors = 0;   ///< read and written
  std::uint64_t distinct = 0;  ///< of these, sectors that the program hadn't touched before
  std::uint64_t steps = 0;
  std::uint64_t lanes = 0;
  std::uint64_t flops = 0;
  std::uint64_t dot_flops = 0;

  ProgramWork& operator+=(const ProgramWork& other);
  ProgramWork& operator-=(const ProgramWork& other);
};

/// Returns the larger of both for each count.
ProgramWork largest(const ProgramWork& a, const ProgramWork& b);

/// The counted work of a launch. A sector is 32 bytes of memory. A load or store counts each sector that it
/// touches once, however many bytes of the sector it touches; an atomic counts the sector as read and as
/// written.
struct Counters {
  std::uint64_t launches = 0;
  std::uint64_t programs = 0;
  std::uint64_t operations = 0;  ///< element operations, counted as in Limits
  std::uint64_t loads = 0;       ///< loads of blocks (an atomic counts as a load and a store)
  std::uint64_t stores = 0;
  std::uint64_t sectors_read = 0;  ///< sum over all accesses: the traffic to the L2 cache
  std::uint64_t sectors_written = 0;
  std::uint64_t sectors_read_first = 0;  ///< distinct sectors in the launch: the minimum traffic to DRAM
  std::uint64_t sectors_written_first = 0;
  std::uint64_t sectors_by_program = 0;  ///< sum over programs of the distinct sectors read and written
  std::uint64_t bytes_read = 0;          ///< sum of the sizes of the loaded elements
  std::uint64_t bytes_written = 0;
  std::uint64_t flops = 0;      ///< float operations outside dots, one per element
  std::uint64_t dot_flops = 0;  ///< 2·M·N·K per dot of [M, K] and [K, N]
  std::uint64_t dots = 0;
  /// The number of arithmetic operations on blocks. A reduction or scan counts as several, since its threads
  /// exchange values.
  std::uint64_t steps = 0;
  std::uint64_t lanes = 0;  ///< elements of this arithmetic, integers included; slow functions count several
  /// The number of operations whose result may depend on other programs: atomics whose result the program
  /// uses, volatile loads, and waits.
  std::uint64_t asks = 0;
  std::uint64_t same_place = 0;  ///< the most atomics of elements that one place in memory got in the launch
  ProgramWork most;              ///< for each count, the largest that one program has
  std::uint64_t clock_ns = 0;    ///< when the last program ended by Options::clock; 0 without a clock
  /// The number of loads of blocks in which a mask disabled elements and there was no `other`. Triton's
  /// documentation leaves these elements undefined; Triton's code for sm_80 and later sets them to 0, and so
  /// does the executor (`Options::unfilled`). Such loads are counted, but are no findings.
  std::uint64_t unfilled_loads = 0;
  /// The number of results that are undefined (Report::undefined), whether or not anything depends on them.
  std::uint64_t undefined = 0;
  /// The number of operations that join or reorder elements in an order that a compiler chooses, and the
  /// number of operations that it may contract.
  std::uint64_t orders = 0, contractions = 0;

  /// Adds the work of other programs. For `most`, `same_place` and `clock_ns`, the larger value is kept
  /// instead of the sum.
  Counters& operator+=(const Counters& other);
};

/// Estimates the counters of a whole launch of which only `counters.programs` programs have run: multiplies
/// the counts so that they stand for all `programs` programs. `sectors` is the number of sectors of memory
/// that the launch may touch, an upper bound of the distinct sectors that it reads or writes.
Counters extrapolated(Counters counters, std::uint64_t programs, std::uint64_t sectors);

/// An operation with undefined results.
struct UndefinedResult {
  std::string what;  ///< "a shift by 32 bits or more"
  Source source;
};

/// Returns the counts that are also kept for each program.
ProgramWork work_of(const Counters& counters);
struct Report {
  bool ok = true;
  std::vector<Finding> findings;
  Counters counters;
  std::vector<UndefinedResult> undefined;  ///< by position in the text, at most 16
  int threads = 1;  ///< the number of threads that computed the result; the other fields don't depend on it
};

}  // namespace trl::executor
