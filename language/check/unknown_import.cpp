#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unknown_import{
    "unknown_import",  Severity::error, false, "A misspelt import leaves every name of the module unknown.",
    R"(import example
)",
    R"(import exampel
)", nullptr};

}  // namespace trl::language
