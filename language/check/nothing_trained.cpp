#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(nothing_trained)
namespace {

void check_nothing_trained(Inspection& inspection) {
  const Resolved& experiment = inspection.experiment;
  if (!inspection.stages().empty() || !experiment.sound("train") || !experiment.sound("controls")) return;
  const auto report = [&](const char* name, const std::string& why) {
    const Value* field = experiment.field(name);
    if (field == nullptr || field->absent() || (field->is(Value::Kind::list) && field->items.empty())) return;
    auto d = found(rules::nothing_trained, field->range,
                   "`" + std::string(name) + "` of `" + experiment.name + "` acts on nothing: " + why);
    d.note("nothing is trained here", experiment.range);
    d.helped("leave it out, or train by `train = …`");
    inspection.report(std::move(d), {});
  };
  report("adapter", "training changes it");
  report("dev", "it is taken before and after rounds of training");
  if (inspection.extensions().empty()) return;
  const Value* always = experiment.field("extensions");
  const bool varied = always == nullptr || always->absent() || always->items.empty();
  report(varied ? "vary" : "extensions", "extensions change how a model is trained");
}

}  // namespace

const Rule rules::nothing_trained{"nothing_trained",
                                  Severity::warning,
                                  true,
                                  "Without training a model is evaluated as it is, and what belongs to "
                                  "training makes readers believe otherwise.",
                                  R"(import example
experiment e : example.study { train = none, adapter = none }
)",
                                  R"(import example
experiment e : example.study { train = none }
)",
                                  check_nothing_trained};

}  // namespace trl::language
