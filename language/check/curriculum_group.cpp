#include <fmt/format.h>

#include <set>

#include "language/check/inspection.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
DECLARE_RULE(curriculum_group)
namespace {

void check_curriculum_group(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* pool = stage.train->field("tasks");
    if (pool == nullptr || !pool->is(Value::Kind::tasks)) continue;
    std::set<std::string> groups;
    for (const SuiteTask* t : pool->tasks) groups.insert(t->suite);
    const std::vector<std::string> there(groups.begin(), groups.end());
    for (const Resolved* extension : stage.extensions) {
      const Value* share = extension->field("share");
      if (share == nullptr || !share->is(Value::Kind::map)) continue;
      const auto say = [&](const Range& range, std::string message, std::string help) {
        inspection.report(found(rules::curriculum_group, range, std::move(message))
                              .note("the tasks of training", pool->range)
                              .helped(std::move(help)),
                          {extension, stage.train});
      };
      std::set<std::string> shared;
      for (const auto& [group, value] : share->entries) {
        shared.insert(group);
        if (!groups.contains(group)) {
          say(value.range,
              fmt::format("`{}` gives `{}` a share of each round, but `{}` has no task of it",
                          extension->name, group, stage.train->name),
              "its tasks are of " + enumeration(there));
          continue;
        }
        for (const std::string& other : names_asked(value.formula, "accuracy"))
          if (!groups.contains(other))
            say(value.range,
                fmt::format("the accuracy of `{}` is never measured: `{}` has no task of it", other,
                            stage.train->name),
                "its tasks are of " + enumeration(there));
      }
      for (const std::string& group : there)
        if (!shared.contains(group))
          say(share->range,
              fmt::format("`{}` gives `{}` no share: its tasks are in `{}`, but are never sampled",
                          extension->name, group, stage.train->name),
              "add `" + group + " = …`, or remove its tasks from training");
    }
  }
}

}  // namespace

const Rule rules::curriculum_group{
    "curriculum_group",
    Severity::error,
    true,
    "A curriculum must give a share to each group that training has, and to no other.",
    R"(import example
extension p : adaptive_curriculum { share { hard = 0.5 * accuracy(easy), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
    R"(import example
extension p : adaptive_curriculum { share { hard = 0.5 * accuracy(easy), easy = rest } }
train t : example.reinforce { tasks = example.easy }
experiment e : example.study { train = t, vary = subsets(p) }
)",
    check_curriculum_group};

}  // namespace trl::language
