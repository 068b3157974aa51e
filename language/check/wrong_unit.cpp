#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::wrong_unit{
    "wrong_unit",
    Severity::error,
    false,
    "A quantity in another unit than its field has, such as seconds for a count, is a mistake.",
    R"(lora l { rank = 8 }
)",
    R"(lora l { rank = 8 s }
)",
    nullptr};

}  // namespace trl::language
