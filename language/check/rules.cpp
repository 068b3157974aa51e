#include "language/diagnostics/rule.hpp"

namespace trl::language {

namespace rules {
#define RULE(id) extern const Rule id;
#include "language/check/rules.def"
#undef RULE
}  // namespace rules

const std::vector<const Rule*>& all_rules() {
  static const std::vector<const Rule*> all = {
#define RULE(id) &rules::id,
#include "language/check/rules.def"
#undef RULE
  };
  return all;
}

const Rule* find_rule(std::string_view id) {
  for (const Rule* rule : all_rules())
    if (rule->id == id) return rule;
  return nullptr;
}

Diagnostic found(const Rule& rule, Range range, std::string message) {
  return {std::string(rule.id), rule.severity, std::move(message), range, {}, "", {}};
}

}  // namespace trl::language
