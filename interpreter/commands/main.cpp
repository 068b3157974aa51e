#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

#include "interpreter/commands/commands.hpp"
#include "interpreter/schedule/progress.hpp"

namespace {

/// Colour on standard output: a terminal, and NO_COLOR isn't set.
bool colour_on_stdout() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(1) && term && std::strcmp(term, "dumb") != 0 && !(no_colour && *no_colour);
}

/// Marks beyond ASCII: a UTF-8 locale, and NO_COLOR isn't set.
bool unicode_on_stdout() {
  if (const char* no_colour = std::getenv("NO_COLOR"); no_colour && *no_colour) return false;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* locale = std::getenv(name); locale && *locale)
      return std::strstr(locale, "UTF-8") || std::strstr(locale, "utf8");
  return false;
}

}  // namespace

int main(int count, char** values) {
  using namespace trl::interpreter;
  std::ios::sync_with_stdio(false);
  Console console{std::cout, std::cerr, style_of_stderr().colour, colour_on_stdout(), unicode_on_stdout()};
  const int status = trl_main({values + 1, values + count}, console);
  // A table that a full disk cut short must not look like one.
  if (std::cout.flush()) return status;
  std::cerr << "error: cannot write to standard output\n  help: Is the disk full that it goes to?\n";
  return status ? status : static_cast<int>(failed);
}
