#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::duplicate_task{
    "duplicate_task",  Severity::error, false, "A task that is twice in a union counts twice in every mean.",
    R"(import example
split a = example.hard[1..2] + example.hard[3..4]
)",
    R"(import example
split a = example.hard[1..3] + example.hard[3..4]
)", nullptr};

}  // namespace trl::language
