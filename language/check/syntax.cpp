#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::syntax{"syntax",          Severity::error, false, "What cannot be read means nothing.",
                         R"(import example
split a = example.easy
)",
                         R"(import example
split a = example.easy +
)", nullptr};

}  // namespace trl::language
