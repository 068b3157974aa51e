#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

void check_missing_weights(Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (weights == nullptr || !weights->is(Value::Kind::call) || weights->name != "path") return;
  const std::string config = model_file(*weights, "config.json", inspection.options, inspection.folder);
  if (config.empty() || inspection.options.read(config)) return;
  auto d = found(rules::missing_weights, weights->items.front().range,
                 "the weights of `" + model->name + "` are missing: " + config + " can't be read");
  d.helped(
      "a path is relative to the file that contains it; its folder must hold config.json, "
      "model.safetensors and tokenizer.json");
  inspection.report(std::move(d), {model});
}

}  // namespace

const Rule rules::missing_weights{"missing_weights",
                                  Severity::warning,
                                  true,
                                  "An experiment can be planned without its weights, but not run.",
                                  R"(import windtunnel
import example
model small : example.base { weights = windtunnel.base }
experiment e : example.study { model = small }
)",
                                  R"(import example
model small : example.base { weights = path("../weights/small") }
experiment e : example.study { model = small }
)",
                                  check_missing_weights};

}  // namespace trl::language
