// Ranks and alphas of an adapter for modules whose names match patterns, as in `rank_pattern` and
// `alpha_pattern` of Hugging Face's PEFT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/support/python_regex.hpp"

namespace trl {

/// Settings for the modules whose path matches a pattern. The match must end at the path's end, and begin at
/// its beginning or after a dot: `down_proj`, `layers\.[01]\.mlp\..*`.
struct ModulePattern {
  std::string pattern;               ///< a regular expression of Python
  std::optional<std::int64_t> rank;  ///< nothing if the pattern doesn't set the rank
  std::optional<double> alpha;
  bool operator==(const ModulePattern&) const = default;
};

/// A list of patterns. A module's rank comes from the first pattern that matches the module and sets a rank;
/// likewise its alpha. PEFT's `get_pattern_key` has the same rule.
class ModulePatterns {
 public:
  ModulePatterns() = default;
  /// Throws RefusedRegex for the first pattern that can't be used.
  explicit ModulePatterns(std::vector<ModulePattern> patterns);

  struct Module {
    std::int64_t rank = 0;
    double alpha = 0;
  };
  /// Returns the settings of the module with a path such as "model.layers.3.mlp.up_proj". Rank and alpha are
  /// taken from `otherwise` if no pattern sets them.
  Module of(const std::string& path, const Module& otherwise) const;

  /// Whether a pattern changes nothing, and why:
  /// - no: it changes something;
  /// - fits_none: it matches no module;
  /// - said_before: for every module that it matches, earlier patterns already set all that it sets.
  enum class Idle { no, fits_none, said_before };
  /// Returns for each pattern whether and why it changes nothing in a model with modules at these paths.
  std::vector<Idle> idle(const std::vector<std::string>& paths) const;

  const std::vector<ModulePattern>& list() const { return patterns_; }
  bool empty() const { return patterns_.empty(); }
  bool operator==(const ModulePatterns& other) const { return patterns_ == other.patterns_; }

 private:
  bool fits(std::size_t pattern, const std::string& path) const;

  std::vector<ModulePattern> patterns_;
  std::vector<PythonRegex> compiled_;
};

}  // namespace trl
