#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "interpreter/commands/safe_stream.hpp"
#include "interpreter/commands/trl_main.hpp"
#include "interpreter/schedule/progress.hpp"

namespace {

/// Standard output gets colour if it is a terminal and NO_COLOR isn't set.
bool colour_on_stdout() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(1) && term && std::strcmp(term, "dumb") != 0 && !(no_colour && *no_colour);
}

/// Characters beyond ASCII are written in a UTF-8 locale, unless NO_COLOR is set.
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
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond `ulimit -f` is an error of its write, with a message
  const auto style = style_of_stderr();
  SafeStream out(std::cout, {colour_on_stdout(), ::isatty(1) != 0});
  SafeStream err(std::cerr, {style.colour, style.terminal});
  Console console{out,
                  err,
                  style.colour,
                  colour_on_stdout(),
                  unicode_on_stdout(),
                  style.terminal ? static_cast<std::size_t>(style.width) : 0};
  const int status = trl_main({values + 1, values + count}, console);
  out.flush(), err.flush();
  // If a full disk cut off the output, the command must end with an error.
  if (std::cout.flush()) return status;
  std::cerr << "error: cannot write to standard output\n  help: Check whether the disk is full.\n";
  return status ? status : static_cast<int>(failed);
}
