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

bool train_alike(const Value& one, const Value& other) {
  return one.items.size() == other.items.size() &&
         std::equal(one.items.begin(), one.items.end(), other.items.begin(),
                    [](const Value& a, const Value& b) {
                      return a.declaration && b.declaration && trains_alike(*a.declaration, *b.declaration);
                    });
}

/// Whether two experiments are equal in everything on which a row depends, except training.
bool asks_alike(const Resolved& one, const Resolved& other) {
  const auto same = [&](const char* field) {
    const Value *a = one.field(field), *b = other.field(field);
    return a != nullptr && b != nullptr && (a->declaration == nullptr) == (b->declaration == nullptr) &&
           (a->declaration == nullptr ? to_json(*a) == to_json(*b)
                                      : to_json(*a->declaration) == to_json(*b->declaration));
  };
  return same("model") && same("adapter") && same("evaluate") && same("language");
}

/// Reports a control that trains exactly as one of the cells does: `grid(rl.keep_by = [reward, random])`
/// beside a control with `keep_by = random`.
void examine_cells(Inspection& inspection, const Value& controls) {
  const Design& design = *inspection.design;
  for (std::size_t i = 0; i < inspection.cells.size() && i < design.cells.size(); ++i) {
    const Resolved* cell = inspection.cells[i];
    const Value* train = cell == nullptr ? nullptr : cell->field("train");
    if (train == nullptr || cell->faulty || !asks_alike(*cell, inspection.experiment)) continue;
    bool extended = false;
    for (std::size_t f = 0; f < design.factors.size(); ++f)
      extended |=
          design.factors[f].extension != nullptr && design.factors[f].levels[design.cells[i][f]].text == "on";
    if (extended) continue;
    for (const Value& control : controls.items) {
      if (!train_alike(control, *train)) continue;
      auto d = found(rules::equal_control, control.range,
                     "this control trains as the cell `" + design.label(design.cells[i]) +
                         "` does: the two rows are one");
      d.note("what is varied", inspection.experiment.field("vary")->range);
      d.helped("leave it out of `controls`, or that value out of `vary`");
      inspection.report(std::move(d), {});
    }
  }
}

const Value* keeps_at_random(const Resolved& stage) {
  const Value* by = stage.field("keep_by");
  return by != nullptr && by->string() == "random" ? by : nullptr;
}

/// Reports the first stage of the study that keeps answers at random, as a stage of the same variant does in
/// a control: rewards then choose nothing in either. A stage whose `keep_by` is varied is passed over.
/// Returns whether there is such a stage.
bool report_random(Inspection& inspection, const Value& train, const Value& controls) {
  for (const Value& stage : train.items) {
    const Value* by = stage.declaration == nullptr ? nullptr : keeps_at_random(*stage.declaration);
    if (by == nullptr || is_varied(inspection, stage.declaration->name + ".keep_by")) continue;
    for (const Value& control : controls.items)
      for (const Value& other : control.items) {
        if (other.declaration == nullptr || other.declaration->variant != stage.declaration->variant ||
            keeps_at_random(*other.declaration) == nullptr)
          continue;
        const std::string& name = stage.declaration->name;
        auto d = found(rules::equal_control, by->given ? by->range : train.range,
                       "`" + name + "` keeps answers at random, as its control does: rewards choose nowhere");
        d.note("the control", control.range);
        d.helped("write `keep_by = reward` in `" + name + "`, and `keep_by = random` in the control alone");
        if (by->given && by->range.file == train.range.file) d.suggest("write `reward`", by->range, "reward");
        inspection.report(std::move(d), {stage.declaration.get()});
        return true;
      }
  }
  return false;
}

void check_equal_control(Inspection& inspection) {
  const Value *train = inspection.experiment.field("train"),
              *controls = inspection.experiment.field("controls"),
              *always = inspection.experiment.field("extensions");
  if (train == nullptr || controls == nullptr || inspection.design == nullptr) return;
  if (report_random(inspection, *train, *controls)) return;
  // A control has no extensions, and no setting that is varied.
  if (always != nullptr && !always->items.empty()) return;
  const auto& factors = inspection.design->factors;
  if (std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.extension == nullptr; }))
    return examine_cells(inspection, *controls);
  for (const Value& control : controls->items) {
    if (!train_alike(control, *train)) continue;
    auto d =
        found(rules::equal_control, control.range,
              "this control trains as `" + inspection.experiment.name + "` does: its row compares nothing");
    d.note("what is trained", train->range);
    // A stage that keeps no answers by their rewards has no control that keeps them at random.
    const Resolved *first = nullptr, *last = nullptr;
    for (const Value& stage : train->items) {
      last = stage.declaration.get();
      if (first == nullptr) first = last;
    }
    const bool shortens = last != nullptr && first != last && last->field("keep_by") == nullptr;
    d.helped(shortens
                 ? "let the control leave the last stage out, `controls = [" + first->name +
                       "]`, or train another way"
                 : "let a stage of the control differ, `keep_by = random` for instance, or leave it out");
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
