#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::import_cycle{"import_cycle",
                               Severity::error,
                               false,
                               "Files that import each other cannot be read in any order.",
                               R"(import example
)",
                               R"(
)",
                               nullptr};

}  // namespace trl::language
