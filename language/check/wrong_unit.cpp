#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::wrong_unit{
    "wrong_unit",
    Severity::error,
    false,
    "Seconds given where a count is wanted are a mistake, however they would be rounded.",
    R"(lora l { rank = 8 }
)",
    R"(lora l { rank = 8 s }
)",
    nullptr};

}  // namespace trl::language
