#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(equal_control)
namespace {

bool trains_alike(const Resolved& one, const Resolved& other) {
  return one.variant != nullptr && !one.faulty && !other.faulty && one.variant == other.variant &&
         one.fields.size() == other.fields.size() &&
         std::equal(one.fields.begin(), one.fields.end(), other.fields.begin(),
                    [](const auto& a, const auto& b) {
                      return a.first == b.first && to_json(a.second) == to_json(b.second);
                    });
}

void check_equal_control(Inspection& inspection) {
  const Value *train = inspection.experiment.field("train"),
              *controls = inspection.experiment.field("controls"),
              *always = inspection.experiment.field("extensions");
  if (train == nullptr || controls == nullptr || inspection.design == nullptr) return;
  // A control has no extension, and no setting that is varied.
  if (always != nullptr && !always->items.empty()) return;
  const auto& factors = inspection.design->factors;
  if (std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.extension == nullptr; }))
    return;
  for (const Value& control : controls->items) {
    if (control.items.size() != train->items.size()) continue;
    const bool alike = std::equal(
        control.items.begin(), control.items.end(), train->items.begin(), [](const Value& a, const Value& b) {
          return a.declaration && b.declaration && trains_alike(*a.declaration, *b.declaration);
        });
    if (!alike) continue;
    auto d =
        found(rules::equal_control, control.range,
              "this control trains as `" + inspection.experiment.name + "` does: its row compares nothing");
    d.note("what is trained", train->range);
    d.helped("let a stage of the control differ, `keep_by = random` for instance, or leave it out");
    inspection.report(std::move(d), {});
  }
}

}  // namespace

const Rule rules::equal_control{"equal_control",
                                Severity::warning,
                                true,
                                "A control that trains as what it is compared with shows no difference.",
                                R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { controls = [unfiltered] }
)",
                                R"(import example
train again : example.reinforce {}
experiment e : example.study { controls = [again] }
)",
                                check_equal_control};

}  // namespace trl::language
