#include <algorithm>
#include <set>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unequal_control)
namespace {

struct Difference {
  std::string field;
  const Value *control, *study;
};

std::string text(const Value& value) {
  const std::string out = value.absent() ? "none" : to_json(value).dump();
  return out.size() > 40 ? "" : out;
}

std::vector<Difference> differences(const Resolved& control, const Resolved& study) {
  std::vector<Difference> out;
  // What a control that keeps at random doesn't look at, and what means nothing where the reward chooses.
  const Value *by = control.field("keep_by"), *match = control.field("match");
  std::set<std::string> idle;
  if (by != nullptr && by->string() == "random") {
    idle.insert("match");
    if (match != nullptr && match->string() == "none") idle.insert({"reward", "min_reward"});
  }
  for (const auto& [name, value] : control.fields) {
    if (idle.contains(name)) continue;
    const Value* other = study.field(name);
    if (other != nullptr && to_json(value) != to_json(*other)) out.push_back({name, &value, other});
  }
  return out;
}

/// The stage of the study that a stage of the control replaces: the most similar one of the same variant.
const Resolved* counterpart(const Resolved& control, const Value& study) {
  const Resolved* best = nullptr;
  std::size_t least = 0;
  for (const Value& stage : study.items) {
    if (!stage.declaration || stage.declaration->variant != control.variant) continue;
    const std::size_t count = differences(control, *stage.declaration).size();
    if (best == nullptr || count < least) {
      best = stage.declaration.get();
      least = count;
    }
  }
  return best;
}

void check_unequal_control(Inspection& inspection) {
  const Value *study = inspection.experiment.field("train"),
              *controls = inspection.experiment.field("controls");
  if (study == nullptr || controls == nullptr) return;
  for (const Value& control : controls->items) {
    std::vector<Difference> all;
    std::vector<const Resolved*> subjects;
    std::string names;
    for (const Value& stage : control.items) {
      const bool sound =
          stage.declaration && stage.declaration->sound("keep_by") && stage.declaration->sound("match");
      const Resolved* of = sound ? counterpart(*stage.declaration, *study) : nullptr;
      if (of == nullptr) continue;
      const auto some = differences(*stage.declaration, *of);
      if (some.empty()) continue;
      subjects.push_back(stage.declaration.get());
      names += (names.empty() ? "`" : ", `") + stage.declaration->name + "` against `" + of->name + "`";
      all.insert(all.end(), some.begin(), some.end());
    }
    // A control may leave out a stage of the study. Otherwise it may differ in one setting.
    const bool shorter = control.items.size() < study->items.size();
    if (all.size() + (shorter ? 1 : 0) <= 1) continue;
    std::string list;
    for (const Difference& d : all) {
      const std::string a = text(*d.control), b = text(*d.study);
      list += (list.empty() ? "`" : ", `") + d.field + "`" +
              (a.empty() || b.empty() ? "" : " " + a + " against " + b);
    }
    auto d = found(rules::unequal_control, control.range,
                   std::string("a control differs in one thing, but this one ") +
                       (shorter ? "leaves a stage out and differs in " : "differs in ") +
                       (all.size() == 1 ? "" : std::to_string(all.size()) + " settings: ") + list + " (" +
                       names + ")");
    for (const Difference& one : all)
      if (one.control->given) d.note("`" + one.field + "` of the control", one.control->range);
    d.helped(
        "derive it from the stage that it controls, and change one field: `train unfiltered : reinforce { "
        "keep_by = random }`");
    inspection.report(std::move(d), std::move(subjects));
  }
}

}  // namespace

const Rule rules::unequal_control{
    "unequal_control",
    Severity::warning,
    true,
    "A control that differs in more than one thing cannot say which of them made the difference.",
    R"(import example
train unfiltered : example.reinforce { keep_by = random, match = none, min_reward = 0 }
experiment e : example.study { controls = [unfiltered] }
)",
    R"(import example
train unfiltered : example.reinforce { keep_by = random, epochs = 1, candidates = 4 }
experiment e : example.study { controls = [unfiltered] }
)",
    check_unequal_control};

}  // namespace trl::language
