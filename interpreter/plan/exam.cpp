#include "interpreter/plan/exam.hpp"

#include <utility>

namespace trl::interpreter {
using contract::Protocol;

std::vector<contract::Variation> exam_variations() {
  return {{"original"}, {"scale", 2.0}, {"reseed"}, {"resize", 1.5}, {"cast", "f16"}, {"extreme"}};
}

contract::Limits candidate_limits() {
  return {.seconds = 20, .memory_bytes = 1 << 30, .total_seconds = 60, .wall_seconds = 300};
}

Protocol timed_or_modelled(Protocol protocol, bool times_kernels) {
  protocol.timed = times_kernels;
  protocol.modelled_for = times_kernels ? "" : "H200";
  return protocol;
}

Protocol exam_protocol(bool times_kernels) {
  Protocol protocol;
  protocol.variations = exam_variations();
  protocol.tiny = protocol.memory_checks = protocol.strict = true;
  protocol.compile = contract::Compile::all;
  if (times_kernels) protocol.timing = contract::Timing{.warmup = 10, .trials = 50, .trim = 0.1};
  protocol.limits = candidate_limits();
  return timed_or_modelled(std::move(protocol), times_kernels);
}

}  // namespace trl::interpreter
