#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unknown_field{
    "unknown_field",
    Severity::error,
    false,
    "A misspelt field must not be ignored: the run would differ from the one that was meant.",
    R"(lora l { rank = 8 }
)",
    R"(lora l { rnak = 8 }
)",
    nullptr};

}  // namespace trl::language
