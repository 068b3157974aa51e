#pragma once
// The decisions of a module that depend on loaded values, and values that turn them.
#include <cstdint>
#include <string>
#include <vector>

#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/report.hpp"
#include "verifier/executor/program/module.hpp"

namespace trl::executor {

/// A comparison, a condition, a maximum or minimum, a bound of a clamp, or a rounding to an integer.
struct Decision {
  std::string what;  ///< "comparison < -9", "maximum", "condition"
  Source source;
};

/// The number of decisions of a module, at most 256.
int decision_count(const Module& module);

/// All decisions of a module. Options::ways has a byte for each: 1 it went one way (a condition holds), 2 the
/// other way, 3 both.
std::vector<Decision> decisions(const Module& module);

/// How many of these decisions have not gone both ways.
int one_sided(const std::vector<std::uint8_t>& ways);

/// Numbers from `low` to `high`, inclusive, that turn a decision when elements of all `buffers` (at
/// corresponding positions) have such a value or, with `everywhere`, whole rows or buffers do.
struct Decider {
  int decision = 0;
  std::vector<int> buffers;  ///< indices into the launch's Memory
  double low = 0, high = 0;
  bool everywhere = false;
};

/// Values that should make the decisions of a launch go the ways that are missing in `ways`, values nearest
/// to 0 first. They are found by evaluating the operations between loads and decision for many values, and
/// bisecting between neighbours with different results. Where elements are combined, they are only a guess.
/// Empty where a decision depends on operations that aren't modelled. At most `most` decisions are examined.
/// Bounded work; deterministic.
std::vector<Decider> deciders(const Module& module, const Launch& launch,
                              const std::vector<std::uint8_t>& ways, int most = 16);

}  // namespace trl::executor
