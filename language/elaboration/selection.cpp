// Sets of tasks: suites, splits, ids in brackets, unions and differences, `where` and `sample`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/formulas/evaluate.hpp"
#include "base/support/counted.hpp"
#include "base/support/random.hpp"
#include "language/ast/expressions.hpp"
#include "language/diagnostics/mismatch.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/condition.hpp"
#include "language/elaboration/elaborator.hpp"

namespace trl::language {

using ast::Expr;

namespace {

/// "level2/61..64, level2/70".
std::string ids(const std::vector<const SuiteTask*>& tasks, std::size_t most = 6) {
  std::string out;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < tasks.size() && shown < most; ++i, ++shown) {
    std::size_t j = i;
    while (j + 1 < tasks.size() && tasks[j + 1]->suite == tasks[i]->suite &&
           tasks[j + 1]->id == tasks[j]->id + 1)
      ++j;
    if (!out.empty()) out += ", ";
    out += "`" + tasks[i]->text() + (j > i ? ".." + std::to_string(tasks[j]->id) : "") + "`";
    i = j;
  }
  return out;
}

bool is_union(const Expr& e) {
  return e.is(Expr::Kind::chain) &&
         std::all_of(e.ops.begin(), e.ops.end(), [](const auto& op) { return op == "+" || op == "-"; });
}

/// The argument that has this label or, without a label, this position.
const Expr* argument(const Expr& call, const std::string& label, std::size_t position) {
  std::size_t at = 0;
  for (const ast::Argument& a : call.arguments) {
    if (a.label == label) return &a.value;
    if (a.label.empty() && at++ == position) return &a.value;
  }
  return nullptr;
}

std::string tasks_text(std::size_t count) { return counted(count, "task"); }

}  // namespace

Value Elaborator::tasks(const Expr& e, const Scope& scope) {
  Value value;
  value.range = e.range;
  value.given = true;
  const TaskSet set = task_set(e, scope);
  if (!set.known) {
    faulty_ = true;
    return value;
  }
  if (set.tasks.empty() && set.reliable) {
    report(found(rules::empty_split, e.range, "this set has no tasks")
               .helped("ids count from 1, and both ends of a range are included"));
    return wrong(e);
  }
  if (!set.reliable) faulty_ = true;
  value.kind = Value::Kind::tasks;
  value.tasks = set.tasks;
  return value;
}

Elaborator::TaskSet Elaborator::task_set(const Expr& e, const Scope& scope) {
  const bool repeats = std::exchange(repeats_allowed_, false);
  if (const Symbol named = let(e, scope)) {
    TaskSet out;
    inside(named, e, scope, [&](const Expr& body, const Scope& within) { out = task_set(body, within); });
    return out;
  }
  if (e.dotted()) return named_set(e, scope);
  if (is_union(e)) return combined_set(e, scope, repeats);
  if (e.is(Expr::Kind::index)) return indexed_set(e, scope);
  if (e.is(Expr::Kind::call)) return selected_set(e, scope);
  std::string joined;
  if (e.is(Expr::Kind::list))
    for (const Expr& part : e.args)
      joined = part.dotted() ? joined + (joined.empty() ? "" : " + ") + *part.dotted() : "";
  if (!joined.empty()) {
    report(found(rules::wrong_type, e.range, mismatch("a set of tasks", "a list"))
               .helped("sets are joined with `+`: write `" + joined + "`")
               .suggest("write `" + joined + "`", e.range, joined));
    return {};
  }
  wrong_type(e, "a set of tasks",
             "name a suite or a split, use ids in brackets, `where(…)` or `sample(…)`, and join sets with "
             "`+` and `-`");
  return {};
}

Elaborator::TaskSet Elaborator::named_set(const Expr& e, const Scope& scope) {
  TaskSet out;
  if (const auto field = field_of(e, scope)) {
    out.known = field->type && field->value.is(Value::Kind::tasks);
    if (out.known) out.tasks = field->value.tasks;
    if (field->type && !out.known)
      wrong_type(e, "a set of tasks", "`" + *e.dotted() + "` is of type " + field->type->text());
    return out;
  }
  const Symbol symbol = lookup(e, scope, {"suite", "split"});
  if (!symbol) return out;
  const std::string& kind = symbol.declaration->kind;
  if (kind == "suite") {
    const auto name = suite_names_.find(symbol.declaration);
    if (name == suite_names_.end()) return out;
    out.name = name->second;
    out.reliable = !unreliable_suites_.contains(out.name);
    for (const SuiteTask& t : suites_.at(out.name)) out.tasks.push_back(&t);
    out.known = true;
    return out;
  }
  const KindSpec* spec = schema_.kind(kind);
  if (spec != nullptr && spec->value && spec->value->is(Type::Kind::suite)) {
    const Value v = value_of(symbol, *scope.context);
    out.known = v.is(Value::Kind::tasks);
    out.tasks = v.tasks;
    out.name = symbol.declaration->name;
    return out;
  }
  if (spec == nullptr) return out;
  auto d = found(rules::wrong_type, e.range,
                 mismatch_of("a set of tasks", *e.dotted(), "is " + with_article(kind)));
  d.note("declared here", symbol.declaration->name_range)
      .helped("name a suite or a split, or ids in brackets: `level1[1..40]`");
  for (const char* field : {"split", "tasks"})
    if (const Spec* tasks = spec_at(symbol, {field}); tasks != nullptr && tasks->type.is(Type::Kind::suite)) {
      const std::string meant = *e.dotted() + "." + field;
      d.helped("its tasks are `" + meant + "`").suggest("write `" + meant + "`", e.range, meant);
    }
  report(std::move(d));
  return out;
}

