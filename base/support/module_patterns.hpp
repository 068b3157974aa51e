// Ranks and alphas of an adapter by the names of a model's modules, as Hugging Face's PEFT has them in
// `rank_pattern` and `alpha_pattern`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace trl {

/// A regular expression that can't be used, and why: "in which `\A` isn't supported".
struct RefusedRegex {
  std::string pattern, why;
};

/// A regular expression of Python, in the part that ECMAScript shares with it. `whole` is the compiled
/// expression, which has the pattern as a part. Throws RefusedRegex.
std::regex python_regex(const std::string& pattern, const std::string& whole);

/// Settings for the modules whose path ends with a match of a pattern that begins at the path's beginning or
/// after a dot: `down_proj`, `layers\.[01]\.mlp\..*`.
struct ModulePattern {
  std::string pattern;               ///< a regular expression of Python
  std::optional<std::int64_t> rank;  ///< nothing: the pattern says nothing of ranks
  std::optional<double> alpha;
  bool operator==(const ModulePattern&) const = default;
};

/// A list of patterns. A module's rank is the rank of the first pattern that fits it and has one, and
/// likewise its alpha, as PEFT's `get_pattern_key` finds them.
class ModulePatterns {
 public:
  ModulePatterns() = default;
  /// Throws RefusedRegex for the first pattern that can't be used.
  explicit ModulePatterns(std::vector<ModulePattern> patterns);

  struct Module {
    std::int64_t rank = 0;
    double alpha = 0;
  };
  /// The settings of the module with a path such as "model.layers.3.mlp.up_proj"; `otherwise` where no
  /// pattern fits it.
  Module of(const std::string& path, const Module& otherwise) const;

  /// The reason why a pattern changes nothing: it fits none of the modules, or earlier patterns settle all
  /// that it says of the modules that it fits.
  enum class Idle { no, fits_none, said_before };
  /// Whether and why each pattern changes nothing, for a model with modules at these paths.
  std::vector<Idle> idle(const std::vector<std::string>& paths) const;

  const std::vector<ModulePattern>& list() const { return patterns_; }
  bool empty() const { return patterns_.empty(); }
  bool operator==(const ModulePatterns& other) const { return patterns_ == other.patterns_; }

 private:
  bool fits(std::size_t pattern, const std::string& path) const;

  std::vector<ModulePattern> patterns_;
  std::vector<std::shared_ptr<const std::regex>> compiled_;
};

}  // namespace trl
