#pragma once
// The decisions of a module (operations whose outcome depends on loaded values), and input values that change
// the outcome of a decision.
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

/// Returns all decisions of a module. Options::ways has a byte for each decision: 1 if the decision always
/// had the first outcome (for instance, a condition always held), 2 if it always had the second outcome, 3 if
/// it had both, 0 if no element was decided.
std::vector<Decision> decisions(const Module& module);

/// The number of decisions that have not gone both ways, given the bytes of Options::ways.
int one_sided(const std::vector<std::uint8_t>& ways);

/// Input values for which a decision should have an outcome that it hasn't had yet: the numbers from `low` to
/// `high`, inclusive. One element in each of `buffers`, at corresponding positions, should have such a value.
/// With `everywhere`, all elements of a row or of the whole buffer should.
struct Decider {
  int decision = 0;
  std::vector<int> buffers;  ///< indices into the launch's Memory
  double low = 0, high = 0;
  bool everywhere = false;
};

/// Returns input values that should give the decisions of a launch the outcomes that are missing in `ways`;
/// for each decision, the values nearest to 0 come first. The search evaluates the operations between the
/// loads and a decision for many values, and bisects between neighbouring values with different results. If
/// elements are combined, as in a sum, the values are only a guess. There are none for a decision that
/// depends on operations that aren't modelled (Expression). For values that are looked up in tables, the
/// search looks for table values and, with the `tables` of the launch, also for places at which the tables
/// have such values. At most `most` decisions are examined. The work is bounded, and equal arguments give
/// equal results.
std::vector<Decider> deciders(const Module& module, const Launch& launch,
                              const std::vector<std::uint8_t>& ways, int most = 16,
                              const Memory* tables = nullptr);

}  // namespace trl::executor
