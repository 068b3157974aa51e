#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unknown_kind{
    "unknown_kind",         Severity::error, false, "Only the kinds of the schema have a meaning.",
    R"(lora l { rank = 8 }
)",
    R"(loar l { rank = 8 }
)", nullptr};

}  // namespace trl::language
