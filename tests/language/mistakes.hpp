// Mistakes made by changing correct programs, and programs that look wrong but are correct. mistakes_tests
// measures what is found.
#pragma once
#include <string>
#include <vector>

namespace trl::language::test {

/// A change of a correct program that makes a mistake.
struct Mistake {
  std::string kind;     ///< the kind of mistake
  std::string program;  ///< the changed text
  std::size_t at = 0;   ///< where the finding must begin, in bytes
  std::string rule;
  bool mendable = false;  ///< whether there is exactly one correct replacement
  std::string fixed;      ///< the text after the fix; if empty, any text that checks without an error
};

/// The program that is changed.
std::string ablation();

std::vector<Mistake> mistakes();

struct NearMiss {
  std::string what, program;
};
std::vector<NearMiss> near_misses();

}  // namespace trl::language::test
