#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(always_on)
namespace {

void check_always_on(Inspection& inspection) {
  const Value* on = inspection.experiment.field("extensions");
  if (inspection.design == nullptr || on == nullptr) return;
  for (const Factor& factor : inspection.design->factors) {
    if (factor.extension == nullptr) continue;
    const auto same = [&](const Value& one) {
      return one.declaration != nullptr && one.declaration->range == factor.extension->range;
    };
    const auto place = std::find_if(on->items.begin(), on->items.end(), same);
    if (place == on->items.end()) continue;
    auto d = found(rules::always_on, place->range,
                   "`" + factor.name +
                       "` is on in all cells and varied, too: cells with and without it would be the same");
    if (const Value* vary = inspection.experiment.field("vary")) d.note("it is varied here", vary->range);
    d.helped("leave it out of `extensions` to study it, or out of `vary` to have it on in all cells");
    inspection.report(std::move(d), {factor.extension});
  }
}

}  // namespace

const Rule rules::always_on{"always_on",
                            Severity::error,
                            false,
                            "An extension that is on in every cell can't be turned off in some of them.",
                            R"(import example
extension memory : memory_checks {}
experiment e : example.study { extensions = [memory], vary = subsets(example.pace) }
)",
                            R"(import example
experiment e : example.study { extensions = [example.pace], vary = subsets(example.pace) }
)",
                            check_always_on};

}  // namespace trl::language
