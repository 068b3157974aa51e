// Regular expressions of Python. <regex>, which is slow to compile, is included by the source alone.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace trl {

/// A regular expression that can't be used, and the reason: "in which `\A` isn't supported".
struct RefusedRegex {
  std::string pattern, why;
};

class PythonRegex {
 public:
  /// Compiles `whole`, a regular expression that contains `pattern`. `pattern` is in Python's syntax; only
  /// syntax with the same meaning in ECMAScript is supported. Throws RefusedRegex for other syntax.
  PythonRegex(const std::string& pattern, const std::string& whole);

  /// Whether the regular expression matches the whole text.
  bool matches(const std::string& text) const;
  /// If the regular expression matches the beginning of the text, returns the text of its last group;
  /// otherwise nothing.
  std::optional<std::string> last_group(const std::string& text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace trl
