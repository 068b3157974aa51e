#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

/// A field that acts only where another one has, or hasn't, a certain value.
struct Dependence {
  const char* field;
  const char* other;
  bool (*acts)(const Value& other);
  const char* why;     ///< why it acts on nothing
  const char* remedy;  ///< how to make it act
};

constexpr Dependence dependences[] = {
    {"match", "keep_by", [](const Value& by) { return by.string() == "random"; },
     "says how many answers are kept at random, and they are kept by their reward",
     "leave it out, or write `keep_by = random`"},
    {"optimiser_state", "rounds", [](const Value& rounds) { return rounds.number() > 1; },
     "says what goes on from one round to the next, and there is one round",
     "leave it out, or train for more rounds"},
};

/// Whether some cells have another value than the declaration.
bool is_varied(const Inspection& inspection, const std::string& path) {
  if (inspection.design == nullptr) return false;
  return std::any_of(
      inspection.design->factors.begin(), inspection.design->factors.end(), [&](const Factor& factor) {
        return std::any_of(factor.paths.begin(), factor.paths.end(),
                           [&](const std::string& one) { return one == path || one.ends_with("." + path); });
      });
}

/// Whether a field's value is the one that the schema gives it: who writes that down changes nothing.
bool is_default(const Value& value, const Spec* spec) {
  return spec != nullptr && spec->default_value && spec->default_value->text == value.string();
}

void check_idle_setting(Inspection& inspection) {
  if (!inspection.experiment.sound("vary")) return;
  for (const auto& stage : inspection.stages())
    for (const auto& dependence : dependences) {
      const Value *field = stage.train->field(dependence.field),
                  *other = stage.train->field(dependence.other);
      if (field == nullptr || other == nullptr || !field->given || dependence.acts(*other)) continue;
      if (stage.train->variant != nullptr &&
          is_default(*field, find(stage.train->variant->fields, dependence.field)))
        continue;
      if (is_varied(inspection, stage.train->name + "." + dependence.other)) continue;
      auto d = found(rules::idle_setting, field->range,
                     std::string("`") + dependence.field + "` of `" + stage.train->name +
                         "` acts on nothing: it " + dependence.why);
      if (other->given) d.note(std::string("`") + dependence.other + "` is given here", other->range);
      d.helped(dependence.remedy);
      inspection.report(std::move(d), {stage.train});
    }
}

}  // namespace

const Rule rules::idle_setting{"idle_setting",
                               Severity::warning,
                               true,
                               "A setting that acts on nothing makes readers believe what isn't done.",
                               R"(import example
train unfiltered : example.reinforce { keep_by = random, match = tokens }
experiment e : example.study { controls = [unfiltered] }
)",
                               R"(import example
train t : example.reinforce { match = tokens }
train unfiltered : t { keep_by = random }
experiment e : example.study { train = t, controls = [unfiltered] }
)",
                               check_idle_setting};

}  // namespace trl::language
