#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::misplaced{
    "misplaced",       Severity::error, false, "Every part of a declaration has one place.",
    R"(import example
lora l {}
model m : example.base {}
)",
    R"(import example
lora l { model m : example.base {} }
)", nullptr};

}  // namespace trl::language