Elaborator::TaskSet Elaborator::combined_set(const Expr& e, const Scope& scope, bool repeats) {
  TaskSet out;
  out.known = true;
  std::map<const SuiteTask*, const Expr*> from;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Expr& part = e.args[i];
    const TaskSet set = task_set(part, scope);
    out.known = out.known && set.known;
    out.reliable = out.reliable && set.reliable;
    if (i > 0 && e.ops[i - 1] == "-") {
      const std::size_t before = out.tasks.size();
      std::erase_if(out.tasks, [&](const SuiteTask* t) {
        return std::find(set.tasks.begin(), set.tasks.end(), t) != set.tasks.end();
      });
      for (const SuiteTask* t : set.tasks) from.erase(t);
      if (!out.known || !out.reliable) continue;
      if (out.tasks.size() == before && !set.tasks.empty()) {
        auto d = found(rules::empty_difference, part.range,
                       fmt::format("nothing is removed: none of the {} ({}) is among the {} on the left",
                                   tasks_text(set.tasks.size()), ids(set.tasks, 2), tasks_text(before)));
        d.note("the left side", {e.range.file, e.args[0].range.begin, e.args[i - 1].range.end});
        d.helped("subtract tasks of the left side, leave the `-` out, or write `+` if both are meant");
        d.suggest("leave it out", {e.range.file, e.args[i - 1].range.end, part.range.end}, "");
        report(std::move(d));
        out.known = false;
      } else if (out.tasks.empty() && before > 0) {
        report(found(rules::empty_split, {e.range.file, e.args[0].range.begin, part.range.end},
                     fmt::format("no task is left: {} removed",
                                 before == 1 ? "its one task is" : fmt::format("all {} tasks are", before)))
                   .note("by this", part.range)
                   .helped("subtract less"));
        out.known = false;
      }
      continue;
    }
    std::vector<const SuiteTask*> twice;
    const Expr* first = nullptr;
    for (const SuiteTask* t : set.tasks) {
      const auto [at, fresh] = from.emplace(t, &part);
      if (fresh) {
        out.tasks.push_back(t);
      } else {
        twice.push_back(t);
        first = at->second;
      }
    }
    if (!twice.empty() && !repeats) {
      const bool same = first == &part;
      auto d = found(rules::duplicate_task, part.range,
                     (twice.size() == 1 ? "the task " : "the tasks ") + ids(twice) +
                         (twice.size() == 1 ? " is" : " are") + " in the union twice");
      if (!same) d.note("also here", first->range);
      d.helped("remove them from one side");
      report(std::move(d));
      out.known = false;
    }
  }
  return out;
}

namespace {

/// Adds notes about further ranges of a suite of which the range `index` counts from 0: a range that begins
/// with the number behind that range, or behind another one of these, counts from 0, too. `end` is the last
/// number in `index`, `count` the number of tasks.
void note_shifted(Diagnostic& d, const Module& module, const Expr& suite, const Expr& index, std::int64_t end,
                  std::int64_t count) {
  const auto name = suite.dotted();
  if (!name) return;
  std::vector<std::pair<std::pair<double, double>, const Expr*>> ranges;
  const auto collect = [&](const Expr& e) {
    if (!e.is(Expr::Kind::index) || e.args[0].dotted() != name) return;
    for (std::size_t i = 1; i < e.args.size(); ++i) {
      const Expr& one = e.args[i];
      const bool range = one.is(Expr::Kind::range);
      const Expr &from = range ? one.args[0] : one, &to = range ? one.args[1] : one;
      if (one.range != index.range && from.is(Expr::Kind::number) && to.is(Expr::Kind::number))
        ranges.push_back({{from.number, to.number}, &one});
    }
  };
  for (const ast::Declaration& declaration : module.ast.declarations)
    ast::each_expression(declaration, [&](const Expr& e) { ast::each_part(e, collect); });
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  auto next = static_cast<double>(end + 1);
  for (const auto& [bounds, one] : ranges) {
    const auto [low, high] = bounds;
    if (low != next || high < low || high >= static_cast<double>(count)) continue;
    const auto text = [](double from, double to) {
      return from == to ? fmt::format("[{:.0f}]", from) : fmt::format("[{:.0f}..{:.0f}]", from, to);
    };
    d.note("`" + text(low, high) + "` goes on from there, so that it counts from 0 as well: write `" +
               text(low + 1, high + 1) + "`",
           one->range);
    next = high + 1;
  }
}

}  // namespace

