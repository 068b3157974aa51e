#include <fmt/format.h>

#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(no_reward_control)
namespace {

/// Whether a way to train weighs all of its samples by their rewards, in rounds, so that none can be left out
/// of training at random.
bool weighs(const Resolved& train) {
  return train.field("rounds") != nullptr && train.field("candidates") != nullptr &&
         train.field("keep_by") == nullptr && train.sound("keep_by");
}

/// Whether a control tells what a stage's reward taught: it ends before that stage, or trains by the same way
/// with other settings.
bool controls_stage(const Value& control, const Resolved& stage) {
  bool same_way = false;
  for (const Value& part : control.items) {
    if (!part.declaration || part.declaration->variant == nullptr) return true;  // it has an error
    same_way |= part.declaration->variant == stage.variant && part.declaration->declared != stage.declared;
  }
  const bool earlier = std::none_of(control.items.begin(), control.items.end(), [](const Value& part) {
    return part.declaration->field("rounds") != nullptr;
  });
  return earlier || same_way;
}

/// "imitate", the stages before the last one, by their names.
std::string before(const Value& train, const Resolved& last, const char* then) {
  std::string out;
  for (const Value& stage : train.items)
    if (stage.declaration.get() != &last) out += (out.empty() ? "" : " -> ") + stage.declaration->name;
  return out + (*then == 0 ? "" : (out.empty() ? "" : " -> ") + std::string(then));
}

void check_no_reward_control(Inspection& inspection) {
  const Resolved& experiment = inspection.experiment;
  // Without a table no gain is claimed, and cells of a design are compared with each other.
  if (inspection.tables.empty() || !experiment.sound("controls") || !experiment.sound("vary") ||
      !experiment.sound("train"))
    return;
  const Value *train = experiment.field("train"), *controls = experiment.field("controls"),
              *vary = experiment.field("vary");
  if (train == nullptr || train->items.empty() || (vary != nullptr && !vary->absent())) return;
  for (const Value& stage : train->items)
    if (!stage.declaration || stage.declaration->variant == nullptr) return;
  const Resolved& last = *train->items.back().declaration;
  if (!weighs(last)) return;
  if (controls != nullptr)
    for (const Value& control : controls->items)
      if (controls_stage(control, last)) return;
  const bool others = controls != nullptr && !controls->items.empty();
  auto d = found(
      rules::no_reward_control, others ? controls->range : experiment.range,
      others ? fmt::format("every control of `{}` is trained by another way than `{}`: a "
                           "difference may be that of the ways, and not of the reward",
                           experiment.name, last.name)
             : fmt::format("`{}` is shown without a control: a gain may be that of {}, whatever "
                           "`{}` rewards",
                           experiment.name,
                           train->items.size() > 1 ? "`" + train->items.front().declaration->name + "` alone"
                                                   : "any training on the model's own samples",
                           last.name));
  d.note("shown here", inspection.tables.front()->range);
  // Pairs are of right and wrong answers, whatever their rewards.
  const bool pairs = last.field("pairs") != nullptr, alone = train->items.size() == 1;
  const std::string chance = fmt::format(
      "`train chance : {} {{ reward(c) = mod(c.tokens, 2) / 2 }}`, whose rewards are as good as drawn",
      last.name);
  if (pairs && alone) return;  // the untrained model is the last row of every table
  // The untrained model, the last row of every table, is a control of a single stage.
  if (alone) d.severity = Severity::note;
  const std::string written = before(*train, last, alone ? "chance" : "");
  const std::string rows =
      fmt::format(", and `rows = cells + controls` in `{}`", inspection.tables.front()->name);
  const std::string list = others ? "add `{}` to `controls`" : "write `controls = [{}]`";
  if (alone)
    d.helped("declare " + chance + ", " + fmt::format(fmt::runtime(list), written) + rows);
  else
    d.helped(fmt::format(fmt::runtime(list), written) + rows +
             (pairs ? ""
                    : fmt::format("; and to tell the reward from any training on own samples, `{}` with {}",
                                  before(*train, last, "chance"), chance)));
  inspection.report(std::move(d), {&last, inspection.tables.front()});
}

}  // namespace

const Rule rules::no_reward_control{
    "no_reward_control",
    Severity::warning,
    true,
    "Rewards drawn at random have improved models, too (Shao et al. 2025): what a reward taught is seen "
    "beside training without it.",
    R"(import windtunnel
import example
train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
train rl : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3 }
experiment e : example.study { train = first -> rl, controls = [first] }
table main { of = e, rows = cells + controls }
)",
    R"(import windtunnel
import example
train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
train rl : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3 }
experiment e : example.study { train = first -> rl }
table main { of = e }
)",
    check_no_reward_control};

}  // namespace trl::language
