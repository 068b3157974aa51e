#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(endpoint_training)
namespace {

void check_endpoint_training(Inspection& inspection) {
  const Value* endpoint = weights_called(inspection, "endpoint");
  const bool answers = endpoint == nullptr;
  if (answers) endpoint = weights_called(inspection, "generations");
  if (endpoint == nullptr || inspection.stages().empty()) return;
  const auto& stage = inspection.stages().front();
  const Value* field = inspection.experiment.field(stage.control ? "controls" : "train");
  if (field == nullptr) return;
  const Resolved& model = *inspection.model();
  auto d = found(rules::endpoint_training, field->range,
                 "`" + stage.train->name + "` trains, and the weights of `" + model.name + "` aren't here");
  d.note(answers ? "its answers alone are known" : "a server has them", endpoint->range);
  d.helped(
      "leave `train` and `controls` out (`none` and `[]` where they come from another experiment), which "
      "evaluates the model as it is; or train weights that are here, huggingface(…) or path(…), which a "
      "server "
      "that serves them can sample from: `rollout = endpoint(…)` of the way to train");
  inspection.report(std::move(d), {stage.train, &model});
}

}  // namespace

const Rule rules::endpoint_training{
    "endpoint_training",
    Severity::error,
    false,
    "A server answers for its model and never hands out its weights, and of answers that were given "
    "elsewhere there are none: such a model can only be evaluated.",
    R"(import example
model asked { weights = endpoint("http://localhost:8000/v1", name = "qwen") }
experiment e { model = asked, evaluate = example.exam }
)",
    R"(import example
model asked { weights = endpoint("http://localhost:8000/v1", name = "qwen") }
experiment e { model = asked, adapter = example.writer, train = example.reinforce, evaluate = example.exam }
)",
    check_endpoint_training};

}  // namespace trl::language
