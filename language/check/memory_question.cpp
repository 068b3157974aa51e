#include "language/check/memory_question.hpp"

#include <algorithm>

#include "base/support/matrix_storage.hpp"

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

namespace {

std::string word(const Resolved* of, const char* field, const char* otherwise) {
  const Value* v = of == nullptr ? nullptr : of->field(field);
  return v == nullptr || v->absent() ? std::string(otherwise) : v->string();
}

double number(const Resolved* of, const char* field, double otherwise) {
  const Value* v = of == nullptr ? nullptr : of->field(field);
  return v == nullptr || v->absent() ? otherwise : v->number(otherwise);
}

/// Returns a question with the facts of the model and, if `adapted` is true, of its adapter. What else
/// depends on a stage or an exam isn't set.
MemoryQuestion question_of_model(Inspection& inspection, bool adapted) {
  MemoryQuestion q;
  q.architecture = *inspection.architecture();
  q.precision = word(inspection.model(), "precision", "bf16");
  q.quantize = declared_storage(inspection);
  const Resolved* adapter = inspection.adapter();
  q.adapter = adapter != nullptr && adapted;
  q.rank = number(adapter, "rank", 16);
  q.dropout = q.adapter && number(adapter, "dropout", 0) > 0;
  try {
    if (q.adapter) q.patterns = ModulePatterns(patterns_of(*adapter));
  } catch (const RefusedRegex&) {
    // The rule module_patterns reports this.
  }
  if (const Value* targets = q.adapter ? adapter->field("targets") : nullptr)
    for (const Value& t : targets->items) q.targets.push_back(t.string());
  if (std::find(q.targets.begin(), q.targets.end(), "all_linear") != q.targets.end())
    q.targets = q.architecture.all_matrices();
  return q;
}

bool is_pretraining(const Inspection::Stage& stage) { return stage.train->is_a("pretrain"); }

}  // namespace

std::string declared_storage(const Inspection& inspection) {
  return word(inspection.model(), "quantize", "none");
}

MemoryQuestion memory_question(Inspection& inspection, const Inspection::Stage& stage) {
  // For sft, whose data has no stated length: the exam's limit.
  const double sequence = number(inspection.evaluation(), "max_tokens", 0);
  MemoryQuestion q = question_of_model(inspection, !is_pretraining(stage));
  q.micro_batch = number(stage.train, "micro_batch", 1);
  q.sequence = number(stage.train, "sequence", number(stage.train, "max_tokens", sequence));
  q.candidates = number(stage.train, "candidates", 0);
  return q;
}

std::optional<MemoryQuestion> exam_question(Inspection& inspection, const Resolved& exam) {
  const Resolved* model = inspection.model();
  if (model == nullptr || !exam.sound("max_tokens") || !model->sound("quantize") ||
      !model->sound("precision"))
    return std::nullopt;
  MemoryQuestion q = question_of_model(inspection, /*adapted=*/false);
  q.sequence = number(&exam, "max_tokens", 0);
  q.candidates = 2;
  return q;
}

std::optional<LeastNeed> least_need(Inspection& inspection, const std::string& quantize) {
  std::optional<LeastNeed> most;
  const auto need = [&](const Resolved* of, bool training, const MemoryQuestion& q) {
    const LeastNeed one{of, training, q.sequence, training ? least_to_train(q) : least_to_sample(q)};
    if (!most || one.memory.all() > most->memory.all()) most = one;
  };
  for (const auto& stage : inspection.stages()) {
    if (!memory_known(inspection, stage)) return std::nullopt;
    MemoryQuestion q = memory_question(inspection, stage);
    q.quantize = quantize;
    if (stage.train->field("max_tokens") != nullptr) need(stage.train, false, q);
    // For other ways to train, the length of documents isn't known.
    if (stage.train->field("max_tokens") == nullptr && stage.train->field("sequence") == nullptr)
      q.sequence = 0;
    need(stage.train, true, q);
  }
  for (const Resolved* exam : inspection.evaluations()) {
    auto q = exam_question(inspection, *exam);
    if (!q) return std::nullopt;
    q->quantize = quantize;
    need(exam, false, *q);
  }
  return most;
}

std::vector<std::pair<std::string, double>> smaller_storages(Inspection& inspection) {
  const auto& stages = inspection.stages();
  std::vector<std::pair<std::string, double>> found;
  if (std::any_of(stages.begin(), stages.end(), is_pretraining)) return found;
  const auto declared = least_need(inspection, declared_storage(inspection));
  for (const auto& storage : matrix_storages()) {
    const auto need = least_need(inspection, std::string(storage.name));
    // llm_int8 takes the same memory as int8, and is slower.
    if (!declared || !need || need->memory.all() >= declared->memory.all() ||
        storage.id == MatrixStorage::Id::llm_int8)
      continue;
    found.emplace_back(storage.name, need->memory.all());
  }
  return found;
}

}  // namespace trl::language
