#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::sample_too_large{
    "sample_too_large", Severity::error, false, "A sample cannot have more tasks than the set has.",
    R"(import example
split a = sample(example.hard, n = 3, seed = 7)
)",
    R"(import example
split a = sample(example.hard, n = 20, seed = 7)
)",  nullptr};

}  // namespace trl::language
