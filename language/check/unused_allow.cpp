#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unused_allow{
    "unused_allow",
    Severity::warning,
    true,
    "An `allow` that silences nothing makes a false statement about the experiment.",
    R"(import example
experiment e : example.study { seeds = 1..3 }
)",
    R"(import example
experiment e : example.study {
  allow(exam_overlap, "we wanted to see")
  seeds = 1..3
}
)",
    nullptr};

}  // namespace trl::language
