#include "language/check/inspection.hpp"

namespace trl::language {

const Rule rules::varied_exam{
    "varied_exam",     Severity::error, true, "Results of cells with different exams cannot be compared.",
    R"(import example
experiment e : example.study { vary = grid(example.reinforce.temperature = [0.6, 0.8]) }
)",
    R"(import example
experiment e : example.study { vary = grid(example.exam.temperature = [0.6, 0.8]) }
)", nullptr};

}  // namespace trl::language
