#include <algorithm>
#include <string>

#include "base/support/named_path.hpp"
#include "language/check/endpoint.hpp"

namespace trl::language {

bool report_trouble(Inspection& inspection, const Rule& rule, const Value& weights) {
  if (!inspection.options.trouble) return false;
  const Value& named = weights.items.front();
  const Value* revision = weights.entry("revision");
  const bool repository = weights.name == "huggingface";
  const Value& place = weights.name == "generations" ? named.items.front() : named;
  const auto trouble = inspection.options.trouble(
      weights.name, repository ? place.string() : named_path(inspection.folder, place.string()).string(),
      revision == nullptr || revision->absent() ? "main" : revision->string());
  if (!trouble) return false;
  auto d = found(rule, named.range,
                 trouble->broken ? "`" + inspection.model()->name + "` can't be used: " + trouble->what
                                 : "`trl run` can't begin here without the weights of `" +
                                       inspection.model()->name + "`: " + trouble->what);
  d.severity = trouble->broken ? Severity::error : Severity::note;
  d.helped(trouble->remedy);
  inspection.report(std::move(d), {inspection.model()});
  return true;
}

DECLARE_RULE(missing_weights)
namespace {

/// Reports, as a note, data for training that this machine lacks.
void note_missing_data(Inspection& inspection) {
  if (!inspection.options.trouble) return;
  for (const auto& stage : inspection.stages()) {
    const Value* data = stage.train->field("data");
    if (data == nullptr || !data->is(Value::Kind::call) || data->name != "kernelbook" ||
        data->items.empty() || data->items.front().items.empty())
      continue;
    const Value& place = data->items.front().items.front();
    const auto path = named_path(inspection.folder, place.string()).string();
    const auto trouble = inspection.options.trouble(data->name, path, "");
    if (!trouble) continue;
    auto d =
        found(rules::missing_weights, place.range,
              "`trl run` can't begin here without the data of `" + stage.train->name + "`: " + trouble->what);
    d.severity = Severity::note;
    d.helped(trouble->remedy);
    inspection.report(std::move(d), {stage.train});
  }
}

void check_missing_weights(Inspection& inspection) {
  note_missing_data(inspection);
  if (unsupported(inspection)) return;  // another rule reports this
  if (const Value* repository = weights_called(inspection, "huggingface")) {
    const std::string name = repository->items.front().string();
    if (std::count(name.begin(), name.end(), '/') != 1 || name.find_first_of(":@") != name.npos)
      return;  // rule repository_name reports this
    report_trouble(inspection, rules::missing_weights, *repository);
    return;
  }
  const Resolved* model = inspection.model();
  const Value* weights = weights_called(inspection, "path");
  if (weights == nullptr) return;
  const std::string config = model_file(*weights, "config.json", inspection.options, inspection.folder);
  if (config.empty() || report_trouble(inspection, rules::missing_weights, *weights) ||
      inspection.options.read(config))
    return;
  auto d = found(rules::missing_weights, weights->items.front().range,
                 "the weights of `" + model->name + "` are missing: " + config + " can't be read");
  d.helped(
      "a path is relative to the folder of the file that is checked or run; it must hold config.json, "
      "model.safetensors and tokenizer.json");
  inspection.report(std::move(d), {model});
}

}  // namespace

const Rule rules::missing_weights{
    "missing_weights",
    Severity::warning,
    true,
    "An experiment can be planned without its weights and its data, but not run; nor can it be "
    "run if the files of a model don't fit each other, such as a tokenizer with "
    "more tokens than the embedding has rows.",
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
