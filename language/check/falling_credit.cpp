#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(falling_credit)
namespace {

void check_falling_credit(Inspection& inspection) {
  for (const Resolved* extension : inspection.extensions()) {
    const Value* failing = extension->field("failing");
    if (failing == nullptr || !extension->sound("failing")) continue;
    for (std::size_t i = 1; i < failing->entries.size(); ++i) {
      const auto& [before, earlier] = failing->entries[i - 1];
      const auto& [stage, later] = failing->entries[i];
      // If only one stage's credit is written, it may be below the default of another stage.
      if (!earlier.given || !later.given || later.number() >= earlier.number()) continue;
      auto d = found(
          rules::falling_credit, later.range,
          fmt::format(
              "a candidate that gets as far as `{}` has the credit {:.6g}, one that ends at `{}` {:.6g}",
              stage, later.number(), before, earlier.number()));
      d.note("the credit of the earlier stage", earlier.range);
      d.helped(
          "let credit grow from stage to stage: `failing { syntax = 0, compile = 0.1, tiny = 0.2, full = 0.3 "
          "}`");
      inspection.report(std::move(d), {extension});
      break;
    }
  }
}

}  // namespace

const Rule rules::falling_credit{"falling_credit",
                                 Severity::warning,
                                 true,
                                 "Partial credit that falls from stage to stage teaches to fail early.",
                                 R"(import example
train t : example.reinforce { reward(c) = if c.correct then 1 else c.credit }
extension s : staged_evaluation { failing { syntax = 0, compile = 0.1, tiny = 0.2, full = 0.3 } }
experiment e : example.study { train = t, vary = subsets(s) }
)",
                                 R"(import example
train t : example.reinforce { reward(c) = if c.correct then 1 else c.credit }
extension s : staged_evaluation { failing { syntax = 0.4, compile = 0.2, tiny = 0.1, full = 0 } }
experiment e : example.study { train = t, vary = subsets(s) }
)",
                                 check_falling_credit};

}  // namespace trl::language