Elaborator::TaskSet Elaborator::indexed_set(const Expr& e, const Scope& scope) {
  TaskSet out;
  const TaskSet of = task_set(e.args[0], scope);
  if (!of.known) return out;
  const std::size_t count = of.tasks.size();
  const std::string name = of.name.empty() ? "the set" : "`" + of.name + "`";
  out.known = true;
  out.reliable = of.reliable;
  const auto bound = [&](const Expr& b) -> std::optional<std::int64_t> {
    if (b.is(Expr::Kind::text)) {
      const std::string instead =
          fmt::format("where({}, name == {})", e.args[0].dotted().value_or("…"), b.text);
      report(found(rules::wrong_type, b.range, mismatch("an id", "a text"))
                 .helped("to choose by names: `" + instead + "`"));
      return std::nullopt;
    }
    const auto q = quantity(b, "an id", scope);
    if (!q) return std::nullopt;
    if (!q->plain() || q->percent || q->value != std::floor(q->value) || std::abs(q->value) > 1e9) {
      report(found(rules::wrong_type, b.range, "an id is an integer"));
      return std::nullopt;
    }
    return static_cast<std::int64_t>(q->value);
  };
  std::set<const SuiteTask*> seen;
  std::vector<const SuiteTask*> twice;
  for (std::size_t i = 1; i < e.args.size(); ++i) {
    const Expr& index = e.args[i];
    const bool range = index.is(Expr::Kind::range);
    const auto low = bound(range ? index.args[0] : index), high = bound(range ? index.args[1] : index);
    if (!low || !high) {
      out.known = false;
      continue;
    }
    if (!of.reliable) continue;
    const auto n = static_cast<std::int64_t>(count);
    if (*high < *low) {
      const std::string turned = fmt::format("{}..{}", *high, *low);
      auto d = found(rules::empty_split, index.range, "the range is empty: it ends before it begins");
      d.helped("both ends are included: did you mean `" + turned + "`?");
      d.suggest("swap the ends", index.range, turned);
      report(std::move(d));
      out.known = false;
      continue;
    }
    if (*low < 1 || *high > n) {
      auto d = found(rules::range_outside_suite, index.range,
                     name + " has the tasks 1.." + std::to_string(n) + ", `" + std::to_string(*low) +
                         (range ? ".." + std::to_string(*high) : "") + "` is outside");
      const std::int64_t first = std::max<std::int64_t>(*low, 1), last = std::min(*high, n);
      const auto instead = [&](std::int64_t from, std::int64_t to) {
        return from == to ? std::to_string(from) : fmt::format("{}..{}", from, to);
      };
      const bool subtracts = index.is(Expr::Kind::chain) && index.ops == std::vector<std::string>{"-"} &&
                             index.args[0].is(Expr::Kind::number) && index.args[1].is(Expr::Kind::number);
      if (subtracts) {
        const std::string meant = fmt::format("{}..{}", index.args[0].number, index.args[1].number);
        d.helped("a range has two dots: `[" + meant + "]`");
        d.suggest("write `" + meant + "`", index.range, meant);
      } else if (*low == 0) {
        // Counted from 0, the last of 40 tasks is 39. So a round number, or the number of all tasks, is a
        // count and not an index.
        const bool number = *high > 0 && (*high % 10 == 0 || *high >= n);
        const std::int64_t to = number ? std::min(*high, n) : *high + 1;
        const std::string meant = instead(1, to);
        d.helped("ids count from 1, and both ends are included: the first " +
                 (to == 1 ? "is" : std::to_string(to) + " are") + " `[" + meant + "]`");
        if (*high <= n) d.suggest("count from 1", index.range, meant);
        if (!number) note_shifted(d, *scope.module, e.args[0], index, *high, n);
      } else if (*low < 0 && *high < 0 && -*low <= n) {
        const std::string meant = instead(n + 1 + *low, n + 1 + *high);
        d.helped("ids count from 1, and none counts from the end: write `[" + meant + "]`");
        d.suggest("count from 1", index.range, meant);
      } else if (*low < 0) {
        d.helped("ids count from 1, and both ends are included");
      } else if (*low > n) {
        d.helped("no task has these ids");
      } else {
        d.helped(fmt::format("only {} of the {} exist", std::max<std::int64_t>(0, last - first + 1),
                             *high - *low + 1));
        if (range && last >= first) d.suggest("keep those that exist", index.range, instead(first, last));
      }
      report(std::move(d));
      out.known = false;
      continue;
    }
    for (std::int64_t id = *low; id <= *high; ++id) {
      const SuiteTask* t = of.tasks[static_cast<std::size_t>(id - 1)];
      if (seen.insert(t).second)
        out.tasks.push_back(t);
      else
        twice.push_back(t);
    }
  }
  if (e.args.size() < 2) {
    report(found(rules::empty_split, e.range, "there are no ids in the brackets").helped("write `[1..10]`"));
    out.known = false;
  }
  if (!twice.empty()) {
    report(found(rules::duplicate_task, e.range,
                 (twice.size() == 1 ? "the task " : "the tasks ") + ids(twice) +
                     (twice.size() == 1 ? " is" : " are") + " there twice"));
    out.known = false;
  }
  return out;
}

