// Prints the source of candidates, with the lines at fault marked.
#pragma once

#include <ostream>
#include <string>

namespace trl::interpreter {

struct Paint {
  bool on = false;
  std::string operator()(const char* code, const std::string& text) const {
    return on ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
  }
};
inline constexpr const char *bold = "1", *red = "31", *green = "32", *dim = "2";

/// A line of carets as long as `line`. The whole line is marked since verdicts name lines but not columns.
std::string carets(const std::string& line);

/// Prints the lines around line number `line` of an answer, with carets under this line. Prints nothing if
/// the answer has no such line.
void show_excerpt(const std::string& answer, int line, const Paint& paint, std::ostream& out);

}  // namespace trl::interpreter
