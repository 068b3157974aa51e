#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::out_of_range{
    "out_of_range",
    Severity::error,
    false,
    "A value outside its range has no sensible meaning; a dropout of 5 was probably meant as 5%.",
    R"(lora l { dropout = 5% }
)",
    R"(lora l { dropout = 5 }
)",
    nullptr};

}  // namespace trl::language
