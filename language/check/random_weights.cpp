#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(random_weights)
namespace {

constexpr FileId program_file = 0;

bool begins_from_nothing(const Value& pipeline) {
  return !pipeline.items.empty() && pipeline.items.front().declaration &&
         pipeline.items.front().declaration->is_a("pretrain");
}

bool is_known(const Value& pipeline) {
  return std::all_of(pipeline.items.begin(), pipeline.items.end(), [](const Value& stage) {
    return stage.declaration != nullptr && stage.declaration->variant != nullptr;
  });
}

/// Reports a pipeline that doesn't begin with `pretrain` although its model has random weights, also if there
/// is no pipeline (null), and a pipeline with a `pretrain` stage for weights that exist.
void examine_pipeline(Inspection& inspection, const Resolved& model, const Value& weights,
                      const Value* pipeline, const Range& place) {
  if (pipeline != nullptr && !is_known(*pipeline)) return;
  const bool random = weights.name == "random";
  if (random) {
    if (pipeline != nullptr && begins_from_nothing(*pipeline)) return;
    auto d =
        found(rules::random_weights, place,
              pipeline == nullptr || pipeline->items.empty()
                  ? "`" + model.name + "` has random weights, and nothing is trained: it can write nothing"
                  : "`" + pipeline->items.front().declaration->name + "` begins with `" + model.name +
                        "`, whose weights are random and can write nothing yet");
    d.note("random weights", weights.range);
    d.helped(
        "take weights that exist, `weights = windtunnel.base` or huggingface(…), or let the first stage make "
        "them: `train scratch : pretrain { data = windtunnel.chains(samples = 20000), steps = 2000 }` and "
        "`train = scratch -> …`");
    return inspection.report(std::move(d), {&model});
  }
  if (pipeline == nullptr || weights.name == "endpoint" || weights.name == "generations") return;
  for (const Value& stage : pipeline->items) {
    if (!stage.declaration->is_a("pretrain")) continue;
    auto d = found(rules::random_weights, place,
                   "`" + stage.declaration->name + "` makes a model from random weights, and those of `" +
                       model.name + "` exist");
    d.note("the weights", weights.range);
    d.helped(
        "train an adapter on them, `train imitate : sft { … }`; or write `weights = random(hidden = 256, "
        "…)`, "
        "the sizes of the model that is made");
    return inspection.report(std::move(d), {stage.declaration.get(), &model});
  }
}

/// Reports sizes that don't fit: the number of heads must divide the width, and the number of key-value heads
/// must divide the number of heads.
void examine_heads(Inspection& inspection, const Resolved& model, const Value& weights) {
  const Value *hidden = weights.entry("hidden"), *heads = weights.entry("heads"),
              *kv_heads = weights.entry("kv_heads");
  if (weights.name != "random" || hidden == nullptr || heads == nullptr || kv_heads == nullptr) return;
  const auto whole = [](const Value& value) { return static_cast<std::int64_t>(value.number()); };
  const auto report = [&](const Value& parts, const char* part, std::int64_t count, const char* of,
                          std::int64_t total) {
    if (count < 1 || total % count == 0) return false;
    std::int64_t below = count, above = count;
    while (total % below != 0) --below;
    while (above < total && total % above != 0) ++above;
    auto d = found(rules::random_weights, parts.range,
                   "`" + model.name + "`: " + of + " = " + std::to_string(total) + " is no multiple of " +
                       part + " = " + std::to_string(count));
    d.severity = Severity::error;
    d.helped("write `" + std::string(part) + " = " + std::to_string(below) + "`" +
             (above < total ? " or `" + std::string(part) + " = " + std::to_string(above) + "`" : ""));
    if (parts.given) d.suggest("write `" + std::to_string(below) + "`", parts.range, std::to_string(below));
    inspection.report(std::move(d), {&model});
    return true;
  };
  if (!report(*heads, "heads", whole(*heads), "hidden", whole(*hidden)))
    report(*kv_heads, "kv_heads", whole(*kv_heads), "heads", whole(*heads));
}

void check_random_weights(Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  const Resolved& experiment = inspection.experiment;
  // A model declared in another file, such as `example.base`, may serve as a base. Only a model declared in
  // this file is checked.
  if (weights != nullptr && weights->range.file != program_file) return;
  if (weights == nullptr || !weights->is(Value::Kind::call) || !model->sound("weights") ||
      !experiment.sound("train"))
    return;
  examine_heads(inspection, *model, *weights);
  const Value* train = experiment.field("train");
  if (train != nullptr && train->absent()) train = nullptr;
  examine_pipeline(inspection, *model, *weights, train, train == nullptr ? experiment.range : train->range);
  const Value* controls = experiment.field("controls");
  if (controls == nullptr || !experiment.sound("controls")) return;
  for (const Value& control : controls->items)
    examine_pipeline(inspection, *model, *weights, &control, control.range);
}

}  // namespace

const Rule rules::random_weights{"random_weights",
                                 Severity::warning,
                                 true,
                                 "Only `pretrain` begins with random weights: every other way to train, and "
                                 "every exam, needs a model that "
                                 "can write. Their heads divide the width.",
                                 R"(import example
import windtunnel
model fresh { weights = random() }
train scratch : pretrain { data = windtunnel.chains(samples = 1000, exclude = example.hard), steps = 100 }
experiment e : example.study { model = fresh, train = scratch -> example.reinforce }
)",
                                 R"(import example
model fresh { weights = random() }
experiment e : example.study { model = fresh }
)",
                                 check_random_weights};

}  // namespace trl::language
