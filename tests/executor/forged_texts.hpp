#pragma once
// TTIR that no compiler writes: what a candidate can put in its plan by hand.
#include <string>
#include <vector>

namespace trl::executor::test {

struct ForgedText {
  std::string name;
  std::string text;
  bool may_run = false;  ///< nothing in it is wrong but what it computes
};

/// More than a hundred modules whose kernel takes (%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32): uses that no
/// definition dominates, operations without operands, regions and terminators that don't fit, and every line
/// of an honest kernel left out, put elsewhere or cut.
std::vector<ForgedText> forged_texts();

/// The honest kernel that some of them are made of: y[i] = max(x[i], 0) for i < n, blocks of 256.
std::string honest_text();

}  // namespace trl::executor::test
