#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(greedy_candidates)
namespace {

/// Returns the largest k of a `pass_at(k)` that a claim uses; null if no claim needs more than one sample.
const Value* samples_needed(const Inspection& inspection) {
  const Value* most = nullptr;
  for (const auto& [claim, column] : inspection.measures()) {
    if (!asks_for(*column, contract::ColumnName::pass_at) || column->items.empty()) continue;
    const Value& wanted = column->items.front();
    if (wanted.number() > (most == nullptr ? 1 : most->number())) most = &wanted;
  }
  return most;
}

/// Whether a way to train, or an exam, may sample one answer for each task: `grpo` and `dpo` compare several
/// answers to a task.
bool takes_one(const Inspection& inspection, const Resolved& drawn, const char* count_field) {
  const Spec* spec = spec_of(inspection, drawn, count_field);
  return spec == nullptr || !spec->low || !spec->low->is(ast::Expr::Kind::number) || spec->low->number <= 1;
}

void examine_sampling(Inspection& inspection, const Resolved& drawn, const char* count_field) {
  const Value *temperature = drawn.field("temperature"), *count = drawn.field(count_field);
  const Value* top_k = drawn.field("top_k");
  if (temperature == nullptr || count == nullptr || count->number() <= 1) return;
  const bool cold = temperature->number() <= 0;
  if (!cold && (top_k == nullptr || top_k->number() != 1)) return;
  auto d = found(rules::greedy_candidates, cold ? temperature->range : top_k->range,
                 fmt::format("{} the {} {} of a task are one and the same text",
                             cold ? "at temperature 0" : "with `top_k = 1`", count->number(), count_field));
  if (count->given) d.note("the number that is sampled", count->range);
  const bool exam = drawn.kind == "evaluation";
  const Value* needed = exam ? samples_needed(inspection) : nullptr;
  if (needed != nullptr) d.note("this needs several samples", needed->range);
  d.helped(!cold && needed ? "leave `top_k` out, or sample one"
           : needed        ? "sample at the temperature of training, or sample one"
           : !cold && !takes_one(inspection, drawn, count_field) ? "leave `top_k` out"
           : !cold                                               ? "sample one, or leave `top_k` out"
           : exam ? "sample one, or sample at the temperature of training"
                  : "sample at a temperature of 0.6 to 1.0");
  if (exam && count->given && needed == nullptr)
    d.suggest("draw one", count->range, "1");
  else if (cold && temperature->given)
    d.suggest("write `0.8`", temperature->range, "0.8");
  inspection.report(std::move(d), {&drawn});
}

void check_greedy_candidates(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine_sampling(inspection, *stage.train, "candidates");
  if (const Resolved* exam = inspection.evaluation()) examine_sampling(inspection, *exam, "samples");
}

}  // namespace

const Rule rules::greedy_candidates{
    "greedy_candidates",
    Severity::error,
    true,
    "Greedy decoding gives one answer. Further samples cost as much and count the same kernel again.",
    R"(import example
evaluation x : example.exam { temperature = 0, samples = 1 }
experiment e : example.study { evaluate = x }
)",
    R"(import example
train t : example.reinforce { temperature = 0 }
experiment e : example.study { train = t }
)",
    check_greedy_candidates};

}  // namespace trl::language
