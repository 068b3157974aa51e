#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::empty_difference{
    "empty_difference",
    Severity::error,
    false,
    "A difference that removes nothing keeps tasks that its author believes are removed.",
    R"(import example
split a = example.easy + example.hard - example.hard[3..4]
)",
    R"(import example
split a = example.easy - example.hard[3..4]
)",
    nullptr};

}  // namespace trl::language
