#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::sample_too_large{
    "sample_too_large", Severity::error, false, "No more tasks can be drawn from a set than are in it.",
    R"(import example
split a = sample(example.hard, n = 3, seed = 7)
)",
    R"(import example
split a = sample(example.hard, n = 20, seed = 7)
)",  nullptr};

}  // namespace trl::language
