#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::reference_cycle{"reference_cycle",
                                  Severity::error,
                                  false,
                                  "Declarations that refer to each other in a cycle have no value.",
                                  R"(import example
split a = example.easy
split b = a
)",
                                  R"(split a = b
split b = a
)",
                                  nullptr};

}  // namespace trl::language
