#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::duplicate_name{"duplicate_name",
                                 Severity::error,
                                 false,
                                 "If two things had one name, one of them would be silently ignored.",
                                 R"(lora l { rank = 8 }
)",
                                 R"(lora l { rank = 8, rank = 16 }
)",
                                 nullptr};

}  // namespace trl::language
