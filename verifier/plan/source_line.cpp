#include "verifier/plan/source_line.hpp"

#include <charconv>
#include <string>

namespace trl::runtime {
namespace {

constexpr std::string_view candidate = "\"candidate.py\":", alias_word = "#loc";

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string_view line_number(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int at = 1; at < line; ++at) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  return line_at(text, begin);
}

// The last alias (as `#loc12`) on a line; empty where there is none.
std::string_view last_alias(std::string_view line) {
  const std::size_t begin = line.rfind(alias_word);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find_first_not_of("0123456789", begin + alias_word.size());
  return line.substr(begin, end == std::string_view::npos ? end : end - begin);
}

}  // namespace

int source_line(std::string_view ttir, int line) {
  std::string_view text = line_number(ttir, line);
  for (int step = 0; step < 16; ++step) {  // an alias may refer to another alias
    if (const std::size_t at = text.find(candidate); at != std::string_view::npos) {
      int found = 0;
      std::from_chars(text.data() + at + candidate.size(), text.data() + text.size(), found);
      return found > 0 && found < 1'000'000 ? found : 0;
    }
    const std::string_view alias = last_alias(text);
    if (alias.empty()) return 0;
    const std::size_t defined = ttir.find("\n" + std::string(alias) + " = ");
    if (defined == std::string_view::npos) return 0;
    text = line_at(ttir, defined + 1).substr(alias.size() + 3);
  }
  return 0;
}

}  // namespace trl::runtime
