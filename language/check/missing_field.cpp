#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::missing_field{"missing_field",
                                Severity::error,
                                false,
                                "A field without a default must be given.",
                                R"(import example
evaluation e { split = example.hard }
)",
                                R"(evaluation e { samples = 2 }
)",
                                nullptr};

}  // namespace trl::language
