#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(no_filter_control)
namespace {

/// Whether rewards choose which of the sampled answers are trained on. Such training could also choose at
/// random, as a control.
bool filters(const Resolved& train) {
  const Value* keep_by = train.field("keep_by");
  return keep_by != nullptr && keep_by->string() == "reward";
}

void check_no_filter_control(Inspection& inspection) {
  if (inspection.tables.empty()) return;  // without a table no gain is claimed
  if (!inspection.experiment.sound("controls")) return;
  const Resolved* filtering = nullptr;
  for (const auto& stage : inspection.stages()) {
    if (!stage.control && filters(*stage.train)) filtering = stage.train;
    const Value* keep_by = stage.train->field("keep_by");
    if (stage.control &&
        (keep_by == nullptr ? !stage.train->sound("keep_by") : keep_by->string() == "random"))
      return;
  }
  if (filtering == nullptr) return;
  auto d =
      found(rules::no_filter_control, inspection.experiment.range,
            "`" + inspection.experiment.name +
                "` is shown without a control that keeps samples at random: a gain of `" + filtering->name +
                "` may come from training on the model's own samples, whatever the reward");
  d.note("shown here", inspection.tables.front()->range);
  std::string control;
  if (const Value* train = inspection.experiment.field("train"))
    for (const Value& stage : train->items)
      if (stage.declaration)
        control += (control.empty() ? "" : " -> ") +
                   (stage.declaration.get() == filtering ? "unfiltered" : stage.declaration->name);
  const Resolved& table = *inspection.tables.front();
  d.helped("declare `train unfiltered : " + filtering->name + " { keep_by = random }`, write `controls = [" +
           control + "]` in `" + inspection.experiment.name + "`, and `rows = cells + controls` in `" +
           table.name + "`");
  inspection.report(std::move(d), {filtering, inspection.tables.front()});
}

}  // namespace

const Rule rules::no_filter_control{"no_filter_control",
                                    Severity::warning,
                                    true,
                                    "Models also improve by training on their own unfiltered samples: "
                                    "without that control, the reward gets the "
                                    "credit.",
                                    R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { controls = [unfiltered] }
table main { of = e, rows = cells + controls }
)",
                                    R"(import example
experiment e : example.study { seeds = 1..3 }
table main { of = e }
)",
                                    check_no_filter_control};

}  // namespace trl::language
