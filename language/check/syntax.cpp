#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::syntax{
    "syntax",          Severity::error, false, "Text that is not in the grammar has no meaning.",
    R"(import example
split a = example.easy
)",
    R"(import example
split a = example.easy +
)", nullptr};

}  // namespace trl::language
