#include "language/diagnostics/rule.hpp"

namespace trl::language {

const Rule rules::unused_override{
    "unused_override",
    Severity::warning,
    true,
    "An override of something that the experiment does not use changes nothing.",
    R"(import example
train t : example.reinforce {}
experiment e : example.study { train = t, override { t.rounds = 3 } }
)",
    R"(import example
train t : example.reinforce {}
experiment e : example.study { override { t.rounds = 3 } }
)",
    nullptr};

}  // namespace trl::language
