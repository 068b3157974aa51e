#include "base/support/module_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace trl {
namespace {

// Longer expressions are no names of modules, and <regex> compiles by recursion.
constexpr std::size_t kLongest = 1000;

}  // namespace

std::regex python_regex(const std::string& pattern, const std::string& whole) {
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
    return std::regex(whole, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    throw RefusedRegex{pattern, fmt::format("which isn't understood: {}", error.what())};
  }
}

ModulePatterns::ModulePatterns(std::vector<ModulePattern> patterns) : patterns_(std::move(patterns)) {
  for (const auto& one : patterns_)
    compiled_.push_back(
        std::make_shared<const std::regex>(python_regex(one.pattern, "(.*\\.)?(" + one.pattern + ")")));
}

bool ModulePatterns::fits(std::size_t pattern, const std::string& path) const {
  return std::regex_match(path, *compiled_[pattern]);
}

ModulePatterns::Module ModulePatterns::of(const std::string& path, const Module& otherwise) const {
  std::optional<std::int64_t> rank;
  std::optional<double> alpha;
  for (std::size_t i = 0; i < patterns_.size() && !(rank && alpha); ++i) {
    const auto& one = patterns_[i];
    if (!(one.rank && !rank) && !(one.alpha && !alpha)) continue;
    if (!fits(i, path)) continue;
    if (!rank) rank = one.rank;
    if (!alpha) alpha = one.alpha;
  }
  return {rank.value_or(otherwise.rank), alpha.value_or(otherwise.alpha)};
}

std::vector<ModulePatterns::Idle> ModulePatterns::idle(const std::vector<std::string>& paths) const {
  std::vector<Idle> found(patterns_.size(), Idle::fits_none);
  for (const auto& path : paths) {
    bool rank = false, alpha = false;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      if (!fits(i, path)) continue;
      const auto& one = patterns_[i];
      if ((one.rank && !rank) || (one.alpha && !alpha))
        found[i] = Idle::no;
      else if (found[i] == Idle::fits_none)
        found[i] = Idle::said_before;
      rank = rank || one.rank;
      alpha = alpha || one.alpha;
    }
  }
  return found;
}

}  // namespace trl
