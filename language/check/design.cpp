#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::design{
    "design",
    Severity::error,
    false,
    "A design whose lists differ in length, or whose fraction does not exist, has no cells to run.",
    R"(import example
experiment e : example.study { vary = zip(example.reinforce.candidates = [4, 8], example.reinforce.keep = [1, 2]) }
)",
    R"(import example
experiment e : example.study { vary = zip(example.reinforce.candidates = [4, 8], example.reinforce.keep = [1, 2, 3]) }
)",
    nullptr};

}  // namespace trl::language
