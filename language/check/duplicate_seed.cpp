#include <fmt/format.h>

#include <set>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(duplicate_seed)
namespace {

void check_duplicate_seed(Inspection& inspection) {
  const Value* seeds = inspection.experiment.field("seeds");
  if (seeds == nullptr) return;
  std::set<double> seen;
  for (const Value& seed : seeds->items) {
    if (seen.insert(seed.number()).second) continue;
    auto d = found(rules::duplicate_seed, seed.range,
                   fmt::format("seed {} is given twice: the second run would be the first", seed.number()));
    d.helped("give each run a seed of its own");
    inspection.report(std::move(d), {});
    return;
  }
}

}  // namespace

const Rule rules::duplicate_seed{"duplicate_seed",
                                 Severity::error,
                                 true,
                                 "A run with a seed that another run has is the same run, and not one more.",
                                 R"(import example
experiment e : example.study { seeds = [1, 2, 3] }
)",
                                 R"(import example
experiment e : example.study { seeds = [1, 2, 2] }
)",
                                 check_duplicate_seed};

}  // namespace trl::language
