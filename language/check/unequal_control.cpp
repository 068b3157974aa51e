#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "language/check/inspection.hpp"
#include "language/diagnostics/suggest.hpp"

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
  // `idle` has the fields that aren't compared for a control that keeps answers at random: `match`, which has
  // no meaning in a study whose rewards choose; and, if `match` is `none`, the fields of the reward, which
  // the control then doesn't read.
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

/// Returns the index of the study's stage that a stage of the control replaces: the most similar stage of the
/// same variant.
std::optional<std::size_t> counterpart(const Resolved& control, const Value& study) {
  std::optional<std::size_t> best;
  std::size_t least = 0;
  for (std::size_t i = 0; i < study.items.size(); ++i) {
    const auto& stage = study.items[i].declaration;
    if (!stage || stage->variant != control.variant) continue;
    const std::size_t count = differences(control, *stage).size();
    if (best && count >= least) continue;
    best = i;
    least = count;
  }
  return best;
}

/// Returns stages by their names: "imitate -> unfiltered". Empty if a stage is unknown, or if it is declared
/// in another file than `in`: there its name alone wouldn't refer to it.
std::string pipeline(const std::vector<const Resolved*>& stages, FileId in) {
  std::string out;
  for (const Resolved* stage : stages) {
    if (stage == nullptr || stage->range.file != in) return "";
    out += (out.empty() ? "" : " -> ") + stage->name;
  }
  return out;
}

/// Reports a control that has the study's stages in another order.
void report_order(Inspection& inspection, const Value& control, const Value& study,
                  std::vector<std::pair<std::size_t, const Resolved*>> stages) {
  // Imitation after training by rewards would overwrite what rewards have taught, so the control's order is
  // the intended one.
  const Resolved* first = study.items.front().declaration.get();
  if (stages.size() == study.items.size() && first != nullptr && !first->is_a("sft") &&
      stages.front().second->is_a("sft")) {
    std::vector<const Resolved*> order;
    for (const auto& [place, stage] : stages) order.push_back(study.items[place].declaration.get());
    const std::string text = pipeline(order, study.range.file);
    auto d =
        found(rules::unequal_control, study.range,
              "`" + order.front()->name + "` comes behind `" + first->name +
                  "`: imitation overwrites what rewards taught; and the control's stages are in the other "
                  "order");
    d.note("the control", control.range);
    d.helped("give both the order of the control" + (text.empty() ? "" : ": `" + text + "`"));
    if (!text.empty()) d.suggest("write `" + text + "`", study.range, text);
    return inspection.report(std::move(d), std::move(order));
  }
  std::sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Resolved*> ordered;
  for (const auto& [place, stage] : stages) ordered.push_back(stage);
  const std::string text = pipeline(ordered, control.range.file);
  auto d =
      found(rules::unequal_control, control.range,
            "the stages of this control are in another order than the study's, so that a difference may be "
            "the order's");
  d.note("the study", study.range);
  d.helped("give both the same order" +
           (text.empty() ? "" : ": `" + text + "` here, or the study that of the control"));
  if (!text.empty()) d.suggest("write `" + text + "`", control.range, text);
  inspection.report(std::move(d), std::move(ordered));
}

/// Reports a control that has all stages of the study and further ones: `imitate -> reinforce -> finish`.
/// `replaced` are the indices of the study's stages that stages of the control replace.
bool report_longer(Inspection& inspection, const Value& control, const Value& study,
                   const std::set<std::size_t>& replaced) {
  if (study.items.empty() || control.items.size() <= study.items.size() ||
      replaced.size() != study.items.size())
    return false;
  const std::size_t more = control.items.size() - study.items.size();
  auto d = found(rules::unequal_control, control.range,
                 more == 1 ? "this control is trained by a stage more than the study: a difference may be "
                             "that of more training"
                           : "this control is trained by " + std::to_string(more) +
                                 " stages more than the study: a difference may be that of more training");
  d.note("the study", study.range);
  std::vector<const Resolved*> stages;
  for (const Value& stage : control.items) stages.push_back(stage.declaration.get());
  const std::string text = pipeline(stages, study.range.file);
  d.helped("give the study the same stages" + (text.empty() ? "" : ", `train = " + text + "`") +
           ", or the control no more than the study's");
  inspection.report(std::move(d), std::move(stages));
  return true;
}

/// Reports a control that has fewer stages than the study and ends with a stage whose variant the study
/// lacks: `chance` beside `warm -> grouped`. It may have been meant as `warm -> chance`.
bool report_shorter(Inspection& inspection, const Value& control, const Value& study) {
  const Resolved* other = nullptr;  // the control's last stage, if the study has none of its variant
  for (const Value& stage : control.items) {
    if (!stage.declaration || stage.declaration->variant == nullptr) return false;
    other = counterpart(*stage.declaration, study) ? nullptr : stage.declaration.get();
  }
  if (other == nullptr) return false;
  std::vector<const Resolved*> whole;
  for (const Value& stage : study.items) whole.push_back(stage.declaration.get());
  const Resolved* in_place_of = std::exchange(whole.back(), other);
  if (in_place_of == nullptr || in_place_of->variant == nullptr) return false;
  auto d = found(rules::unequal_control, control.range,
                 "a control differs in one thing, but this one leaves a stage out and trains by " +
                     other->variant->name + " in place of " + in_place_of->variant->name);
  d.note("the study", study.range);
  const std::string text = pipeline(whole, control.range.file);
  d.helped("give it the study's other stages, too" + (text.empty() ? "" : ": `" + text + "`"));
  if (!text.empty()) d.suggest("write `" + text + "`", control.range, text);
  inspection.report(std::move(d), {other});
  return true;
}

