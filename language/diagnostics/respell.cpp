#include "language/diagnostics/respell.hpp"

#include "language/diagnostics/suggest.hpp"

namespace trl::language {

void respell(Diagnostic& diagnostic, const std::string& name, const std::vector<std::string>& candidates,
             Range where, Names names) {
  const auto best = closest(name, candidates);
  if (!best) return;
  const bool sure = names != Names::of_anything && surely(name, *best, candidates, names == Names::of_file);
  diagnostic.suggest("write `" + *best + "`", where, *best);
  diagnostic.fixes.back().certain = sure;
}

}  // namespace trl::language
