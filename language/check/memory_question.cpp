#include "language/check/memory_question.hpp"

#include <algorithm>

namespace trl::language {

bool memory_known(const Inspection& inspection, const Inspection::Stage& stage) {
  const auto sound = [](const Resolved* of, std::initializer_list<const char*> fields) {
    return of == nullptr ||
           std::all_of(fields.begin(), fields.end(), [&](const char* field) { return of->sound(field); });
  };
  return sound(&inspection.experiment, {"model", "adapter", "evaluate"}) &&
         sound(inspection.model(), {"precision", "quantize"}) &&
         sound(inspection.adapter(), {"rank", "targets", "patterns"}) &&
         sound(inspection.evaluation(), {"max_tokens"}) &&
         sound(stage.train, {"micro_batch", "sequence", "max_tokens", "candidates"});
}

MemoryQuestion memory_question(Inspection& inspection, const Inspection::Stage& stage) {
  double sequence = 0;  // for sft, whose data has no stated length: the exam's limit
  if (const Value* tokens = inspection.evaluation() ? inspection.evaluation()->field("max_tokens") : nullptr)
    sequence = tokens->number();
  MemoryQuestion q;
  q.architecture = *inspection.architecture();
  const auto word = [](const Resolved* of, const char* field, const char* otherwise) {
    const Value* v = of == nullptr ? nullptr : of->field(field);
    return v == nullptr || v->absent() ? std::string(otherwise) : v->string();
  };
  const auto number = [&](const Resolved* of, const char* field, double otherwise) {
    const Value* v = of == nullptr ? nullptr : of->field(field);
    return v == nullptr || v->absent() ? otherwise : v->number(otherwise);
  };
  q.precision = word(inspection.model(), "precision", "bf16");
  q.quantize = word(inspection.model(), "quantize", "none");
  const Resolved* adapter = inspection.adapter();
  q.adapter = adapter != nullptr && !stage.train->is_a("pretrain");
  q.rank = number(adapter, "rank", 16);
  try {
    if (q.adapter) q.patterns = ModulePatterns(patterns_of(*adapter));
  } catch (const RefusedRegex&) {
    // The rule module_patterns reports it.
  }
  if (const Value* targets = q.adapter ? adapter->field("targets") : nullptr)
    for (const Value& t : targets->items) q.targets.push_back(t.string());
  if (std::find(q.targets.begin(), q.targets.end(), "all_linear") != q.targets.end())
    q.targets = q.architecture.all_matrices();
  q.micro_batch = number(stage.train, "micro_batch", 1);
  q.sequence = number(stage.train, "sequence", number(stage.train, "max_tokens", sequence));
  q.candidates = number(stage.train, "candidates", 0);
  return q;
}

}  // namespace trl::language
