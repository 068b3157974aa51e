#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unknown_name{"unknown_name",
                               Severity::error,
                               false,
                               "A name must stand for a declaration, a function or a choice that exists.",
                               R"(import example
split a = example.hard
)",
                               R"(import example
split a = example.hrad
)",
                               nullptr};

}  // namespace trl::language
