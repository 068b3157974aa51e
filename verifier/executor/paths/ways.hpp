#pragma once
// Finds which way an operation decides, element by element.
#include <cstdint>

#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ways {

/// Bits of Options::ways.
constexpr std::uint8_t yes = 1, no = 2, both = 3;

/// Whether the decision went `way` for at least one of the n elements of an operation's result. If `lanes` is
/// not null, lanes[i] becomes 1 when the decision of element i went `way`, else 0. The way `yes` means:
/// - condition or comparison: it holds
/// - maximum: the first operand is the larger one
/// - minimum: the first operand is the smaller one
/// - clamp: the value is beyond its bound (the lower bound if `part` is 0, the upper bound if it is 1)
/// - rounding to an integer: the result is not 0
bool find(const ir::Operation& op, std::size_t part, const Operands& in, const void* out, std::int64_t n,
          std::uint8_t way, std::uint8_t* lanes);

}  // namespace trl::executor::ways
