#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::range_outside_suite{
    "range_outside_suite",
    Severity::error,
    false,
    "Ids outside a suite (such as a slice that counts from 0) would silently select other tasks, or none.",
    R"(import example
split a = example.hard[3..4]
)",
    R"(import example
split a = example.hard[3..5]
)",
    nullptr};

}  // namespace trl::language
