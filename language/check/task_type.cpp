#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::task_type{"task_type",
                            Severity::error,
                            false,
                            "A task whose shapes do not fit has no reference to compare with.",
                            R"(suite s { task t[M = 64](x: f32[M], y: f32[M]) = x + y }
)",
                            R"(suite s { task t[M = 64, N = 32](x: f32[M], y: f32[N]) = x + y }
)",
                            nullptr};

}  // namespace trl::language
