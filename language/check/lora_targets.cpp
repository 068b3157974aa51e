#include <algorithm>

#include "language/check/inspection.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
DECLARE_RULE(lora_targets)
namespace {

void check_lora_targets(Inspection& inspection) {
  const Resolved* adapter = inspection.adapter();
  const Value* targets = adapter == nullptr ? nullptr : adapter->field("targets");
  const auto& architecture = inspection.architecture();
  if (targets == nullptr || !architecture || !architecture->matrices) return;
  const std::vector<std::string>& has = *architecture->matrices;
  for (const Value& target : targets->items) {
    const std::string name = target.string();
    if (name == "all_linear" ? !has.empty() : std::find(has.begin(), has.end(), name) != has.end()) continue;
    auto d = found(
        rules::lora_targets, targets->given ? target.range : inspection.experiment.range,
        name == "all_linear"
            ? "`" + inspection.model()->name + "` has none of the matrices that an adapter here can change"
            : "`" + inspection.model()->name + "` has no `" + name + "` to adapt");
    d.note("by " + architecture->source, inspection.model()->field("weights")->range);
    d.helped(has.empty() ? "use a model of another architecture" : "it has " + enumeration(has));
    if (!has.empty() && targets->given && targets->items.size() == 1)
      d.suggest("write `all_linear`", target.range, "all_linear");
    inspection.report(std::move(d), {adapter, inspection.model()});
  }
}

}  // namespace

const Rule rules::lora_targets{
    "lora_targets",
    Severity::error,
    true,
    "An adapter of matrices that the model lacks fails when the weights are loaded, or trains nothing.",
    R"(import example
model coder { weights = huggingface("bigcode/starcoder2-7b") }
lora a { targets = [q_proj, v_proj] }
experiment e : example.study { model = coder, adapter = a }
)",
    R"(import example
model coder { weights = huggingface("bigcode/starcoder2-7b") }
lora a { targets = [q_proj, gate_proj] }
experiment e : example.study { model = coder, adapter = a }
)",
    check_lora_targets};

}  // namespace trl::language
