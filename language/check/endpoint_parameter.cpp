#include <algorithm>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(endpoint_parameter)
namespace {

bool sends(const Value& endpoint, const std::string& parameter) {
  const Value* parameters = endpoint.entry("parameters");
  return parameters != nullptr && std::any_of(parameters->items.begin(), parameters->items.end(),
                                              [&](const Value& one) { return one.string() == parameter; });
}

/// Whether a field of an evaluation asks for something that a server doesn't do without the parameter of this
/// name.
bool asks(const Value& field, const std::string& name) {
  if (!field.given || field.absent()) return false;
  if (name == "top_p") return field.number() != 1;
  return name != "stop" || !field.items.empty();
}

void examine_limit(Inspection& inspection, const Value& endpoint) {
  const Value* parameters = endpoint.entry("parameters");
  if (parameters == nullptr) return;
  const bool old = sends(endpoint, "max_tokens"), recent = sends(endpoint, "max_completion_tokens");
  if (old != recent) return;
  auto d = found(rules::endpoint_parameter, parameters->range,
                 old ? "max_tokens and max_completion_tokens say the same, and no server takes both"
                     : "nothing that is sent limits an answer's tokens, so that `max_tokens` of an "
                       "evaluation can't hold");
  d.helped("name one of max_tokens and max_completion_tokens in `parameters`");
  inspection.report(std::move(d), {inspection.model()});
}

void check_endpoint_parameter(Inspection& inspection) {
  const Value* endpoint = weights_called(inspection, "endpoint");
  if (endpoint == nullptr) return;
  examine_limit(inspection, *endpoint);
  for (const Resolved* evaluation : inspection.evaluations()) {
    for (const char* name : {"temperature", "top_p", "top_k", "stop"}) {
      const Value* field = evaluation->field(name);
      if (field == nullptr || !asks(*field, name) || sends(*endpoint, name)) continue;
      auto d = found(rules::endpoint_parameter, field->range,
                     "`" + std::string(name) + "` of `" + evaluation->name +
                         "` isn't sent to the server of `" + inspection.model()->name + "`");
      const Value* parameters = endpoint->entry("parameters");
      d.note("these are sent",
             parameters != nullptr && parameters->given ? parameters->range : endpoint->range);
      d.helped("name it in `parameters` of endpoint(…) if the server knows it, or leave it out here");
      inspection.report(std::move(d), {evaluation, inspection.model()});
    }
  }
}

}  // namespace

const Rule rules::endpoint_parameter{
    "endpoint_parameter",
    Severity::error,
    false,
    "A setting that the server isn't told is one that its answers don't have.",
    R"(import example
model asked {
  weights = endpoint("http://localhost:8000/v1", name = "qwen", parameters = [temperature, top_k, max_tokens])
}
evaluation exam : example.exam { top_k = 20 }
experiment e { model = asked, evaluate = exam }
)",
    R"(import example
model asked { weights = endpoint("http://localhost:8000/v1", name = "qwen") }
evaluation exam : example.exam { top_k = 20 }
experiment e { model = asked, evaluate = exam }
)",
    check_endpoint_parameter};

}  // namespace trl::language
