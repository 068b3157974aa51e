// This rule is checked when a report is made, since a program doesn't say on which machines it will run. Here
// an experiment's `allow` of the rule is only counted as used, so that it gets into the document, from which
// reports read it.
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(mixed_hardware)
namespace {

void check_mixed_hardware(Inspection& inspection) { inspection.allowed(rules::mixed_hardware.id, {}); }

}  // namespace

const Rule rules::mixed_hardware{
    "mixed_hardware",
    Severity::error,
    true,
    "Samples, weights and times differ between GPUs and between vector units of CPUs; a report says where "
    "rows "
    "were made on different ones, since a difference of them may be the hardware's.",
    R"(import example
experiment e : example.study {
  allow(mixed_hardware, "both machines have the same GPU, under two names")
  seeds = 1..3
}
)",
    "\n",
    check_mixed_hardware};

}  // namespace trl::language
