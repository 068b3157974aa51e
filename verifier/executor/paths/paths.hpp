#pragma once
// The decisions of a module (operations whose outcome depends on loaded values), and input values that make a
// decision go the other way.
#include <cstdint>
#include <string>
#include <vector>

#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/memory.hpp"
#include "verifier/executor/launch/report.hpp"
#include "verifier/executor/program/module.hpp"

namespace trl::executor {

/// An operation whose outcome depends on loaded values: a comparison, a condition, a maximum or minimum, a
/// bound of a clamp, or a rounding to an integer.
struct Decision {
  std::string what;  ///< "comparison < -9", "maximum", "condition"
  Source source;
};

/// The number of decisions of a module, at most 256.
int decision_count(const Module& module);

/// Returns all decisions of a module. Options::ways has a byte for each decision: 1 when the decision always
/// went the first way (for instance, a condition always held), 2 when it always went the second way, 3 when
/// it went both ways, 0 when no element was decided.
std::vector<Decision> decisions(const Module& module);

/// The number of decisions that have not gone both ways, given the bytes of Options::ways.
int one_sided(const std::vector<std::uint8_t>& ways);

/// Input values that make a decision go a way in which it hasn't gone yet: the numbers from `low` to `high`,
/// inclusive. One element in each of `buffers`, at corresponding positions, should have such a value; with
/// `everywhere`, all elements of a row or of the whole buffer should.
struct Decider {
  int decision = 0;
  std::vector<int> buffers;  ///< indices into the launch's Memory
  double low = 0, high = 0;
  bool everywhere = false;
};

/// Returns values that should make the decisions of a launch go the ways that are missing in `ways`; for each
/// decision, the values nearest to 0 come first. The search evaluates the operations between the loads and a
/// decision for many values, and bisects between neighbouring values with different results. The values are
/// only a guess where elements are combined, as in a sum. There are none for a decision that depends on
/// operations that aren't modelled (Expression). Values that are looked up in tables are searched for as
/// values and, with the `tables` of the launch, as places that have them. At most `most` decisions are
/// examined. The work is bounded, and equal arguments give equal results.
std::vector<Decider> deciders(const Module& module, const Launch& launch,
                              const std::vector<std::uint8_t>& ways, int most = 16,
                              const Memory* tables = nullptr);

}  // namespace trl::executor
