#pragma once
// The decisions of a module that hang on loaded values, and values that turn them.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/verify/executor/launch/launch.hpp"
#include "runtime/verify/executor/launch/report.hpp"
#include "runtime/verify/executor/program/module.hpp"

namespace trl::executor {

/// A comparison, a condition, a maximum or minimum, a bound of a clamp, or a rounding to a whole number.
struct Decision {
  std::string what;  ///< "comparison < -9", "maximum", "condition"
  Source source;
};

/// How many decisions a module has, at most 256.
int decision_count(const Module& module);

/// All decisions of a module; Options::ways has a byte for each: 1 it went one way (a condition holds), 2 the
/// other way, 3 both.
std::vector<Decision> decisions(const Module& module);

/// How many of these decisions lack a way.
int one_sided(const std::vector<std::uint8_t>& ways);

/// Numbers between `low` and `high`, both among them, that turn a decision where elements of all of `buffers`
/// hold one (at corresponding places) or, where `everywhere`, whole rows or buffers of them.
struct Decider {
  int decision = 0;
  std::vector<int> buffers;  ///< of the launch's Memory
  double low = 0, high = 0;
  bool everywhere = false;
};

/// Values that should make the decisions of a launch go the ways that `ways` lacks, the nearest to 0 first:
/// solved for by trying values on the operations between loads and decision, bisecting between neighbours
/// that differ. They are a guess where elements are combined. Empty where a decision hangs on what this can't
/// follow. `most` decisions are looked at. Bounded work; deterministic.
std::vector<Decider> deciders(const Module& module, const Launch& launch,
                              const std::vector<std::uint8_t>& ways, int most = 16);

}  // namespace trl::executor
