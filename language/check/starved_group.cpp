#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(starved_group)
namespace {

void check_starved_group(Inspection& inspection) {
  for (const Resolved* extension : inspection.extensions()) {
    const Value* share = extension->field("share");
    if (share == nullptr || !share->is(Value::Kind::map)) continue;
    for (const auto& [group, value] : share->entries) {
      if (!value.is(Value::Kind::formula)) continue;
      const auto asked = names_asked(value.formula, "accuracy");
      if (asked.size() != 1 || *asked.begin() != group) continue;
      formulas::Ranges ranges = ranges_of(value, inspection.schema);
      ranges.functions["accuracy"] = formulas::Domain::number(0, 0);
      if (bound(value.formula, ranges).high > 0) continue;
      auto d =
          found(rules::starved_group, value.range,
                "the share of `" + group +
                    "` is 0 while its accuracy is 0: it is never drawn again, and its accuracy can't rise");
      d.helped("leave it a share at any accuracy: `0.1 + 0.8 * accuracy(" + group + ")`");
      inspection.report(std::move(d), {extension});
    }
  }
}

}  // namespace

const Rule rules::starved_group{"starved_group",
                                Severity::warning,
                                true,
                                "A group of tasks that is drawn only if it is solved is never learnt.",
                                R"(import example
extension p : adaptive_curriculum { share { hard = 0.1 + 0.8 * accuracy(hard), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
                                R"(import example
extension p : adaptive_curriculum { share { hard = min(accuracy(hard), 0.9), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
                                check_starved_group};

}  // namespace trl::language
