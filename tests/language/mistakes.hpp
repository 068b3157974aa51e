// Mistakes made by changing good programs, and programs that look wrong and are not: what mistakes_tests
// measures.
#pragma once
#include <string>
#include <vector>

namespace trl::language::test {

/// One change of a good program.
struct Mistake {
  std::string kind;     ///< what sort of mistake it is
  std::string program;  ///< the changed text
  std::size_t at = 0;   ///< where the finding must begin, in bytes
  std::string rule;
  bool mendable = false;  ///< whether there is one right replacement
  std::string fixed;      ///< the text that the fix must give; empty: any that checks without an error
};

/// The program that is changed.
std::string ablation();

std::vector<Mistake> mistakes();

struct NearMiss {
  std::string what, program;
};
std::vector<NearMiss> near_misses();

}  // namespace trl::language::test
