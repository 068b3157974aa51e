#include <iostream>

#include "interpreter/commands/commands.hpp"
#include "interpreter/schedule/progress.hpp"

int main(int count, char** values) {
  using namespace trl::interpreter;
  std::ios::sync_with_stdio(false);
  Console console{std::cout, std::cerr, style_of_stderr().colour};
  return trl_main({values + 1, values + count}, console);
}
