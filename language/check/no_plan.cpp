#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(no_plan)
namespace {

/// The reason why answers have no text before their code: the model's weights, or a corpus that an earlier
/// stage learns from. Answers in the library's corpora have no such text.
struct Reason {
  const Value* place = nullptr;
  std::string text;
};

Reason reason_of_weights(const Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (weights == nullptr || !weights->is(Value::Kind::call)) return {};
  if (weights->name == "windtunnel.base")
    return {weights, "the weights of `" + model->name + "` have only seen answers that are code alone"};
  if (weights->name == "random") return {weights, "the weights of `" + model->name + "` are random"};
  return {};
}

/// Returns the corpus that a pipeline of the experiment learns from before it reaches `train`; null if there
/// is none.
const Value* corpus_before(const Inspection& inspection, const Resolved& train) {
  std::vector<const Value*> pipelines = {inspection.experiment.field("train")};
  if (const Value* controls = inspection.experiment.field("controls"))
    for (const Value& control : controls->items) pipelines.push_back(&control);
  for (const Value* pipeline : pipelines) {
    if (pipeline == nullptr) continue;
    const Value* corpus = nullptr;
    for (const Value& stage : pipeline->items) {
      if (stage.declaration.get() == &train && corpus != nullptr) return corpus;
      const Value* data = stage.declaration ? stage.declaration->field("data") : nullptr;
      if (data != nullptr && data->is(Value::Kind::call)) corpus = data;
    }
  }
  return nullptr;
}

void check_no_plan(Inspection& inspection) {
  const Reason weights = reason_of_weights(inspection);
  for (const auto& stage : inspection.stages()) {
    const Value* reward = stage.train->field("plan_reward");
    if (reward == nullptr || reward->absent()) continue;
    Reason reason = weights;
    if (const Value* corpus = corpus_before(inspection, *stage.train); corpus != nullptr)
      reason = {corpus, "`" + corpus->name + "`, learnt from before, has answers that are code alone"};
    if (reason.place == nullptr) continue;
    inspection.report(
        found(
            rules::no_plan, reward->range,
            "`plan_reward` of `" + stage.train->name + "` will hardly have a token to reward: " + reason.text)
            .note("here", reason.place->range)
            .helped("leave it out, or take a model that thinks or explains before its code, such "
                    "as huggingface(\"Qwen/Qwen3-8B\"), and no such answers to learn from"),
        {stage.train});
  }
}

}  // namespace

const Rule rules::no_plan{
    "no_plan",
    Severity::warning,
    true,
    "A plan is what an answer says before its code. Answers that are code alone have "
    "none, so that a reward of plans rewards nothing, and `reward` is that of all tokens.",
    R"(import example
train t : grpo {
  learning_rate = 1e-4
  tasks = example.easy, max_tokens = 256
  reward(c) = if c.correct then 1 else 0
  plan_reward(c) = if c.valid then min(c.speedup, 2) else 0
}
model thinker { weights = huggingface("Qwen/Qwen3-8B") }
experiment e : example.study { model = thinker, train = t }
)",
    R"(import windtunnel
import example
train t : grpo {
  learning_rate = 1e-4
  tasks = example.easy, max_tokens = 256
  plan_reward(c) = if c.valid then min(c.speedup, 2) else 0
}
model tunnel { weights = windtunnel.base }
experiment e : example.study { model = tunnel, train = t }
)",
    check_no_plan};

}  // namespace trl::language
