#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::range_outside_suite{
    "range_outside_suite",
    Severity::error,
    false,
    "Ids beyond a suite (a slice counted from 0, say) silently select other tasks, or none.",
    R"(import example
split a = example.hard[3..4]
)",
    R"(import example
split a = example.hard[3..5]
)",
    nullptr};

}  // namespace trl::language
