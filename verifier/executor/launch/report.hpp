#pragma once
// The counted work of a launch, and its findings.
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

/// The counted work of a launch. A sector is 32 bytes; one access of a block counts each sector once.
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
  /// leaves these lanes undefined; for sm_80 and later its code sets them to 0, and so does the executor
  /// (`Options::unfilled`). They are counted, but no candidate fails for them.
  std::uint64_t unfilled_loads = 0;

  Counters& operator+=(const Counters& other);
};

struct Report {
  bool ok = true;
  std::vector<Finding> findings;
  Counters counters;
  int threads = 1;  ///< the number of threads that computed the result; nothing else depends on it
};

}  // namespace trl::executor
