// Habits of people who come from other languages and tools, as programs that they write.
#pragma once
#include <string>
#include <vector>

namespace trl::language::test {

struct Habit {
  std::string what;                ///< the habit, `lr`
  std::string program;             ///< a whole file that has it
  std::vector<std::string> words;  ///< what the answer must contain; none if the file is correct
};

std::vector<Habit> habits();

}  // namespace trl::language::test
