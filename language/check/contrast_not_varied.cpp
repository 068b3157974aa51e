#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::contrast_not_varied{
    "contrast_not_varied",
    Severity::error,
    false,
    "A hypothesis about something that its experiment does not compare can never be decided.",
    R"(import example
experiment e : example.study { vary = subsets(example.pace) }
hypothesis pace_helps { of = e, contrast = example.pace }
)",
    R"(import example
experiment e : example.study { vary = subsets(example.pace) }
extension inputs : multi_input {}
hypothesis inputs_help { of = e, contrast = inputs }
)",
    nullptr};

}  // namespace trl::language
