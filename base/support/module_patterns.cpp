#include "base/support/module_patterns.hpp"

#include <utility>

namespace trl {

ModulePatterns::ModulePatterns(std::vector<ModulePattern> patterns) : patterns_(std::move(patterns)) {
  for (const auto& one : patterns_) compiled_.emplace_back(one.pattern, "(.*\\.)?(" + one.pattern + ")");
}

bool ModulePatterns::fits(std::size_t pattern, const std::string& path) const {
  return compiled_[pattern].matches(path);
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
