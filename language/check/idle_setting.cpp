#include <algorithm>
#include <string>

#include "language/check/endpoint.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(idle_setting)
namespace {

/// A field that has an effect only if another field has, or doesn't have, a certain value.
struct Dependence {
  const char* field;
  const char* other;
  bool (*acts)(const Value& other);
  const char* why;     ///< why the setting has no effect
  const char* remedy;  ///< how to give it an effect
};

constexpr Dependence dependences[] = {
    {"match", "keep_by", [](const Value& by) { return by.string() == "random"; },
     "says how many answers are kept at random, and they are kept by their reward",
     "leave it out, or write `keep_by = random`"},
    {"optimiser_state", "rounds", [](const Value& rounds) { return rounds.number() > 1; },
     "says what goes on from one round to the next, and there is one round",
     "leave it out, or train for more rounds"},
    {"reference", "kl", [](const Value& kl) { return kl.number() > 0; },
     "says from which policy the divergence is measured, and its weight is 0",
     "leave it out, or give the divergence a weight: `kl = 0.01`"},
    {"feedback", "turns", [](const Value& turns) { return turns.number() > 1; },
     "is the prompt of later turns, and an episode has one", "leave it out, or write `turns = 3`"},
    {"discount", "turns", [](const Value& turns) { return turns.number() > 1; },
     "says what the rewards of later turns count, and an episode has one turn",
     "leave it out, or write `turns = 3`"},
    {"standardised", "baseline", [](const Value& baseline) { return baseline.string() == "mean"; },
     "divides by the standard deviation, and `baseline = leave_one_out` never does",
     "leave it out, or write `baseline = mean`"},
    {"mismatch_cap", "mismatch",
     [](const Value& mismatch) { return mismatch.string() == "truncate" || mismatch.string() == "reject"; },
     "bounds by what a token's loss is multiplied, and `mismatch` has no loss multiplied",
     "leave it out, or write `mismatch = truncate`"},
    {"mismatch_answer_cap", "mismatch", [](const Value& mismatch) { return mismatch.string() != "ignore"; },
     "bounds an answer's ratios of training to sampling, and `mismatch` takes none up",
     "leave it out, or write `mismatch = measure`"},
    {"mismatch_veto", "mismatch", [](const Value& mismatch) { return mismatch.string() != "ignore"; },
     "bounds a token's ratio of training to sampling, and `mismatch` takes none up",
     "leave it out, or write `mismatch = measure`"},
    {"plan_weight", "plan_reward", [](const Value& reward) { return !reward.absent(); },
     "weighs the loss of plan tokens, and without `plan_reward` plan and code have one reward and one loss",
     "leave it out, or give plans a reward: `plan_reward(c) = if c.valid then min(c.speedup, 2) else 0`"},
    {"top_k", "temperature", [](const Value& temperature) { return temperature.number() > 0; },
     "says which tokens may be drawn, and at temperature 0 the most likely one is always taken",
     "leave it out, or sample at a temperature above 0"},
    {"top_p", "temperature", [](const Value& temperature) { return temperature.number() > 0; },
     "says which tokens may be drawn, and at temperature 0 the most likely one is always taken",
     "leave it out, or sample at a temperature above 0"},
};

void report_idle(Inspection& inspection, const Resolved& of, const Value& field, const char* name,
                 const std::string& why, const std::string& remedy, const Value* other,
                 const char* other_name, Severity severity = Severity::warning) {
  auto d = found(rules::idle_setting, field.range,
                 std::string("`") + name + "` of `" + of.name + "` acts on nothing: " + why);
  if (other != nullptr && other->given)
    d.note(std::string("`") + other_name + "` is given here", other->range);
  d.severity = severity;
  d.helped(remedy);
  inspection.report(std::move(d), {&of});
}

/// Reports a bound of the ratios if a round has only one step: in the first step every ratio is 1.
void examine_clip(Inspection& inspection, const Resolved& of, const char* bound) {
  const Value* clip = of.field(bound);
  if (clip == nullptr || !clip->given || clip->absent()) return;
  double answers = 1;
  for (const char* name : {"tasks_per_round", "candidates", "epochs", "batch"}) {
    const Value* field = of.field(name);
    if (field == nullptr || !of.sound(name) || is_varied(inspection, of.name + "." + name)) return;
  }
  for (const char* name : {"tasks_per_round", "candidates"}) answers *= of.field(name)->number();
  if (const Value* tasks = of.field("tasks"); tasks != nullptr && tasks->is(Value::Kind::tasks))
    answers = std::min(answers, of.field("candidates")->number() * static_cast<double>(tasks->tasks.size()));
  if (of.field("epochs")->number() > 1 || answers > of.field("batch")->number()) return;
  report_idle(
      inspection, of, *clip, bound,
      "it bounds how far a probability moves from what it was before a round's first step, and a round of " +
          count_text(answers) + " answers has no other step",
      "leave it out, or take several steps: with a smaller `batch` or more `epochs`", of.field("batch"),
      "batch");
}

/// Reports more pairs than a task can give: at most one fewer than its candidates, since no right answer, or
/// no wrong one, occurs in two pairs.
void examine_pairs(Inspection& inspection, const Resolved& of) {
  const Value *pairs = of.field("pairs"), *candidates = of.field("candidates");
  if (pairs == nullptr || candidates == nullptr || !pairs->given || !of.sound("candidates") ||
      pairs->number() < candidates->number() || is_varied(inspection, of.name + ".candidates") ||
      is_default(inspection, of, "pairs"))
    return;
  const std::string most = count_text(candidates->number() - 1);
  report_idle(inspection, of, *pairs, "pairs",
              "of " + count_text(candidates->number()) + " answers come " + most +
                  " pairs at most, each of whose right or wrong answers is in no other",
              "write `" + most + "` or less, or sample more candidates", candidates, "candidates");
}

/// Reports `merged` for an adapter of a quantised model: an adapter can't be merged into quantised weights.
void examine_merging(Inspection& inspection) {
  const Resolved *model = inspection.model(), *adapter = inspection.adapter();
  if (model == nullptr || adapter == nullptr) return;
  const Value *quantize = model->field("quantize"), *sampled = adapter->field("sampled");
  if (quantize == nullptr || sampled == nullptr || sampled->string() != "merged" ||
      quantize->string() == "none" || is_varied(inspection, model->name + ".quantize"))
    return;
  report_idle(inspection, *adapter, *sampled, "sampled",
              "it says that the adapter is merged into the model's weights, and those of `" + model->name +
                  "` are " + quantize->string() + ", which are never merged",
              "leave it out, or write `unmerged`, as is done", quantize, "quantize");
}

/// Reports several seeds for answers that were generated elsewhere: they are the same under every seed.
void examine_seeds(Inspection& inspection) {
  const Value* seeds = inspection.experiment.field("seeds");
  const Value* given = weights_called(inspection, "generations");
  const bool varied = inspection.design != nullptr && !inspection.design->factors.empty();
  if (given == nullptr || seeds == nullptr || !seeds->given || seeds->items.size() < 2 || varied ||
      !inspection.stages().empty())
    return;
  report_idle(inspection, inspection.experiment, *seeds, "seeds",
              "the answers of `" + inspection.model()->name +
                  "` were given elsewhere and are the same under every seed, so they are one run and not " +
                  std::to_string(seeds->items.size()),
              "leave it out", given, "weights");
}

void examine_idle(Inspection& inspection, const Resolved& of) {
  for (const auto& dependence : dependences) {
    const Value *field = of.field(dependence.field), *other = of.field(dependence.other);
    if (field == nullptr || other == nullptr || !field->given || dependence.acts(*other)) continue;
    // A written default isn't reported, since `trl show` writes defaults out. But if a boolean and its other
    // field are both written, it is reported (as a note): the author then states something that isn't done.
    const bool both = field->plain.is_boolean() && other->given;
    if (is_default(inspection, of, dependence.field) && !both) continue;
    if (is_varied(inspection, of.name + "." + dependence.other)) continue;
    report_idle(inspection, of, *field, dependence.field, std::string("it ") + dependence.why,
                dependence.remedy, other, dependence.other,
                is_default(inspection, of, dependence.field) ? Severity::note : Severity::warning);
  }
  for (const char* bound : {"clip_ratio", "clip_higher"}) examine_clip(inspection, of, bound);
  examine_pairs(inspection, of);
  const Value* top_k = of.field("top_k");
  const auto& architecture = inspection.architecture();
  if (top_k == nullptr || !top_k->given || top_k->absent() || !architecture ||
      architecture->vocabulary <= 0 || top_k->number() < architecture->vocabulary ||
      is_varied(inspection, of.name + ".top_k"))
    return;
  report_idle(inspection, of, *top_k, "top_k",
              "the model has " + count_text(architecture->vocabulary) + " tokens", "leave it out", nullptr,
              "");
}

void check_idle_setting(Inspection& inspection) {
  if (!inspection.experiment.sound("vary")) return;
  examine_merging(inspection);
  examine_seeds(inspection);
  for (const auto& stage : inspection.stages()) examine_idle(inspection, *stage.train);
  for (const Resolved* evaluation : inspection.evaluations()) examine_idle(inspection, *evaluation);
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
