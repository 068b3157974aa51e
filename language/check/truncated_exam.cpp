#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(truncated_exam)
namespace {

/// Training that cuts answers off far before the exam does: what it rewards is finished early.
void examine_training(Inspection& inspection, const Resolved& exam, const Value& limit) {
  if (is_default(inspection, exam, "max_tokens")) return;
  for (const auto& stage : inspection.stages()) {
    const Value* trained = stage.train->field("max_tokens");
    // A few tokens hold no kernel at all, which is another mistake: the rule short_answers reports it.
    constexpr double holds_a_kernel = 64;
    if (trained == nullptr || stage.control || trained->number() < holds_a_kernel ||
        trained->range.file != inspection.experiment.range.file || 4 * trained->number() > limit.number() ||
        !trained->given)
      continue;
    auto d = found(rules::truncated_exam, trained->range,
                   fmt::format("`{}` cuts answers off at {} tokens, and the exam at {}: training rewards no "
                               "answer that is as long as the exam allows",
                               stage.train->name, trained->number(), limit.number()));
    d.note("the limit of the exam", limit.range);
    d.helped(fmt::format("train with `max_tokens = {}` as well", count_text(limit.number())));
    d.suggest(fmt::format("write `{}`", count_text(limit.number())), trained->range,
              count_text(limit.number()));
    inspection.report(std::move(d), {stage.train, &exam});
  }
}

void check_truncated_exam(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  const Value* limit = exam == nullptr ? nullptr : exam->field("max_tokens");
  if (limit == nullptr) return;
  const Resolved* longest = nullptr;
  double most = limit->number();
  for (const auto& stage : inspection.stages()) {
    const Value* trained = stage.train->field("max_tokens");
    if (trained == nullptr || trained->number() < most || (longest == nullptr && trained->number() == most))
      continue;
    if (trained->number() == most && stage.control) continue;
    // Training with more tokens than the model's context is a mistake itself, which the rule context_exceeded
    // reports.
    if (const auto& architecture = inspection.architecture();
        architecture && architecture->context > 0 && trained->number() > architecture->context)
      continue;
    longest = stage.train;
    most = trained->number();
  }
  if (longest == nullptr) return examine_training(inspection, *exam, *limit);
  const Value* trained = longest->field("max_tokens");
  auto d = found(rules::truncated_exam, limit->range,
                 fmt::format("the exam stops at {} tokens, and `{}` trains with {}", limit->number(),
                             longest->name, most));
  if (trained->given) d.note("the limit in training", trained->range);
  d.helped(fmt::format("give the exam {} tokens as well", most));
  if (limit->given) d.suggest(fmt::format("write `{}`", most), limit->range, count_text(most));
  inspection.report(std::move(d), {longest, exam});
}

}  // namespace

const Rule rules::truncated_exam{
    "truncated_exam",
    Severity::warning,
    true,
    "An exam with a lower token limit than training cuts off answers that training rewards.",
    R"(import example
evaluation x : example.exam { max_tokens = 256 }
experiment e : example.study { evaluate = x }
)",
    R"(import example
evaluation x : example.exam { max_tokens = 128 }
experiment e : example.study { evaluate = x }
)",
    check_truncated_exam};

}  // namespace trl::language
