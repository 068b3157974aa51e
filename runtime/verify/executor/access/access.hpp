#pragma once
// Loads, stores and atomics of a block on checked memory, and what they count.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/verify/executor/access/findings.hpp"
#include "runtime/verify/executor/access/places.hpp"
#include "runtime/verify/executor/executor.hpp"
#include "runtime/verify/executor/ir.hpp"

namespace trl::executor {

/// A pointer as blocks hold it: the buffer's number + 1 in the top 16 bits (0: no buffer), below it the byte
/// offset plus `bias`. Offsets saturate (kernels/pointers.cpp), and both ends lie outside every buffer.
namespace address {
constexpr int shift = 48;
constexpr std::uint64_t offset_mask = (std::uint64_t{1} << shift) - 1;
constexpr std::int64_t bias = std::int64_t{1} << 47;
inline std::uint64_t pack(int buffer, std::int64_t offset) {
  constexpr std::int64_t far = bias - 1;
  const std::int64_t near = offset < -far ? -far : offset > far ? far : offset;
  return (static_cast<std::uint64_t>(buffer + 1) << shift) | static_cast<std::uint64_t>(near + bias);
}
inline int buffer(std::uint64_t pointer) { return static_cast<int>(pointer >> shift) - 1; }
inline std::int64_t offset(std::uint64_t pointer) {
  return static_cast<std::int64_t>(pointer & offset_mask) - bias;
}
}  // namespace address

class Access {
 public:
  /// Who touches what: nobody asks; it is noted, for comparing with other runs; races are found too.
  enum class Tracking { none, notes, races };

  Access(Places& places, const Options& options, Findings& findings, Counters& counters,
         std::uint64_t programs, Tracking tracking);

  /// `number` counts the launch's programs from 0; `grid` turns it back into three numbers for messages.
  void begin_program(std::uint32_t number);
  void set_grid(const std::uint32_t* grid) { grid_ = grid; }

  /// Operands as op.operands: pointer, [mask, [other]] / pointer, value, [mask] / pointer, value, [mask] /
  /// pointer, expected, new. `out` takes n elements as stored.
  void load(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);
  void store(const ir::Operation& op, const Operands& in, std::int64_t n);
  void atomic(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);
  void compare_and_swap(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);

 private:
  /// Work of each piece of consecutive elements that an access falls into, besides its elements.
  static constexpr std::uint64_t piece_work = 16;

  struct Target {
    Place* place = nullptr;
    int number = -1;
    std::int64_t offset = 0;
  };
  Place* inside(std::uint64_t pointer, std::int64_t bytes, Target& target);
  bool check(const ir::Operation& op, std::uint64_t pointer, std::int64_t size, bool writes, Target& target);
  void check_written(const ir::Operation& op, const Target& target, std::int64_t bytes, std::int64_t size);
  void load_run(const ir::Operation& op, std::uint64_t pointer, void* out, std::int64_t n);
  void store_run(const ir::Operation& op, std::uint64_t pointer, const std::byte* values, std::int64_t n);
  template <class Change>
  void atomic_each(const ir::Operation& op, const Operands& in, const std::uint8_t* mask,
                   std::int64_t mask_stride, void* out, std::int64_t n, Change change);
  const std::byte* as_memory(Scalar scalar, const void* values, std::int64_t stride, std::int64_t n);
  void poison(Scalar scalar, void* out, std::int64_t n);

  void count_read(Target& target, std::int64_t bytes);
  void count_written(Target& target, std::int64_t bytes);
  bool ordered(std::uint32_t program) const { return acquired_ && released_[program] != 0; }
  const Touch* other_writer(const Shadow& shadow, std::size_t granule) const;
  const Touch* other_reader(const Shadow& shadow, std::size_t granule) const;
  void race_load(const ir::Operation& op, const Target& target, std::int64_t bytes, std::int64_t size);
  void race_store(const ir::Operation& op, const Target& target, const std::byte* values, std::int64_t bytes,
                  std::int64_t size);
  void compare_store(const ir::Operation& op, const Target& target, const std::byte* values,
                     std::int64_t bytes, std::int64_t size, std::size_t granule);
  void race_atomic(const ir::Operation& op, const Target& target, std::int64_t size);
  void report_race(const ir::Operation& op, const Target& target, std::int64_t offset, std::int64_t size,
                   const Touch& other, const char* here, const char* there);
  std::string program_name(std::uint32_t number) const;

  Places& places_;
  const Options& options_;
  Findings& findings_;
  Counters& counters_;
  const std::uint32_t* grid_ = nullptr;
  std::uint32_t access_ = 0;   // this launch's accesses so far
  std::uint32_t program_ = 0;  // number + 1
  bool tracks_ = false;
  bool races_ = false;
  bool acquired_ = false;               // this program has done an acquiring atomic
  std::vector<std::uint8_t> released_;  // programs that have done a releasing one
  std::vector<std::byte> staging_;
};

}  // namespace trl::executor
