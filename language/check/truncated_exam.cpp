#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

void check(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  const Value* limit = exam == nullptr ? nullptr : exam->field("max_tokens");
  if (limit == nullptr) return;
  for (const auto& stage : inspection.stages()) {
    const Value* trained = stage.train->field("max_tokens");
    if (trained == nullptr || limit->number() >= trained->number()) continue;
    auto d = found(rules::truncated_exam, limit->range,
                   fmt::format("the exam stops at {} tokens, and `{}` trains with {}", limit->number(),
                               stage.train->name, trained->number()));
    if (trained->given) d.note("the tokens of training", trained->range);
    d.helped(fmt::format("give the exam {} tokens, too", trained->number()));
    inspection.report(std::move(d), {stage.train, exam});
  }
}

}  // namespace

const Rule rules::truncated_exam{
    "truncated_exam",
    Severity::warning,
    true,
    "An exam with fewer tokens than training cuts off answers that training taught.",
    R"(import example
evaluation x : example.exam { max_tokens = 256 }
experiment e : example.study { evaluate = x }
)",
    R"(import example
evaluation x : example.exam { max_tokens = 128 }
experiment e : example.study { evaluate = x }
)",
    check};

}  // namespace trl::language