/// Returns the difference that the control was probably made for: `keep_by`, otherwise a field that isn't a
/// number, such as the reward, otherwise the first.
const Difference& meant(const std::vector<Difference>& between) {
  const auto rank = [](const Difference& d) {
    return d.field == "keep_by" ? 0 : d.control->plain.is_number() ? 2 : 1;
  };
  return *std::min_element(between.begin(), between.end(),
                           [&](const Difference& a, const Difference& b) { return rank(a) < rank(b); });
}

/// Returns a field as a declaration writes it, `reward(c) = c.credit`; empty for a value that isn't a word, a
/// short plain value or a formula.
std::string written(const Difference& field) {
  const Value& value = *field.control;
  if (value.is(Value::Kind::formula)) {
    return fmt::format("{}({}) = {}", field.field, fmt::join(value.parameters, ", "),
                       formulas::formula_text(value.formula));
  }
  const std::string out = value.plain.is_string() ? value.string() : text(value);
  return value.is(Value::Kind::plain) && !out.empty() ? field.field + " = " + out : "";
}

/// Returns a declaration of the control's stage that derives from the study's stage and differs from it in
/// one field, the one that was probably meant; empty if `written` can't write that field.
std::string derived(const Resolved& control, const Resolved& study, const std::vector<Difference>& between) {
  const std::string field = written(meant(between));
  return field.empty() ? "" : "train " + control.name + " : " + study.name + " { " + field + " }";
}

/// Whether the control's stage derives from the study's stage, so that all differences are fields that it
/// sets itself.
bool derives(const Resolved& control, const Resolved& study, const std::vector<Difference>& between) {
  return control.declared != nullptr && control.declared->base.text() == study.name &&
         std::all_of(between.begin(), between.end(), [&](const Difference& d) {
           return d.control->given && d.control->origin.by == control.declared;
         });
}

/// Adds advice on the fields that a control's stage, which derives from the study's, should not set, so that
/// only one difference remains.
void suggest_fewer(Diagnostic& d, const Resolved& control, const Resolved& study,
                   const std::vector<Difference>& between) {
  const Difference& kept = meant(between);
  std::vector<std::string> others;
  const Difference* other = nullptr;
  const std::string instead = derived(control, study, between);
  for (const Difference& one : between)
    if (&one != &kept) others.push_back(one.field), other = &one;
  d.helped("leave " + enumeration(others, others.size()) + " out of `" + control.name +
           "`, so that it differs in `" + kept.field + "` alone" +
           (instead.empty() ? "" : ": `" + instead + "`"));
  const std::string value = text(*other->study);
  if (others.size() == 1 && other->study->plain.is_number())
    d.suggest("write `" + value + "`, as the study has", other->control->range, value);
}

void check_unequal_control(Inspection& inspection) {
  const Value *study = inspection.experiment.field("train"),
              *controls = inspection.experiment.field("controls");
  if (study == nullptr || controls == nullptr) return;
  // Controls run without the settings of a cell, so they aren't compared with a cell.
  const bool of_cell =
      inspection.design != nullptr && !inspection.design->cells.empty() && inspection.cells.empty();
  if (of_cell) return;
  for (const Value& control : controls->items) {
    std::vector<Difference> all;
    std::vector<const Resolved*> subjects;
    std::string names, instead;
    const Resolved* controlled = nullptr;                         // the study's stage of the first subject
    std::vector<std::pair<std::size_t, const Resolved*>> stages;  // by the places of those that they replace
    std::vector<const Resolved*> whole;  // the study's, with the control's in their places
    for (const Value& stage : study->items) whole.push_back(stage.declaration.get());
    for (const Value& stage : control.items) {
      const bool sound =
          stage.declaration && stage.declaration->sound("keep_by") && stage.declaration->sound("match");
      const auto place = sound ? counterpart(*stage.declaration, *study) : std::nullopt;
      if (!place) continue;
      const Resolved* of = study->items[*place].declaration.get();
      stages.emplace_back(*place, stage.declaration.get());
      whole[*place] = stage.declaration.get();
      const auto some = differences(*stage.declaration, *of);
      if (some.empty()) continue;
      subjects.push_back(stage.declaration.get());
      if (controlled == nullptr) controlled = of;
      names += (names.empty() ? "`" : ", `") + stage.declaration->name + "` against `" + of->name + "`";
      if (of->range.file == control.range.file && instead.empty())
        instead = derived(*stage.declaration, *of, some);
      all.insert(all.end(), some.begin(), some.end());
    }
    std::set<std::size_t> replaced;
    for (const auto& [place, stage] : stages) replaced.insert(place);
    if (report_longer(inspection, control, *study, replaced)) continue;
    // Stages of the same variant can replace each other, so their order means nothing.
    const bool turned = std::adjacent_find(stages.begin(), stages.end(), [](const auto& a, const auto& b) {
                          return a.first > b.first && a.second->variant != b.second->variant;
                        }) != stages.end();
    if (turned && stages.size() == control.items.size()) {
      report_order(inspection, control, *study, std::move(stages));
      continue;
    }
    // A control may leave out a stage of the study. If it doesn't, it may differ in one setting.
    const bool shorter = control.items.size() < study->items.size();
    if (shorter && report_shorter(inspection, control, *study)) continue;
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
    const std::string complete = pipeline(whole, control.range.file);
    if (shorter && all.size() == 1 && !complete.empty()) {
      d.helped("give it the study's other stages, too: `" + complete + "`");
      d.suggest("write `" + complete + "`", control.range, complete);
    } else if (!shorter && subjects.size() == 1 && derives(*subjects.front(), *controlled, all)) {
      suggest_fewer(d, *subjects.front(), *controlled, all);
    } else {
      d.helped("derive it from the stage that it controls, and change one field" +
               (instead.empty() ? "" : ": `" + instead + "`"));
    }
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
