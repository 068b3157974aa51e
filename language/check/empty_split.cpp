#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::empty_split{"empty_split",
                              Severity::error,
                              false,
                              "A split without tasks ends in a division by zero, after the run.",
                              R"(import example
split a = example.hard[3..4]
)",
                              R"(import example
split a = example.hard[4..3]
)",
                              nullptr};

}  // namespace trl::language
