// Suites whose tasks are kept elsewhere and are read by another program.
#include <fmt/format.h>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/named_path.hpp"
#include "base/tasks/key.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"
#include "language/tasks/declared_again.hpp"

namespace trl::language {

using ast::Expr;
using nlohmann::json;

namespace {

/// Problems in words, the first of them: "train.jsonl, row 5: it is no JSON".
std::string in_words(const std::vector<const ForeignTasks::Problem*>& problems) {
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < problems.size() && i < most; ++i)
    out += (out.empty() ? "" : "; ") + problems[i]->place + ": " + problems[i]->what;
  if (problems.size() > most) out += fmt::format("; and {} more", problems.size() - most);
  return out;
}

/// A task, and its `module` (docs/interfaces.md, section 1).
struct TypedTask {
  Task task;
  json module;

  json document() const {
    json out = task.to_json();
    out["module"] = module;
    return out;
  }
};

/// Makes a task whose shapes are known but whose expression isn't. It is judged by its module, and its sizes
/// can't be changed.
std::variant<TypedTask, TaskError> task_by_module(const json& task, json typed,
                                                  std::optional<std::int64_t> largest) {
  if (largest)
    return TaskError{
        fmt::format("it can be judged by its module, at its own sizes and without `largest`, and not as an "
                    "expression: {}",
                    typed["module"]["judged_by_module"].get<std::string>()),
        0,
        0,
        {}};
  try {
    typed["doc"] = "", typed["key"] = "";
    TypedTask out;
    out.module = std::move(typed.at("module"));
    typed.erase("module"), typed.erase("sizes_in_text");
    out.task = Task::read(typed);
    out.task.key = trl::tasks::task_key(out.task);
    out.module["code"] = task.at("code");
    for (const char* name : {"level", "operators", "sketch"}) out.module[name] = task.at(name);
    return out;
  } catch (const UserError& error) {
    return TaskError{error.what(), 0, 0, {}};
  } catch (const json::exception& error) {
    return TaskError{error.what(), 0, 0, {}};
  }
}

/// Makes a task whose forward is known as an expression. Its `module` has the file, how its class is
/// constructed, and what it is compared by: its operators and its sketch.
std::variant<TypedTask, TaskError> typed_task(const std::string& suite, const json& task,
                                              std::optional<std::int64_t> largest) {
  json typed = task.at("typed");
  typed["suite"] = suite, typed["id"] = task.at("id"), typed["name"] = task.at("name");
  if (typed.at("module").contains("judged_by_module")) return task_by_module(task, std::move(typed), largest);
  auto lowered = lower_again(typed, largest);
  if (const auto* error = std::get_if<TaskError>(&lowered)) return *error;
  TypedTask out{std::get<Task>(std::move(lowered)), {}};
  try {
    out.module = std::move(typed.at("module"));
    out.module["code"] = with_sizes(task.at("code"), typed.at("sizes_in_text"), out.task.dims);
    for (const char* name : {"level", "operators", "sketch"}) out.module[name] = task.at(name);
    return out;
  } catch (const TaskError& error) {
    return error;
  } catch (const json::exception& error) {
    return TaskError{error.what(), 0, 0, {}};
  }
}

/// Returns the document of a task of which only outside facts are known. Everything that is known of its
/// module is in `module`.
json document_of(const std::string& suite, const json& task, const std::string& source) {
  json module = task;
  for (const char* name : {"id", "name", "key"}) module.erase(name);
  return {{"suite", suite},   {"id", task.at("id")},        {"name", task.at("name")},
          {"doc", ""},        {"dims", json::array()},      {"inputs", json::array()},
          {"value", nullptr}, {"output", nullptr},          {"key", task.at("key")},
          {"source", source}, {"module", std::move(module)}};
}

}  // namespace

