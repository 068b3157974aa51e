#include "base/support/python_regex.hpp"

#include <fmt/format.h>

#include <cctype>
#include <regex>
#include <string_view>

namespace trl {
namespace {

// Longer expressions are no names of modules, and <regex> compiles by recursion.
constexpr std::size_t kLongest = 1000;

}  // namespace

struct PythonRegex::Compiled {
  std::regex regex;
};

PythonRegex::PythonRegex(const std::string& pattern, const std::string& whole) {
  if (pattern.size() > kLongest)
    throw RefusedRegex{pattern, fmt::format("which has more than {} characters", kLongest)};
  constexpr std::string_view letters = "dDwWsSbBnrtfv";
  bool in_set = false, repeated = false;  // inside of [ … ]; behind a repetition
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const auto rest = std::string_view(pattern).substr(i + 1);
    const char c = pattern[i];
    if (!in_set && repeated && (c == '*' || c == '+' || c == '?' || c == '{'))
      throw RefusedRegex{pattern, "in which a repetition is repeated"};
    repeated = false;
    if (c == '\\' && !rest.empty()) {
      const char next = pattern[++i];
      if (std::isalnum(static_cast<unsigned char>(next)) && letters.find(next) == std::string_view::npos)
        throw RefusedRegex{pattern, fmt::format("in which `\\{}` isn't supported", next)};
    } else if (in_set) {
      if (c == '[' && (rest.starts_with(":") || rest.starts_with(".") || rest.starts_with("=")))
        throw RefusedRegex{pattern, "of whose sets those with names of classes aren't supported"};
      in_set = c != ']';
    } else if (c == '(' && rest.starts_with("?")) {
      if (!rest.starts_with("?:") && !rest.starts_with("?=") && !rest.starts_with("?!"))
        throw RefusedRegex{pattern, "of whose groups with `(?` only `(?:`, `(?=` and `(?!` are supported"};
      i += 2;
    } else if (c == '[') {
      // `[]` and `[^]` begin with a bracket in Python and are whole in ECMAScript, whose `[[:digit:]]` is a
      // class by name.
      if (rest.starts_with("]") || rest.starts_with("^]") || rest.starts_with("[:") ||
          rest.starts_with("[.") || rest.starts_with("[="))
        throw RefusedRegex{pattern, "of whose sets those that begin with a bracket aren't supported"};
      in_set = true;
    } else if (c == '*' || c == '+' || c == '?' || c == '}') {
      if (rest.starts_with("?")) ++i;  // as few as possible
      repeated = true;
    }
  }
  try {
    compiled_ = std::make_shared<const Compiled>(Compiled{std::regex(whole, std::regex::ECMAScript)});
  } catch (const std::regex_error& error) {
    throw RefusedRegex{pattern, fmt::format("which isn't understood: {}", error.what())};
  }
}

bool PythonRegex::matches(const std::string& text) const { return std::regex_match(text, compiled_->regex); }

std::optional<std::string> PythonRegex::last_group(const std::string& text) const {
  std::smatch found;
  if (!std::regex_search(text, found, compiled_->regex, std::regex_constants::match_continuous))
    return std::nullopt;
  return found[found.size() - 1].str();
}

}  // namespace trl
