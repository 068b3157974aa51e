#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(quantized_training)
namespace {

void check_quantized_training(Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* quantize = model == nullptr ? nullptr : model->field("quantize");
  if (quantize == nullptr || quantize->string() == "none" || quantize->string().empty()) return;
  for (const auto& stage : inspection.stages()) {
    if (!stage.train->is_a("pretrain")) continue;
    auto d = found(rules::quantized_training, quantize->range,
                   "`" + stage.train->name + "` trains every weight of `" + model->name +
                       "`, which are stored as " + quantize->string());
    d.note("every weight is trained here", stage.train->range);
    d.helped("leave `quantize` out, or train an adapter on weights that exist");
    if (quantize->given) d.suggest("write `none`", quantize->range, "none");
    inspection.report(std::move(d), {stage.train, model});
    return;
  }
}

}  // namespace

const Rule rules::quantized_training{
    "quantized_training",
    Severity::error,
    false,
    "Weights of few bits can't take small steps: only an adapter on them is trained.",
    R"(import example
model small : example.base { quantize = nf4 }
experiment e : example.study { model = small }
)",
    R"(import example
import windtunnel
model fresh { weights = random(), quantize = nf4 }
train scratch : pretrain { data = windtunnel.chains(samples = 1000, exclude = example.hard), steps = 100 }
experiment e : example.study { model = fresh, train = scratch, controls = [] }
)",
    check_quantized_training};

}  // namespace trl::language
