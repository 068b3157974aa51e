#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unreadable{"unreadable",
                             Severity::error,
                             false,
                             "A file that cannot be read cannot be checked.",
                             R"(import example
)",
                             R"(
)",
                             nullptr};

}  // namespace trl::language
