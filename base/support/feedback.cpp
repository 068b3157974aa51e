#include "base/support/feedback.hpp"

#include <algorithm>

namespace trl {
namespace {

bool begins_name(char c) { return c >= 'a' && c <= 'z'; }
bool in_name(char c) {
  return begins_name(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::vector<Mention> mentions(std::string_view text) {
  std::vector<Mention> found;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (at + 1 >= text.size() || !begins_name(text[at + 1])) continue;
    std::size_t end = at + 1;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end < text.size() && text[end] == '}')
      found.push_back({std::string(text.substr(at + 1, end - at - 1)), at, end + 1});
  }
  return found;
}

bool mentions(std::string_view text, std::string_view name) {
  const auto all = mentions(text);
  return std::any_of(all.begin(), all.end(), [&](const Mention& one) { return one.name == name; });
}

std::string filled(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  std::size_t from = 0;
  for (const auto& one : mentions(text)) {
    const auto value = values.find(one.name);
    if (value == values.end()) continue;
    out += text.substr(from, one.begin - from);
    out += value->second;
    from = one.end;
  }
  return out += text.substr(from);
}

std::string first_line(std::string_view message, std::size_t most) {
  message = message.substr(0, message.find('\n'));
  if (message.size() > most) {
    const auto continues = [&](std::size_t at) {
      return (static_cast<unsigned char>(message[at]) & 0xC0U) == 0x80U;
    };
    while (most > 0 && continues(most)) --most;
    message = message.substr(0, most);
  }
  return std::string(message);
}

std::string line_of(std::string_view text, int number) {
  std::size_t begin = 0;
  for (int line = 1; line < number && begin != std::string_view::npos; ++line) {
    begin = text.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  if (number < 1 || begin >= text.size()) return {};
  auto line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const auto first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace trl