Elaborator::TaskSet Elaborator::selected_set(const Expr& e, const Scope& scope) {
  TaskSet out;
  Type type;
  type.kind = Type::Kind::result;
  type.name = "suite";
  const bool before = std::exchange(faulty_, false);
  const Value call = this->call(e, type, scope);
  const bool failed = std::exchange(faulty_, before) || call.absent();
  faulty_ = faulty_ || failed;
  if (failed || call.items.empty() || !call.items[0].is(Value::Kind::tasks)) return out;
  const std::vector<const SuiteTask*>& of = call.items[0].tasks;
  if (std::any_of(of.begin(), of.end(), [](const SuiteTask* t) { return !t->is_lowered(); }))
    return out;  // the error in a task was reported
  const Expr* from = argument(e, "tasks", 0);
  const std::string name = from != nullptr && from->dotted() ? "`" + *from->dotted() + "`" : "the set";
  if (call.name == "where") {
    const Expr* asked = argument(e, "condition", 1);
    if (asked == nullptr) return out;
    if (std::any_of(of.begin(), of.end(), [](const SuiteTask* t) {
          return t->lowered().contains("source") && !t->lowered().contains("module");
        })) {
      report(found(rules::wrong_type, from != nullptr ? from->range : e.range,
                   "the tasks of " + name + " are stored elsewhere: `where` cannot read their properties")
                 .helped("name them by their ids: `level2[1..20]`"));
      return out;
    }
    const auto condition = Condition::read(*asked, of, [&](Diagnostic d) { report(std::move(d)); });
    if (!condition) return out;
    for (const char* property : {"rank", "dtype"})
      if (condition->names(property) && std::any_of(of.begin(), of.end(), [](const SuiteTask* t) {
            return t->lowered().contains("module") && t->lowered().contains("source");
          })) {
        report(found(rules::wrong_type, asked->range,
                     fmt::format("the {} of results isn't known of tasks that are read without being run",
                                 property))
                   .helped("choose by `operators`, `has(…)`, `inputs`, `name`, `suite` or `id`"));
        return out;
      }
    try {
      for (const SuiteTask* t : of)
        if (condition->holds(*t)) out.tasks.push_back(t);
    } catch (const formulas::EvaluationError& error) {
      report(found(rules::out_of_range, asked->range, error.what()));
      return out;
    }
    if (out.tasks.empty()) {
      report(found(rules::empty_split, asked->range,
                   fmt::format("the condition holds for none of the {} of {}", tasks_text(of.size()), name))
                 .helped(condition->spread(of)));
      return out;
    }
    out.known = true;
    return out;
  }
  const Value *n = call.entry("n"), *seed = call.entry("seed");
  if (n == nullptr || seed == nullptr) return out;
  const auto wanted = static_cast<std::size_t>(n->number());
  if (wanted > of.size()) {
    report(found(rules::sample_too_large, n->range,
                 fmt::format("{} has {}, but {} are to be sampled", name, tasks_text(of.size()), wanted))
               .helped(fmt::format("sample at most {}, or leave `sample` out to take all of them", of.size()))
               .suggest("sample all", n->range, std::to_string(of.size())));
    return out;
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  for (std::size_t i = 0; i < of.size(); ++i)
    keys.emplace_back(
        random_key(fmt::format("{}/split/{}/0/0", seed->plain.get<std::int64_t>(), of[i]->key)).value, i);
  std::sort(keys.begin(), keys.end());
  keys.resize(wanted);
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [key, place] : keys) out.tasks.push_back(of[place]);
  out.known = true;
  return out;
}

}  // namespace trl::language
