#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(lone_seed)
namespace {

void check_lone_seed(Inspection& inspection) {
  const Value* seeds = inspection.experiment.field("seeds");
  if (seeds == nullptr || !seeds->given || seeds->items.size() != 1) return;
  const Value& seed = seeds->items.front();
  // Brackets or a range, `[3]` or `3..3`, show that this one seed is meant, and not a number of seeds.
  if (seed.range != seeds->range || seed.number() < 2) return;
  const std::string number = count_text(seed.number());
  auto d = found(rules::lone_seed, seeds->range,
                 fmt::format("this is one run, with the seed {}, and not {} runs", number, number));
  d.helped(fmt::format("write `seeds = 1..{}` for {} runs, or `seeds = [{}]` for this one", number, number,
                       number));
  d.suggest(fmt::format("write `1..{}`", number), seeds->range, "1.." + number);
  inspection.report(std::move(d), {});
}

}  // namespace

const Rule rules::lone_seed{
    "lone_seed",
    Severity::warning,
    true,
    "A number of runs in place of their seeds is one run, from which nothing can be claimed.",
    R"(import example
experiment e : example.study { seeds = 1..3 }
)",
    R"(import example
experiment e : example.study { seeds = 3 }
)",
    check_lone_seed};

}  // namespace trl::language
