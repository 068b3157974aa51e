#include "interpreter/commands/candidate_text.hpp"

#include <algorithm>

#include "interpreter/report/candidate.hpp"
#include "interpreter/report/escape.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t widest = 71;  // columns of a source line's text, of 80 in all

std::string shown(const std::string& line) {
  const auto safe = terminal_safe(line);
  if (safe.size() <= widest) return safe;
  std::size_t end = widest - 2;
  while (end > 0 && (static_cast<unsigned char>(safe[end]) & 0xC0) == 0x80) --end;
  return safe.substr(0, end) + "..";
}

}  // namespace

std::string carets(const std::string& line) {
  const auto safe = terminal_safe(line);
  const auto begin = std::min(safe.find_first_not_of(' '), safe.size());
  return std::string(begin, ' ') + std::string(std::max<std::size_t>(safe.size() - begin, 1), '^');
}

void show_excerpt(const std::string& answer, int line, const Paint& paint, std::ostream& out) {
  const auto lines = split_lines(answer);
  if (line < 1 || line > static_cast<int>(lines.size())) return;
  constexpr int around = 2;
  const int last = std::min(line + around, static_cast<int>(lines.size()));
  for (int number = std::max(line - around, 1); number <= last; ++number) {
    const auto& text = lines[static_cast<std::size_t>(number - 1)];
    out << paint(dim, fmt::format(" {:>5} |", number)) << (text.empty() ? "" : " ") << shown(text) << '\n';
    if (number == line) out << "       | " << paint(red, carets(shown(text))) << '\n';
  }
}

}  // namespace trl::interpreter
