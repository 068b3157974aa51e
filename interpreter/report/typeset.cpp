#include "interpreter/report/typeset.hpp"

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "interpreter/report/escape.hpp"

namespace trl::interpreter {

std::string typeset(std::string text) {
  static const std::vector<std::pair<std::regex, const char*>> rules = [] {
    std::vector<std::pair<std::regex, const char*>> out;
    const auto rule = [&](const char* typed, const char* set) { out.emplace_back(std::regex(typed), set); };
    rule(R"(^-$)", "–");
    rule(R"(\s*->\s*)", " → ");
    rule(R"(>=)", "≥");
    rule(R"(<=)", "≤");
    rule(R"(!=)", "≠");
    rule(R"((^|[\s\[(,=])-(?=[0-9.]))", "$1−");
    rule(R"(([\w)\]]) x (?=[\w(\[]))", "$1 × ");
    rule(R"((^|[\s\[(])x(?=[0-9]+\.[0-9]))", "$1×");
    rule(R"((^|[\s\[(])\"(?=\S))", "$1“");
    rule(R"(\")", "”");
    rule(R"((\w)'(?=\w)|(s)'(?=\s))", "$1$2’");
    return out;
  }();
  if (text.find_first_of("->=x\"'") == std::string::npos) return text;
  for (const auto& [typed, set] : rules) text = std::regex_replace(text, typed, set);
  return text;
}

std::string html_typeset(std::string_view text) { return html_escaped(typeset(std::string(text))); }

namespace {

/// Calls visit(part, whether it is a name between backticks) for each part of a sentence.
template <typename Visit>
void each_part(std::string_view text, Visit visit) {
  bool code = false;
  for (std::size_t begin = 0;; code = !code) {
    const auto end = std::min(text.find('`', begin), text.size());
    visit(text.substr(begin, end - begin), code);
    if (end == text.size()) return;
    begin = end + 1;
  }
}

}  // namespace

std::string typeset_sentence(std::string_view text) {
  std::string out;
  bool first = true;
  each_part(text, [&](std::string_view part, bool code) {
    out += (first ? "" : "`") + (code ? std::string(part) : typeset(std::string(part)));
    first = false;
  });
  return out;
}

std::string html_with_code(std::string_view text) {
  std::string out;
  each_part(text, [&](std::string_view part, bool code) {
    out += code ? "<code>" + html_escaped(part) + "</code>" : html_typeset(part);
  });
  return out;
}

}  // namespace trl::interpreter
