// How candidates are shown: their source, with the lines that a verdict blames.
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

/// Carets under the whole line: verdicts name lines, not columns.
std::string carets(const std::string& line);

/// The lines around one of an answer, that one marked by carets; nothing where it has no such line.
void show_excerpt(const std::string& answer, int line, const Paint& paint, std::ostream& out);

}  // namespace trl::interpreter