std::optional<Elaborator::TasksPlace> Elaborator::place_of_tasks(const Symbol& suite, const Expr& source,
                                                                 const ast::Item* tasks) {
  const std::string called = name_of_suite(*suite.declaration);
  unreliable_suites_.insert(called);  // until all is well
  Type type;
  type.kind = Type::Kind::result;
  type.name = "tasks";
  const bool before = std::exchange(faulty_, false);
  const Value call = evaluate(source, type, {}, {suite.module, &suite_context_});
  const bool failed = std::exchange(faulty_, before) || !call.is(Value::Kind::call) || call.items.empty();
  const Value* level = failed ? nullptr : call.entry("level");
  if (level == nullptr) return std::nullopt;
  TasksPlace place;
  place.level = static_cast<std::int64_t>(level->number()), place.level_range = level->range;
  if (const Value* most = call.entry("largest"); most != nullptr && !most->absent())
    place.largest = static_cast<std::int64_t>(most->number());
  const bool used =
      suite.module == loaded_.modules.front().get() || mentioned_suites_.contains(suite.declaration);
  if (const Value& from = call.items[0]; !from.absent() && (used || tasks == nullptr)) {
    if (from.items.empty()) return std::nullopt;
    const Value& text = from.items[0];
    place.path = text.string();
    const bool here = text.range.file == source.range.file && text.range.begin >= source.range.begin &&
                      text.range.end <= source.range.end;
    place.range = here ? from.range : text.range;
    if (here && tasks != nullptr)
      report(found(rules::misplaced, tasks->path.range,
                   "the tasks of `" + called + "` are counted where they are")
                 .note("its source", source.range)
                 .helped("leave `tasks` out"));
    return place;
  }
  if (tasks == nullptr) {
    report(found(rules::missing_field, source.range,
                 "no checkout is named, and without one `tasks = …` says how many tasks there are")
               .helped("write `kernelbench(path(\"…\"), …)`, or add `tasks = 100`"));
    return std::nullopt;
  }
  unreliable_suites_.erase(called);
  return place;
}

void Elaborator::foreign_tasks(const Symbol& suite, const Expr& source, const TasksPlace& place,
                               std::vector<SuiteTask>& out) {
  const ast::Declaration& d = *suite.declaration;
  const std::string called = name_of_suite(d), &written = place.path;
  const std::string path = named_path(folder_, written).lexically_normal().string();
  const std::int64_t number = place.level;
  const auto unread = [&](const Range& range, const std::string& message, const std::string& help) {
    report(found(rules::unread_tasks, range, message).helped(help));
  };
  if (!read_foreign_)
    return unread(source.range, "the tasks of `" + written + "` can't be read here",
                  "`trl check` reads them, on a machine with Python and the tasks");
  const auto all = read_foreign_(path);
  if (!all->error.empty()) return unread(place.range, all->error, all->help);
  std::vector<const ForeignTasks::Problem*> problems;
  for (const ForeignTasks::Problem& problem : all->problems)
    if (problem.level == number || problem.level == 0) problems.push_back(&problem);
  if (!problems.empty())
    return unread(
        source.range,
        fmt::format("{} of level {} can't be read: {}", counted(problems.size(), "task"), number,
                    in_words(problems)),
        "mend them, or take a checkout whose tasks are whole: ids are only certain where all can be read");
  const auto tasks = all->of_level(number);
  if (tasks.empty()) {
    std::vector<std::string> levels;
    for (const std::int64_t one : all->levels()) levels.push_back(std::to_string(one));
    return unread(place.level_range, fmt::format("`{}` has no level {}", written, number),
                  levels.empty() ? "it has no tasks" : "its levels: " + enumeration(levels));
  }
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (tasks[i]->at("id") != i + 1)
      return unread(source.range, fmt::format("level {} of `{}` has no task {}", number, written, i + 1),
                    "ids count from 1 without a gap: take a whole checkout");
  const std::string name = fmt::format("KernelBench/level{}", number);
  for (const json* read : tasks) {
    SuiteTask task;
    task.suite = called;
    task.id = read->at("id");
    task.name = read->at("name");
    task.range = d.name_range;
    std::string why = read->value("untyped", "");
    if (read->contains("typed")) {
      auto typed = typed_task(called, *read, place.largest);
      if (auto* own = std::get_if<TypedTask>(&typed)) {
        constexpr std::int64_t small = 1 << 14;
        const auto smaller = typed_task(called, *read, small);
        if (const auto* its = std::get_if<TypedTask>(&smaller);
            its != nullptr && its->task.dims != own->task.dims)
          task.smaller = std::make_shared<const json>(its->document());
        task.means(std::move(own->task));
        task.own["module"] = std::move(own->module);
      } else {
        why = std::get<TaskError>(typed).message;
      }
    }
    if (task.own.is_null()) {
      task.key = task.overlap = read->at("key");
      task.own = document_of(called, *read, name);
      task.own["module"].erase("typed");
      task.own["module"]["untyped"] = why.empty() ? "its forward isn't understood" : why;
    }
    out.push_back(std::move(task));
  }
  unreliable_suites_.erase(called);
}

}  // namespace trl::language
