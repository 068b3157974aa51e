#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(missing_weights)
namespace {

/// A note, since files are checked on other machines than they are run on.
void note_absent_repository(Inspection& inspection, const Resolved& model, const Value& weights) {
  if (!inspection.options.absent || weights.items.empty()) return;
  const Value* revision = weights.entry("revision");
  const auto absence =
      inspection.options.absent(weights.items.front().string(),
                                revision == nullptr || revision->absent() ? "main" : revision->string());
  if (!absence) return;
  auto d = found(rules::missing_weights, weights.items.front().range,
                 "`trl run` can't begin here without the weights of `" + model.name + "`: " + absence->what);
  d.severity = Severity::note;
  d.helped(absence->remedy);
  inspection.report(std::move(d), {&model});
}

void check_missing_weights(Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (weights == nullptr || !weights->is(Value::Kind::call)) return;
  if (weights->name == "huggingface") return note_absent_repository(inspection, *model, *weights);
  if (weights->name != "path") return;
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
