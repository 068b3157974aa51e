#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::allow_unknown_rule{
    "allow_unknown_rule", Severity::error, false, "An `allow` with a misspelt rule silences nothing.",
    R"(import example
train t : example.reinforce {
  temperature = 1
}
)",
    R"(import example
train t : example.reinforce { allow(keeps_incorect, "studied") }
)",    nullptr};

}  // namespace trl::language
