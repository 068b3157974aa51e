#pragma once
// Finds which way an operation decides, element by element.
#include <cstdint>

#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ways {

/// Bits of Options::ways.
constexpr std::uint8_t yes = 1, no = 2, both = 3;

/// Whether the decision of any of the n elements of an operation's result went `way`; if `lanes` is not null,
/// lanes[i] becomes whether the decision of element i did. "Yes" means: a condition holds, the first operand
/// of a maximum is the larger one (of a minimum the smaller), a clamp's value is beyond its bound (`part` 0:
/// the lower, 1: the upper one), or a rounding gives a number other than 0.
bool find(const ir::Operation& op, std::size_t part, const Operands& in, const void* out, std::int64_t n,
          std::uint8_t way, std::uint8_t* lanes);

}  // namespace trl::executor::ways
