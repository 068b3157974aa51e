#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(endpoint_setting)
namespace {

void check_endpoint_setting(Inspection& inspection) {
  const Value* endpoint = weights_called(inspection, "endpoint");
  if (endpoint == nullptr || !inspection.stages().empty()) return;  // rule endpoint_training says more
  const Resolved& model = *inspection.model();
  const auto report = [&](const Value& field, const std::string& what, const std::string& remedy) {
    auto d = found(rules::endpoint_setting, field.range, what);
    d.note("a server has the weights", endpoint->range);
    d.helped(remedy);
    inspection.report(std::move(d), {&model});
  };
  for (const char* name : {"precision", "quantize"}) {
    const Value* field = model.field(name);
    if (field == nullptr || !field->given || is_default(inspection, model, name)) continue;
    report(*field,
           "`" + std::string(name) + "` of `" + model.name +
               "` acts on nothing: its server decides how it computes",
           "leave it out; what tells one server's model from another belongs in `revision`");
  }
}

}  // namespace

const Rule rules::endpoint_setting{"endpoint_setting",
                                   Severity::warning,
                                   true,
                                   "How a server computes its model is up to the server: a setting here "
                                   "makes readers believe what isn't done.",
                                   R"(import example
model asked { weights = endpoint("http://localhost:8000/v1", name = "qwen", revision = "int8") }
experiment e { model = asked, evaluate = example.exam }
)",
                                   R"(import example
model asked { weights = endpoint("http://localhost:8000/v1", name = "qwen"), quantize = int8 }
experiment e { model = asked, evaluate = example.exam }
)",
                                   check_endpoint_setting};

}  // namespace trl::language
