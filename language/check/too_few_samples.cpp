#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(too_few_samples)
namespace {

void check_too_few_samples(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  const Value* samples = exam == nullptr ? nullptr : exam->field("samples");
  if (samples == nullptr || samples->absent()) return;
  for (const auto& [claim, column] : inspection.measures()) {
    if (!asks_for(*column, contract::ColumnName::pass_at) || column->items.empty()) continue;
    const Value& wanted = column->items.front();
    if (wanted.number() <= samples->number()) continue;
    auto d = found(rules::too_few_samples, wanted.range,
                   fmt::format("`pass_at({0})` needs {0} samples of each task, and `{1}` takes {2}",
                               wanted.number(), exam->name, samples->number()));
    if (samples->given) d.note("the exam's number of samples", samples->range);
    d.helped(fmt::format("give the exam `samples = {}`, or ask for `pass_at({})`", wanted.number(),
                         samples->number()));
    inspection.report(std::move(d), {claim, exam});
  }
}

}  // namespace

const Rule rules::too_few_samples{
    "too_few_samples",
    Severity::error,
    false,
    "The chance that one of k samples is correct can't be estimated from fewer than k.",
    R"(import example
evaluation x : example.exam { samples = 4 }
experiment e : example.study { evaluate = x, allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, pass_at(4)] }
)",
    R"(import example
evaluation x : example.exam { samples = 4 }
experiment e : example.study { evaluate = x, allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, pass_at(10)] }
)",
    check_too_few_samples};

}  // namespace trl::language
