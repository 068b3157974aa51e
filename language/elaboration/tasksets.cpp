// Suites with their tasks, and splits.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/operators/operator.hpp"
#include "language/ast/expressions.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {

using ast::Expr;
using nlohmann::json;

namespace {

json place(const Range& range) { return json::array({range.begin, range.end}); }

/// Returns the tensor function whose name only differs in capitals and underscores from the written one:
/// `LogSoftmax`.
std::string function_like(const std::string& name) {
  const auto plain = [](const std::string& text) {
    std::string out;
    for (const char c : text)
      if (c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  };
  if (operators::operator_called(name)) return name;
  for (const operators::Row* row : operators::by_name())
    if (plain(row->name) == plain(name)) return row->name;
  return "";
}

bool is_framework(const std::string& name) {
  static const std::set<std::string> all = {"np",  "numpy", "torch", "nn",   "F",  "functional", "jnp",
                                            "jax", "tl",    "tf",    "math", "cp", "special"};
  return all.contains(name);
}

/// An expression of PyTorch or NumPy in this language, with methods and modules as functions; nothing when
/// some of it has no function here.
std::optional<std::string> as_written_here(const Expr& e, int depth = 0);

/// The arguments of a call, those behind the first with their labels.
bool add_arguments(const Expr& call, const std::string& function, std::size_t position, int depth,
                   std::string& out) {
  const auto found = operators::operator_called(function);
  if (!found) return false;
  const auto& parameters = operators::row(*found).parameters;
  for (const ast::Argument& a : call.arguments) {
    const auto value = as_written_here(a.value, depth + 1);
    std::string label = a.label;
    if (!value || (label.empty() && position >= parameters.size())) return false;
    if (label.empty() && !parameters[position].is_tensor()) label = parameters[position].name;
    if (label.empty() && position > 0) label = "";
    ++position;
    if (!out.empty()) out += ", ";
    out += (label.empty() ? "" : (label == "dim" ? std::string("axis") : label) + " = ") + *value;
  }
  return true;
}

std::optional<std::string> called_here(const Expr& e, int depth) {
  const Expr& callee = e.args[0];
  // `nn.ReLU()(x)`: a module is made, and called.
  if (callee.is(Expr::Kind::call)) {
    const std::string last = callee.args[0].text, name = function_like(last);
    std::string out;
    if (name.empty() || !callee.args[0].dotted() || !add_arguments(e, name, 0, depth, out) ||
        !add_arguments(callee, name, e.arguments.size(), depth, out))
      return std::nullopt;
    return name + "(" + out + ")";
  }
  const std::string name = function_like(callee.text);
  if (name.empty()) return std::nullopt;
  std::string out;
  std::size_t position = 0;
  if (callee.is(Expr::Kind::member)) {
    const auto of = callee.args[0].dotted();
    if (!of || !is_framework(of->substr(of->rfind('.') + 1))) {
      const auto self = as_written_here(callee.args[0], depth + 1);
      if (!self) return std::nullopt;
      out = *self;
      position = 1;
    }
  } else if (!callee.is(Expr::Kind::name)) {
    return std::nullopt;
  }
  if (!add_arguments(e, name, position, depth, out)) return std::nullopt;
  return name + "(" + out + ")";
}

std::optional<std::string> as_written_here(const Expr& e, int depth) {
  if (depth > 20) return std::nullopt;
  switch (e.kind) {
    case Expr::Kind::number:
      if (!e.unit.empty()) return std::nullopt;
      return fmt::format("{}", e.number);
    case Expr::Kind::name:
      return e.text == "True" ? "true" : e.text == "False" ? "false" : e.text == "None" ? "none" : e.text;
    case Expr::Kind::negative: {
      const auto of = as_written_here(e.args[0], depth + 1);
      if (!of) return std::nullopt;
      return (e.args[0].is(Expr::Kind::chain) ? "-(" + *of + ")" : "-" + *of);
    }
    case Expr::Kind::chain: {
      std::string out;
      for (std::size_t i = 0; i < e.args.size(); ++i) {
        const auto part = as_written_here(e.args[i], depth + 1);
        if (!part) return std::nullopt;
        if (i > 0) out += " " + e.ops[i - 1] + " ";
        out += e.args[i].is(Expr::Kind::chain) ? "(" + *part + ")" : *part;
      }
      return out;
    }
    case Expr::Kind::list: {
      std::string out;
      for (const Expr& part : e.args) {
        const auto one = as_written_here(part, depth + 1);
        if (!one) return std::nullopt;
        out += (out.empty() ? "" : ", ") + *one;
      }
      return "[" + out + "]";
    }
    case Expr::Kind::call:
      return called_here(e, depth);
    case Expr::Kind::member: {
      const auto of = as_written_here(e.args[0], depth + 1);
      if (!of) return std::nullopt;
      if (e.text == "T" || e.text == "mT") return "transpose(" + *of + ", -2, -1)";
      // Functions that return values and places in PyTorch return only the values here.
      const bool two =
          e.args[0].is(Expr::Kind::call) && (of->starts_with("topk(") || of->starts_with("sort("));
      if (e.text == "values" && two) return *of;
      return std::nullopt;
    }
    case Expr::Kind::index: {
      const bool first = e.args.size() == 2 && e.args[1].is(Expr::Kind::number) && e.args[1].number == 0;
      const auto of = as_written_here(e.args[0], depth + 1);
      if (first && of && (of->starts_with("topk(") || of->starts_with("sort("))) return *of;
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

json plain_expression(const Expr& e, std::vector<Diagnostic>& diagnostics, int depth) {
  const auto refuse = [&](const std::string& message, const std::string& help = "") -> json {
    diagnostics.push_back(found(rules::task_type, e.range, message).helped(help));
    return nullptr;
  };
  if (depth > 150) return refuse("the expression is nested too deeply", "split it into several tasks");
  const auto sub = [&](const Expr& part) { return plain_expression(part, diagnostics, depth + 1); };
  switch (e.kind) {
    case Expr::Kind::number:
      if (!e.unit.empty() && e.unit != "%")
        return refuse("numbers in a task have no units", "leave the unit out: tensors hold plain numbers");
      return {{"const", e.unit == "%" ? e.number / 100 : e.number}, {"at", place(e.range)}};
    case Expr::Kind::name:
      return {{"name", e.text}, {"at", place(e.range)}};
    case Expr::Kind::negative:
      return {{"op", "neg"}, {"args", json::array({sub(e.args[0])})}, {"at", place(e.range)}};
    case Expr::Kind::negation:
      return {{"op", "not"}, {"args", json::array({sub(e.args[0])})}, {"at", place(e.range)}};
    case Expr::Kind::chain: {
      if (static_cast<int>(e.ops.size()) + depth > 150) return refuse("the expression is too long");
      json left = sub(e.args[0]);
      for (std::size_t i = 0; i < e.ops.size(); ++i) {
        json node = {{"op", e.ops[i]}};
        node["at"] = place({e.range.file, e.args[0].range.begin, e.args[i + 1].range.end});
        json right = sub(e.args[i + 1]);
        node["args"] = json::array({std::move(left), std::move(right)});
        left = std::move(node);
      }
      return left;
    }
    case Expr::Kind::conditional:
      return {{"if", json::array({sub(e.args[0]), sub(e.args[1]), sub(e.args[2])})}, {"at", place(e.range)}};
    case Expr::Kind::member: {
      json node = {{"member", sub(e.args[0])}, {"name", e.text}, {"at", place(e.range)}};
      if (const auto here = as_written_here(e)) node["here"] = *here;
      return node;
    }
    case Expr::Kind::call: {
      json node = {
          {"call", e.args[0].dotted().value_or("")}, {"args", json::array()}, {"at", place(e.range)}};
      if (!e.args[0].is(Expr::Kind::name))
        if (const auto here = as_written_here(e)) node["here"] = *here;
      for (const ast::Argument& a : e.arguments) {
        if (a.label.empty())
          node["args"].push_back(sub(a.value));
        else
          node["named"][a.label] =
              a.value.is(Expr::Kind::name) && (a.value.text == "true" || a.value.text == "false")
                  ? json(a.value.text == "true")
                  : sub(a.value);
      }
      return node;
    }
    case Expr::Kind::list: {
      json node = {{"list", json::array()}, {"at", place(e.range)}};
      for (const Expr& item : e.args) node["list"].push_back(sub(item));
      return node;
    }
    case Expr::Kind::index:
      if (const auto here = as_written_here(e))
        return refuse("a task has no slices in brackets", "here it gives the values alone: " + *here);
      return refuse(
          "a task has no slices in brackets",
          "use narrow(x, axis, start, length), select(x, axis, index) or index_select(x, axis, index)");
    case Expr::Kind::text:
      return {{"text", e.text}, {"at", place(e.range)}};
    case Expr::Kind::range:
    case Expr::Kind::pipeline:
      break;
  }
  return refuse("this is not allowed in a task",
                "a task consists of tensor functions and + - * / @ of its inputs");
}

namespace {

/// A parameter for `lower_task`: `x: f32[M, 2 * K]`, `x: f32(0..1)[M]`, or `target: i64(C)[N]`, whose values
/// are below C.
json parameter(const ast::Parameter& p, std::vector<Diagnostic>& problems) {
  json param = {{"name", p.name}, {"shape", json::array()}, {"at", place(p.range)}};
  const auto size = [&](const Expr& e) {
    if (e.is(Expr::Kind::name)) return json(e.text);
    if (e.is(Expr::Kind::number) && (e.number != std::floor(e.number) || !e.unit.empty() || e.number > 1e9))
      problems.push_back(found(rules::task_type, e.range, "a dimension is a name or an integer"));
    return plain_expression(e, problems);
  };
  const Expr* type = p.type ? &*p.type : nullptr;
  const bool indexed = type != nullptr && type->is(Expr::Kind::index);
  const Expr* dtype = indexed ? &type->args[0] : nullptr;
  if (indexed && dtype->is(Expr::Kind::call) && dtype->arguments.size() == 1 &&
      (dtype->arguments[0].label.empty() || dtype->arguments[0].label == "below")) {
    const Expr& values = dtype->arguments[0].value;
    const auto range = [&](const Expr& e) -> json {
      return {{"range",
               json::array({plain_expression(e.args[0], problems), plain_expression(e.args[1], problems)})}};
    };
    if (values.is(Expr::Kind::range))
      param["values"] = range(values);
    else if (values.is(Expr::Kind::call) && values.args[0].is(Expr::Kind::name) &&
             values.arguments.size() == 1 && values.arguments[0].value.is(Expr::Kind::range))
      param["values"] = {{"call", values.args[0].text},
                         {"args", json::array({range(values.arguments[0].value)})}};
    else
      param["values"] = size(values);
    dtype = &dtype->args[0];
  }
  if (!indexed || !dtype->is(Expr::Kind::name)) {
    problems.push_back(
        found(rules::task_type, p.range, "the input `" + p.name + "` needs a type with its shape")
            .helped("write `" + p.name + ": f32[M, N]`, or `" + p.name + ": i64(N)[M]` for indices below N"));
    return param;
  }
  param["dtype"] = dtype->text;
  for (std::size_t i = 1; i < type->args.size(); ++i) param["shape"].push_back(size(type->args[i]));
  return param;
}

}  // namespace

void Elaborator::find_mentioned_suites() {
  const auto mention = [&](const std::vector<std::string>& name, const Module& module) {
    if (const Symbol symbol = lookup(name, module); symbol && symbol.declaration->kind == "suite")
      mentioned_suites_.insert(symbol.declaration);
  };
  const std::function<void(const Expr&, const Module&)> visit = [&](const Expr& e, const Module& module) {
    if (const auto dotted = e.dotted()) return mention(ast::split_dotted(*dotted), module);
    for (const Expr& part : e.args) visit(part, module);
    for (const ast::Argument& a : e.arguments) {
      // `windtunnel.corpus(level1 = 60)` has answers to the module's suite of that name.
      if (!a.label.empty() && e.args[0].is(Expr::Kind::member) && e.args[0].dotted())
        mention({e.args[0].args[0].text, a.label}, module);
      visit(a.value, module);
    }
  };
  for (const auto& module : loaded_.modules)
    for (const ast::Declaration& d : module->ast.declarations)
      ast::each_expression(d, [&](const Expr& e) { visit(e, *module); });
  for (const Override& setting : suite_context_.overrides)
    if (setting.item->value) visit(*setting.item->value, *setting.module);
}

void Elaborator::name_suites() {
  const Module* program = loaded_.modules.front().get();
  std::map<std::string, std::vector<Symbol>> called;
  for (const auto& module : loaded_.modules)
    for (const ast::Declaration& d : module->ast.declarations)
      if (const auto own = module->symbols.find(d.name);
          d.kind == "suite" && own->second.declaration == &d)  // a second one is reported as a duplicate name
        called[d.name].push_back(own->second);
  std::map<std::string, Range> taken;
  for (const auto& [name, suites] : called) {
    // The suite that needs no module's name is the program's own or, if it has none, the only one of them
    // that the program uses.
    const auto used = [&](const Symbol& s) { return mentioned_suites_.contains(s.declaration); };
    const bool own = suites.front().module == program;
    const bool one = std::count_if(suites.begin(), suites.end(), used) == 1;
    for (const Symbol& suite : suites) {
      const bool bare = suites.size() == 1 || (own ? suite.module == program : one && used(suite));
      const std::string full = bare ? name : suite.module->name + "." + name;
      const auto [other, fresh] = taken.emplace(full, suite.declaration->name_range);
      if (fresh)
        suite_names_[suite.declaration] = full;
      else
        report(found(rules::duplicate_name, suite.declaration->name_range,
                     "another suite is also called `" + full + "`")
                   .note("the other is here", other->second)
                   .helped("rename one: a task's group is named like its suite"));
    }
  }
}

void Elaborator::read_suites(const std::vector<Override>& settings) {
  suite_context_.overrides = settings;
  find_mentioned_suites();
  name_suites();
  for (const auto& module : loaded_.modules) {
    for (const ast::Declaration& d : module->ast.declarations) {
      if (d.kind == "suite") read_suite({&d, module.get()});
      if (d.kind == "task")
        report(found(rules::misplaced, d.kind_range, "a task must stand in a suite")
                   .helped("write `suite name { task " + d.name + "… }`"));
    }
  }
}

void Elaborator::external_tasks(const Symbol& of, std::vector<SuiteTask>& out) {
  const ast::Declaration& suite = *of.declaration;
  const std::string called = name_of_suite(suite);
  const ast::Item *source = nullptr, *tasks = nullptr;
  for (const ast::Item& item : suite.block->items) {
    const std::string name = item.path.text();
    if (name == "source" && item.value && !item.value->is(Expr::Kind::number)) {
      source = &item;
    } else if (name == "tasks" && item.value && item.value->is(Expr::Kind::number) &&
               item.value->unit.empty() && item.value->number == std::floor(item.value->number) &&
               item.value->number >= 1 && item.value->number <= 100000) {
      tasks = &item;
    } else if (name == "source" || name == "tasks") {
      report(found(rules::wrong_type, item.value ? item.value->range : item.path.range,
                   name == "source"
                       ? "`source` is `kernelbench(…)`, or the name of a data set in double quotes"
                       : "`tasks` is the number of tasks, from 1 to 100000"));
      unreliable_suites_.insert(called);
      return;
    } else {
      auto d = found(rules::unknown_field, item.path.range, "a suite has tasks, but no field `" + name + "`");
      d.helped(
          "a suite whose tasks are stored elsewhere has `source = kernelbench(…)`, or `source = \"…\"` and "
          "`tasks = 100`");
      respell(d, name, {"source", "tasks"}, item.path.range, Names::of_schema);
      report(std::move(d));
    }
  }
  const bool named = source == nullptr || source->value->is(Expr::Kind::text);
  if (named && (source == nullptr) != (tasks == nullptr)) {
    report(found(rules::missing_field, suite.name_range,
                 source == nullptr
                     ? "a suite with `tasks = …` needs `source = \"…\"`, which says where they are"
                     : "a suite with `source = \"…\"` needs `tasks = …`, the number of tasks"));
    unreliable_suites_.insert(called);
  }
  if (source == nullptr || (named && tasks == nullptr)) return;
  if (!suite.block->declarations.empty())
    report(found(rules::misplaced, suite.block->declarations.front().kind_range,
                 "the tasks of `" + suite.name + "` are already given by its `source`")
               .note("its source", source->value->range)
               .helped("declare tasks of your own in another suite"));
  std::string data_set = source->value->text;
  if (!named) {
    const auto place = place_of_tasks(of, *source->value, tasks);
    if (!place) return;
    if (!place->path.empty()) return foreign_tasks(of, *source->value, *place, out);
    data_set = fmt::format("KernelBench/level{}", place->level);
  }
  for (std::size_t id = 1; id <= static_cast<std::size_t>(tasks->value->number); ++id) {
    SuiteTask task;
    task.suite = called;
    task.id = id;
    task.name = "problem_" + std::to_string(id);
    task.range = suite.name_range;
    task.key = task.overlap = data_set + "/" + std::to_string(id);
    task.own = {{"suite", called},       {"id", id},
                {"name", task.name},     {"doc", ""},
                {"dims", json::array()}, {"inputs", json::array()},
                {"value", nullptr},      {"output", nullptr},
                {"key", task.key},       {"source", data_set}};
    out.push_back(std::move(task));
  }
}

namespace {

/// Whether two tasks are equal except for their own names and their inputs' names.
bool copies(const trl::tasks::Task& a, const trl::tasks::Task& b) {
  trl::tasks::Task one = a;
  one.suite = b.suite, one.id = b.id, one.name = b.name, one.doc = b.doc;
  if (one.inputs.size() != b.inputs.size()) return false;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) one.inputs[i].name = b.inputs[i].name;
  return one == b;
}

}  // namespace

void Elaborator::read_suite(const Symbol& suite) {
  const ast::Declaration& d = *suite.declaration;
  const std::string name = name_of_suite(d);
  if (name.empty()) return;
  suite_symbols_[name] = suite;
  std::vector<SuiteTask>& out = suites_[name];
  if (!d.block) {
    report(found(rules::wrong_type, d.name_range, "a suite is a block of tasks")
               .helped("write `suite " + d.name + " { task … }`"));
    unreliable_suites_.insert(name);
    return;
  }
  if (d.block->broken || suite.module->doubts(d.range)) unreliable_suites_.insert(name);
  external_tasks(suite, out);
  std::map<std::string, Range> names;
  for (const ast::Declaration& t : d.block->declarations) {
    if (t.kind != "task") {
      report(
          found(rules::misplaced, t.kind_range, "a suite holds tasks, but `" + t.name + "` is a " + t.kind));
      continue;
    }
    SuiteTask task;
    task.suite = name;
    task.id = out.size() + 1;
    task.name = t.name;
    task.range = t.name_range;
    for (const auto* allows : {&d.allows, &d.block->allows, &t.allows})
      for (const ast::Allow& allow : *allows) task.allows.push_back(&allow);
    if (const auto [before, fresh] = names.emplace(t.name, t.name_range); !fresh)
      report(found(rules::duplicate_name, t.name_range, "the suite already has a task `" + t.name + "`")
                 .note("first here", before->second));
    if (!t.value) {
      report(found(rules::task_type, t.name_range, "a task is an expression")
                 .helped("write `task " + t.name + "[N = 64](x: f32[N]) = …`"));
      out.push_back(std::move(task));
      continue;
    }
    if (const std::string& library = suite.module->embedded; !library.empty())
      task.prepared = prepared_task(library, t.name_range.begin);
    if (task.prepared != nullptr) {
      if (name != d.name) {
        trl::tasks::Task renamed = typed_form(*task.prepared);
        renamed.suite = name;
        task.prepared = nullptr;
        task.means(std::move(renamed));
      } else {
        task.key = task.prepared->key, task.overlap = task.prepared->overlap;
      }
      out.push_back(std::move(task));
      continue;
    }
    json declaration = {{"suite", name}, {"id", task.id},         {"name", t.name},
                        {"doc", t.doc},  {"dims", json::array()}, {"params", json::array()}};
    std::vector<Diagnostic> problems;
    for (const ast::Dimension& dim : t.dimensions) {
      json size = nullptr;
      if (dim.value && dim.value->is(Expr::Kind::number)) size = static_cast<std::int64_t>(dim.value->number);
      if (!dim.value || !dim.value->is(Expr::Kind::number) ||
          dim.value->number != std::floor(dim.value->number) || dim.value->number < 1 ||
          dim.value->number > 1e6 || !dim.value->unit.empty())
        problems.push_back(found(rules::task_type, dim.value ? dim.value->range : dim.name_range,
                                 "the size of `" + dim.name + "` is an integer from 1 to 1000000")
                               .helped("write `" + dim.name + " = 64`"));
      declaration["dims"].push_back(json::array({dim.name, size}));
    }
    for (const ast::Parameter& p : t.parameters) {
      declaration["params"].push_back(parameter(p, problems));
    }
    declaration["body"] = plain_expression(*t.value, problems);
    if (problems.empty()) {
      auto lowered = lower_task(declaration);
      if (auto* error = std::get_if<TaskError>(&lowered)) {
        Range range =
            error->end > error->begin ? Range{t.range.file, error->begin, error->end} : t.name_range;
        auto diagnostic = found(rules::task_type, range, error->message);
        for (std::string& note : error->notes) diagnostic.note(std::move(note));
        problems.push_back(std::move(diagnostic));
      } else {
        task.means(std::get<Task>(std::move(lowered)));
        const auto twin = std::find_if(out.begin(), out.end(), [&](const SuiteTask& before) {
          return before.key == task.key && before.own_task != nullptr &&
                 copies(*before.own_task, *task.own_task);
        });
        if (twin != out.end()) {
          auto d =
              found(rules::duplicate_task, t.name_range,
                    "`" + t.name + "` is `" + twin->name + "` under another name, so that it counts twice");
          d.severity = Severity::warning;
          report(std::move(
              d.note("the same task", twin->range).helped("leave one out, or give it other sizes")));
        }
      }
    }
    for (Diagnostic& p : problems) report(std::move(p));
    out.push_back(std::move(task));
  }
}

Value Elaborator::value_of(const Symbol& symbol, Context& context) {
  const ast::Declaration& d = *symbol.declaration;
  if (const auto done = context.values.find(&d); done != context.values.end()) {
    faulty_ = faulty_ || done->second.absent();
    return done->second;
  }
  Value value;
  value.range = d.name_range;
  if (report_cycle(symbol, context)) return value;
  const KindSpec& kind = *schema_.kind(d.kind);
  const bool before = std::exchange(faulty_, false);
  context.active.push_back(&d);
  const Override* change = nullptr;
  for (const Override& o : context.overrides)
    if (o.target == symbol && o.path.empty()) {
      context.applied.insert(o.item);  // an override that a later one replaces counts as used
      change = &o;
    }
  if (change != nullptr) {
    value = evaluate(*change->item->value, *kind.value, {}, {change->module, &context});
  } else if (!d.value) {
    report(found(rules::wrong_type, d.block ? d.block->range : d.range,
                 "a " + d.kind + " is a value, not a block")
               .helped("write `" + d.kind + " " + d.name + " = …`"));
  } else {
    value = evaluate(*d.value, *kind.value, {}, {symbol.module, &context});
  }
  context.active.pop_back();
  if (symbol.module->doubts(d.range)) faulty_ = true;
  if (faulty_) value = {};
  value.origin = change != nullptr ? change->origin() : Origin{Origin::Kind::written, &d, d.name_range};
  faulty_ = faulty_ || before;
  context.values[&d] = value;
  return value;
}

}  // namespace trl::language
