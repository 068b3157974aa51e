#pragma once
// Finds the operations from which NaN and infinities in a launch plan's buffers came.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "verifier/executor/launch/report.hpp"

namespace trl::executor {

/// The origins of NaN and infinities in the buffers of one Memory. Every launch with this object in
/// Options::trace adds to it; all launches on a Memory should share one object.
class Trace {
 public:
  /// An operation whose result became NaN or infinite, described as "0 / 0 is nan" or "exp(120.5) is inf".
  struct Step {
    std::string what;
    Source source;
  };

  /// Returns the operations by which the value at a byte offset of a buffer became NaN or infinite, the
  /// latest operation first. An earlier operation is listed when its result caused the next one, as when an
  /// infinity became a NaN. Empty when unknown.
  std::vector<Step> origin(int buffer, std::int64_t offset) const;
  /// Called when the host has copied an element between buffers: the copy gets the element's origin.
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
