#include "interpreter/report/gnuplot.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "interpreter/filter.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// The last non-empty line, which has the reason; before it gnuplot repeats the command.
std::string reason_in(const std::string& text) {
  const auto end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "it gave no reason";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, std::min<std::size_t>(end - begin, 200));
}

/// A picture's name with only the characters that gnuplot allows: letters, digits and _.
std::string plain(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// The SVG without the line that names gnuplot's version.
std::string without_version(std::string svg) {
  const auto begin = svg.find("<desc>"), end = svg.find("</desc>\n");
  if (begin != std::string::npos && end != std::string::npos) svg.erase(begin, end + 8 - begin);
  return svg;
}

}  // namespace

Drawing draw_with_gnuplot(const std::string& script) {
  const char* named = std::getenv("TRL_GNUPLOT");
  const std::string program = named && *named ? named : "gnuplot";
  // Runs without the user's settings (-d), locale and terminal.
  auto drawn = run_filter(program, {"-d"}, script, {"LC_ALL=C.UTF-8", "GNUTERM"});
  if (drawn.missing())
    return {"", "there is no " + program + " on this machine; install it with `apt-get install gnuplot-nox`"};
  if (drawn.status < 0) return {"", program + " can't be started: " + std::strerror(drawn.code)};
  if (drawn.status != 0 || drawn.out.find("</svg>") == std::string::npos)
    return {"", program + " failed: " + reason_in(drawn.err)};
  return {without_version(std::move(drawn.out)), ""};
}

std::string svg_terminal(const std::string& name, int width, int height) {
  return fmt::format(
      "set terminal svg size {},{} dynamic noenhanced font \"sans-serif,12\" background \"#ffffff\" name {}\n"
      "set encoding utf8\n",
      width, height, gnuplot_quoted(plain(name)));
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : c == '\n' || c == '\r' ? " " : std::string(1, c);
  return quoted + "'";
}

}  // namespace trl::interpreter
