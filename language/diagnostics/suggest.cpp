#include "language/diagnostics/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace trl::language {
namespace {

/// Optimal string alignment distance; stops counting above `most`.
std::size_t distance(const std::string& a, const std::string& b, std::size_t most) {
  if (a.size() > b.size() + most || b.size() > a.size() + most) return most + 1;
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string digits(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c >= '0' && c <= '9') out += c;
  return out;
}

/// How many slips of the hand lead from one name to another; 1 if they only differ in capitals.
std::size_t slips(const std::string& name, const std::string& other) {
  return name != other && lower(name) == lower(other) ? 1 : distance(name, other, 2);
}

}  // namespace

bool surely(const std::string& name, const std::string& meant, const std::vector<std::string>& candidates,
            bool chosen) {
  const std::size_t shortest = chosen ? 4 : 3;
  if (name.size() > 100 || slips(name, meant) != 1 || digits(name) != digits(meant)) return false;
  if (lower(name) != lower(meant)) {
    if (std::min(name.size(), meant.size()) < shortest) return false;
    std::string a = name, b = meant;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (chosen && name.size() == meant.size() && a != b) return false;
  }
  return std::none_of(candidates.begin(), candidates.end(),
                      [&](const std::string& c) { return c != meant && slips(name, c) <= 1; });
}

std::optional<std::string> closest(const std::string& name, const std::vector<std::string>& candidates) {
  const std::size_t most = name.size() <= 2 ? 1 : name.size() <= 5 ? 2 : 3;
  if (name.size() > 100) return std::nullopt;
  for (const std::string& c : candidates)
    if (lower(c) == lower(name)) return c;
  std::optional<std::string> best;
  std::size_t least = most + 1;
  for (const std::string& c : candidates) {
    const std::size_t n = distance(name, c, most);
    if (n < least && n < c.size()) {
      least = n;
      best = c;
    }
  }
  return best;
}

std::string enumeration(const std::vector<std::string>& names, std::size_t most, const char* last) {
  std::string out;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == names.size() ? std::string(" ") + last + " " : ", ";
    out += "`" + names[i] + "`";
  }
  if (shown < names.size()) out += " and " + std::to_string(names.size() - shown) + " more";
  return out;
}

std::string with_article(const std::string& noun) {
  const std::size_t letter = noun.find_first_not_of('`');
  const bool vowel =
      letter != std::string::npos && std::string("aeiou").find(noun[letter]) != std::string::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& candidates) {
  if (const auto best = closest(name, candidates)) return "did you mean `" + *best + "`?";
  if (candidates.empty() || candidates.size() > 24) return "";
  return "there " + std::string(candidates.size() == 1 ? "is " : "are ") + enumeration(candidates, 24);
}

}  // namespace trl::language
