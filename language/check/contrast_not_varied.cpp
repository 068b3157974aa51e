#include <algorithm>

#include "language/check/inspection.hpp"
#include "language/suggest.hpp"

namespace trl::language {
namespace {

void check(Inspection& inspection) {
  const Value* vary = inspection.experiment.field("vary");
  std::vector<std::string> varied;
  if (vary != nullptr)
    for (const Value& item : vary->items)
      if (item.declaration) varied.push_back(item.declaration->name);
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value* contrast = hypothesis->field("contrast");
    if (contrast == nullptr || contrast->absent()) continue;
    const std::string whole = contrast->string(), name = whole.substr(whole.rfind('.') + 1);
    if (std::find(varied.begin(), varied.end(), name) != varied.end()) continue;
    auto d = found(rules::contrast_not_varied, contrast->range,
                   "`" + inspection.experiment.name + "` does not vary `" + whole +
                       "`: no two of its cells differ in it");
    if (vary != nullptr && vary->given) d.note("what it varies", vary->range);
    d.helped(varied.empty()
                 ? "write `vary = subsets(" + whole + ")` in the experiment"
                 : "it varies " + enumeration(varied) + ": compare one of them, or add `" + whole + "`");
    if (const auto best = closest(name, varied)) d.fix("write `" + *best + "`", contrast->range, *best);
    inspection.report(std::move(d), {hypothesis});
  }
}

}  // namespace

const Rule rules::contrast_not_varied{
    "contrast_not_varied",
    Severity::error,
    true,
    "A hypothesis about something that no two cells differ in has nothing to be decided by.",
    R"(import example
experiment e : example.study { vary = subsets(example.pace) }
hypothesis pace_helps { of = e, contrast = example.pace }
)",
    R"(import example
experiment e : example.study { extensions = [example.pace] }
hypothesis pace_helps { of = e, contrast = example.pace }
)",
    check};

}  // namespace trl::language
