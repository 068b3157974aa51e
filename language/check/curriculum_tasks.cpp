#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/support/counted.hpp"
#include "language/check/shares.hpp"

namespace trl::language {
DECLARE_RULE(curriculum_tasks)
namespace {

void check_curriculum_tasks(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *pool = stage.train->field("tasks"), *in_round = stage.train->field("tasks_per_round");
    if (pool == nullptr || !pool->is(Value::Kind::tasks) || in_round == nullptr) continue;
    // A round that has all tasks has no mix.
    if (static_cast<double>(pool->tasks.size()) <= in_round->number()) continue;
    std::map<std::string, std::size_t> tasks;
    for (const SuiteTask* t : pool->tasks) ++tasks[t->suite];
    for (const Resolved* extension : stage.extensions) {
      const Value* share = extension->field("share");
      if (share == nullptr || !share->is(Value::Kind::map)) continue;
      // The rules curriculum_share and shares_sum report other shares.
      const bool fractions =
          std::all_of(share->entries.begin(), share->entries.end(), [&](const auto& entry) {
            const Value& value = entry.second;
            return !value.is(Value::Kind::formula) ||
                   bound(value.formula, ranges_of(value, inspection.schema)).low <= 1;
          });
      if (!fractions) continue;
      double others = 0;  // the most that groups before `rest` take
      for (const auto& [group, value] : share->entries)
        if (value.is(Value::Kind::formula))
          others += bound(value.formula, ranges_of(value, inspection.schema)).high;
      for (const auto& [group, value] : share->entries) {
        if (!tasks.contains(group)) continue;  // rule curriculum_group
        const double least = value.is(Value::Kind::formula)
                                 ? bound(value.formula, ranges_of(value, inspection.schema)).low
                                 : 1 - others;
        const double asked = least * in_round->number();
        if (asked < static_cast<double>(tasks[group]) + 1) continue;
        inspection.report(
            found(rules::curriculum_tasks, value.range,
                  fmt::format(
                      "`{}` gives `{}` at least {:.3g}% of a round's {:.0f} tasks, that is {:.0f}, and `{}` "
                      "has {} of it: other groups fill the round",
                      extension->name, group, 100 * least, in_round->number(), asked, stage.train->name,
                      counted(tasks[group], "task")))
                .note("the tasks of training", pool->range)
                .helped(fmt::format("a share of {:.3g}% is what it has, or lower `tasks_per_round`",
                                    100 * static_cast<double>(tasks[group]) / in_round->number())),
            {extension, stage.train});
      }
    }
  }
}

}  // namespace

const Rule rules::curriculum_tasks{"curriculum_tasks",
                                   Severity::warning,
                                   true,
                                   "A task is in a round once: a group with fewer tasks than its share asks "
                                   "for is mixed in less than the file says.",
                                   R"(import example
extension p : adaptive_curriculum { share { hard = 0.25 + 0.25 * accuracy(easy), easy = rest } }
train t : example.reinforce { tasks_per_round = 4 }
experiment e : example.study { train = t, vary = subsets(p) }
)",
                                   R"(import example
extension p : adaptive_curriculum { share { hard = 0.8 + 0.1 * accuracy(easy), easy = rest } }
train t : example.reinforce { tasks_per_round = 4 }
experiment e : example.study { train = t, vary = subsets(p) }
)",
                                   check_curriculum_tasks};

}  // namespace trl::language
