#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::misplaced{
    "misplaced",
    Severity::error,
    false,
    "Each part has one place: a task in a suite, other declarations at the top level.",
    R"(import example
lora l {}
model m : example.base {}
)",
    R"(import example
lora l { model m : example.base {} }
)",
    nullptr};

}  // namespace trl::language
