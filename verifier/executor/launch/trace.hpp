#pragma once
// Finds where NaN and infinities in a plan's buffers came from.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "verifier/executor/launch/report.hpp"

namespace trl::executor {

/// The launches that have it in Options::trace fill it; one object serves all launches on a Memory.
class Trace {
 public:
  /// The operation whose result was the first NaN or infinity: "0 / 0 is nan", "exp(120.5) is inf".
  struct Step {
    std::string what;
    Source source;
  };

  /// How the value at a byte offset of a buffer became NaN or infinite: first the operation that made it so,
  /// then the one that made the operand that caused it (an infinity that became a NaN), and so on. Empty when
  /// unknown.
  std::vector<Step> origin(int buffer, std::int64_t offset) const;
  /// Called when the host has copied an element.
  void copy(int to_buffer, std::int64_t to_offset, int from_buffer, std::int64_t from_offset);

 private:
  friend class Tracer;
  struct Origin {
    Step step;
    std::uint32_t cause = 0;
  };
  static std::uint64_t key(int buffer, std::int64_t offset) {
    return static_cast<std::uint64_t>(buffer) << 48 | (static_cast<std::uint64_t>(offset) & 0xFFFFFFFFFFFF);
  }
  std::uint32_t add(Step step, std::uint32_t cause);
  void put(std::uint64_t place, std::uint32_t origin);
  std::uint32_t at(std::uint64_t place) const;

  std::vector<Origin> origins_;  // origin number i + 1
  std::map<std::tuple<std::string, int, int, std::uint32_t>, std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
};

}  // namespace trl::executor
