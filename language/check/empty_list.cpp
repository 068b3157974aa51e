#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::empty_list{"empty_list",
                             Severity::error,
                             false,
                             "Without inputs to test, every kernel is correct; without seeds, nothing runs.",
                             R"(import example
extension inputs : multi_input { variations = [original] }
experiment e : example.study { vary = subsets(inputs), controls = [] }
)",
                             R"(import example
extension inputs : multi_input { variations = [] }
experiment e : example.study { vary = subsets(inputs) }
)",
                             nullptr};

}  // namespace trl::language
