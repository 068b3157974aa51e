#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::wrong_type{"wrong_type",
                             Severity::error,
                             false,
                             "A value must have the type of its field.",
                             R"(lora l { rank = 8 }
)",
                             R"(lora l { rank = 2.5 }
)",
                             nullptr};

}  // namespace trl::language
