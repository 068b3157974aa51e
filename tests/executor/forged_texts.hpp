#pragma once
// TTIR that no compiler writes, but that a candidate can put into its plan by hand.
#include <string>
#include <vector>

namespace trl::executor::test {

struct ForgedText {
  std::string name;
  std::string text;
  bool may_run = false;  ///< whether the text is valid, though it computes something else
};

/// More than a hundred modules whose kernel takes (%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32): uses that no
/// definition dominates, operations without operands, regions and terminators that don't fit, and an honest
/// kernel with each line left out, moved or cut.
std::vector<ForgedText> forged_texts();

/// The honest kernel from which some of the forged modules are made: y[i] = max(x[i], 0) for i < n, in blocks
/// of 256.
std::string honest_text();

}  // namespace trl::executor::test
