#include "verifier/corpus/lines.hpp"

#include <cctype>

namespace trl::runtime {

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

bool mentions(const std::string& text, const std::string& name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

bool replace_in_some_line(std::vector<std::string>& lines, const std::string& what, const std::string& with,
                          std::uint64_t placement) {
  std::vector<std::string*> candidates;
  for (std::string& line : lines)
    if (line.find(what) != std::string::npos) candidates.push_back(&line);
  if (candidates.empty()) return false;
  std::string& line = *candidates[placement % candidates.size()];
  line.replace(line.rfind(what), what.size(), with);
  return true;
}

}  // namespace trl::runtime
