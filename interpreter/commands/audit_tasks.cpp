// `trl audit tasks`: lists the tasks of a file that an answer can pass without computing them, by the exam's
// protocol and by KernelBench's.
#include "interpreter/commands/audit_tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>

#include "base/support/code_points.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/assess/assessments.hpp"
#include "interpreter/assess/task_progress.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/plan/hub_cache.hpp"
#include "interpreter/python_program.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/user_cache.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/render.hpp"
#include "language/program/program.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct AuditTasks {
  ProgramOptions program;
  std::vector<std::string> suites;
  bool as_json = false, all = false;
  int millions = 20'000;  ///< the operations that a task of a file may take, in millions
};

/// The judgement of one protocol on a task's trivial answers.
struct Triviality {
  std::string accepts;           ///< an answer that passes; empty if none does
  std::size_t others = 0;        ///< how many more pass
  std::string untried;           ///< why nothing was tried; empty if something was
  std::optional<double> share;   ///< right outputs of the best trivial answer; none: not measured
  std::string best;              ///< that answer
  json shares = json::object();  ///< by answer
};

struct Audited {
  std::string id, name;
  const json* task = nullptr;
  Triviality strict;
  std::optional<Triviality> kernelbench;  ///< nothing if a file has no such task
};

const json* module_of(const json& task) {
  const auto module = task.find("module");
  return module == task.end() || !module->contains("code") ? nullptr : &*module;
}

Triviality read_strict(const language::Assessment& assessment) {
  Triviality out;
  if (assessment.known == language::Assessment::Known::unknown) out.untried = assessment.why;
  if (assessment.known == language::Assessment::Known::degenerate) {
    out.accepts = assessment.passes;
    for (const auto& variation : assessment.variations)
      if (std::find(variation.passes.begin(), variation.passes.end(), assessment.passes) !=
          variation.passes.end()) {
        out.others = variation.passes.size() - 1;
        break;
      }
  }
  return out;
}

/// A row of trivial_answers.py; nothing if it is malformed.
std::optional<Triviality> read_kernelbench(const json& row) try {
  Triviality out;
  if (row.contains("why")) {
    out.untried = row.at("why");
    return out;
  }
  out.shares = row.at("shares");
  for (const auto& [answer, share] : out.shares.items())
    if (!out.share || share.get<double>() > *out.share) out.share = share.get<double>(), out.best = answer;
  const auto& accepts = row.at("accepts");
  if (!accepts.empty()) out.accepts = accepts.front(), out.others = accepts.size() - 1;
  return out;
} catch (const json::exception&) {
  return std::nullopt;
}

void assess(std::vector<Audited>& all, TaskProgress& progress) {
  Assessments assessments(shipped_assessments(), assessments_folder(),
                          [](const json& request, const auto& row) {
                            const Interrupt interrupt;
                            ask_verifier(request, row, interrupt);
                          });
  std::vector<const json*> tasks;
  std::vector<Audited*> typed;
  for (Audited& one : all) {
    if (one.task->value("value", json()).is_null()) {
      const json* module = module_of(*one.task);
      one.strict.untried = module == nullptr ? "its text isn't here"
                                             : module->value("untyped", "its forward isn't understood");
      continue;
    }
    tasks.push_back(one.task), typed.push_back(&one);
  }
  assessments.of(tasks, "task");
  assessments.ask(
      [&](std::size_t done, std::size_t count) { progress.show("exam's protocol:", done, count); });
  const auto found = assessments.of(tasks, "task");
  for (std::size_t i = 0; i < typed.size(); ++i) typed[i]->strict = read_strict(found[i]);
}

/// Starts trivial_answers.py for the tasks that weren't tried before, several at once.
void try_kernelbench(const AuditTasks& options, std::vector<Audited>& all, TaskProgress& progress) {
  constexpr std::int64_t most_bytes = std::int64_t{320} << 20;  // of one task
  constexpr unsigned most_processes = 2;                        // keeps all below 1 GiB
  const UserCache cache(user_cache_folder("trivial_answers"));
  json request = {{"trials", 5},
                  {"operations", std::int64_t{1'000'000} * options.millions},
                  {"most_bytes", most_bytes},
                  {"processes", std::clamp(std::thread::hardware_concurrency(), 1U, most_processes)},
                  {"tasks", json::array()}};
  std::vector<std::pair<std::string, Audited*>> asked;
  for (Audited& one : all) {
    const json* module = module_of(*one.task);
    if (module == nullptr) continue;
    json task = {{"id", one.id}, {"code", module->at("code")}, {"entry", module->value("entry", "Model")}};
    std::string key = trivial_answers_key(find_home(), request, task);
    if (const auto row = cache.find(key)) one.kernelbench = read_kernelbench(*row);
    if (one.kernelbench) continue;
    request["tasks"].push_back(std::move(task));
    asked.emplace_back(std::move(key), &one);
  }
  if (asked.empty()) return;
  const Interrupt interrupt;
  std::size_t done = 0;
  run_python({find_home(),
              "verifier/kernelbench/trivial_answers.py",
              {},
              request.dump(),
              [&] { return interrupt.requested(); }},
             [&](const std::string& line) {
               json row = json::parse(line, nullptr, false);
               const auto place = row.is_object() ? row.value("task", asked.size()) : asked.size();
               std::optional<Triviality> found = place < asked.size() ? read_kernelbench(row) : std::nullopt;
               if (!found)
                 throw UserError("verifier/kernelbench/trivial_answers.py answered what isn't understood: " +
                                 line.substr(0, 100));
               asked[place].second->kernelbench = std::move(found);
               row.erase("task"), row.erase("id");
               if (row.contains("shares") || row.value("counted", false))
                 cache.keep(asked[place].first, row.dump());
               progress.show("KernelBench's protocol:", ++done, asked.size());
             });
  for (const auto& [key, one] : asked)
    if (!one->kernelbench)
      throw UserError("verifier/kernelbench/trivial_answers.py said nothing of " + one->id);
}

json as_json(const Triviality& finding) {
  json out = {{"degenerate", finding.untried.empty() ? json(!finding.accepts.empty()) : json()}};
  if (!finding.accepts.empty()) out["accepts"] = finding.accepts, out["others"] = finding.others;
  if (!finding.untried.empty()) out["untried"] = finding.untried;
  if (!finding.shares.empty()) out["shares"] = finding.shares;
  return out;
}

std::string cell(const Triviality& finding, bool with_share) {
  if (!finding.untried.empty()) return "not tried";
  std::string text = finding.accepts;
  if (!text.empty() && finding.others > 0) text += fmt::format(" (+ {})", finding.others);
  if (text.empty())
    text = with_share && finding.share ? fmt::format("- ({:.0f} %: {})", 100 * *finding.share, finding.best)
                                       : "-";
  return text;
}

void show(const AuditTasks& options, const std::vector<Audited>& all, Console& console) {
  constexpr std::size_t of_name = 34, of_cell = 21;
  std::size_t strict = 0, kernelbench = 0, nothing = 0, files = 0, typed = 0;
  bool head = false;
  for (const Audited& one : all) {
    const bool by_strict = !one.strict.accepts.empty(),
               by_other = one.kernelbench && !one.kernelbench->accepts.empty();
    typed += one.strict.untried.empty(), files += one.kernelbench && one.kernelbench->untried.empty();
    strict += by_strict, kernelbench += by_other;
    nothing += by_other && !one.kernelbench->accepts.ends_with(" as zeros");
    if (!by_strict && !by_other && !options.all) continue;
    if (!std::exchange(head, true))
      console.out << fmt::format("{:<{}}  {:<{}}  {}\n", "task", of_name, "by the exam", of_cell,
                                 "by KernelBench");
    const std::string name = cut_to(terminal_safe(one.id + " " + one.name), of_name);
    console.out << fmt::format("{:<{}}  {:<{}}  {}\n", name, of_name,
                               cut_to(cell(one.strict, false), of_cell), of_cell,
                               one.kernelbench ? cut_to(cell(*one.kernelbench, true), of_cell) : "");
  }
  if (head) console.out << '\n';
  console.out << wrapped(
                     fmt::format(
                         "The exam's protocol accepts a trivial answer to {} of the {} that it was tried on.",
                         strict, counted(typed, "task")),
                     0)
              << '\n';
  if (files > 0)
    console.out << wrapped(fmt::format("KernelBench's protocol accepts one to {} of {}, at these sizes: to "
                                       "{} one that computes nothing or a part, to "
                                       "{} the value without an operand.",
                                       kernelbench, counted(files, "task"), nothing, kernelbench - nothing),
                           0)
                << '\n';
  if (strict > 0) {
    std::string minus;
    for (const Audited& one : all)
      if (!one.strict.accepts.empty())
        minus += fmt::format(" - {}[{}]", one.task->at("suite").get<std::string>(), one.task->value("id", 0));
    console.out << wrapped("An evaluation without them has `split = …" + minus + "`.", 2) << '\n';
  }
  std::map<std::string, std::vector<std::string>> untried;
  for (const Audited& one : all) {
    if (!one.strict.untried.empty()) untried["exam: " + one.strict.untried].push_back(one.id);
    if (one.kernelbench && !one.kernelbench->untried.empty())
      untried["KernelBench: " + one.kernelbench->untried].push_back(one.id);
  }
  for (const auto& [why, ids] : untried) {
    std::string named = ids.front();
    for (std::size_t i = 1; i < ids.size() && i < 3; ++i) named += ", " + ids[i];
    if (ids.size() > 3) named += fmt::format(" and {} more", ids.size() - 3);
    console.out << wrapped(terminal_safe(fmt::format("Not tried by {} ({})", why, named)), 2) << '\n';
  }
}

int audit_tasks(const AuditTasks& options, Console& console) {
  if (options.millions < 1) throw WrongUsage("--operations is at least 1");
  const auto checked = language::check_file(options.program.file, check_options(options.program));
  if (checked.has_errors()) {
    console.err << diagnostics_text(checked, console);
    return failed;
  }
  std::vector<Audited> all;
  const json& tasks = checked.resolved->at("tasks");
  for (const auto& [id, task] : tasks.items()) {
    const std::string suite = task.at("suite");
    if (!options.suites.empty() &&
        std::find(options.suites.begin(), options.suites.end(), suite) == options.suites.end())
      continue;
    all.push_back({id, task.value("name", ""), &task, {}, {}});
  }
  for (const std::string& suite : options.suites)
    if (std::none_of(all.begin(), all.end(),
                     [&](const Audited& one) { return one.task->at("suite") == suite; }))
      throw WrongUsage(options.program.file + " has no tasks of a suite `" + suite + "`");
  if (all.empty())
    throw UserError(options.program.file + " has no tasks",
                    "Name a file with suites, or one that imports some.");
  std::stable_sort(all.begin(), all.end(), [](const Audited& a, const Audited& b) {
    return std::pair(a.task->at("suite").get<std::string>(), a.task->value("id", 0)) <
           std::pair(b.task->at("suite").get<std::string>(), b.task->value("id", 0));
  });
  {
    TaskProgress progress(console.err);
    assess(all, progress);
    try_kernelbench(options, all, progress);
  }
  if (options.as_json) {
    json out = json::array();
    for (const Audited& one : all) {
      json row = {{"task", one.id}, {"name", one.name}, {"exam", as_json(one.strict)}};
      if (one.kernelbench) row["kernelbench"] = as_json(*one.kernelbench);
      out.push_back(std::move(row));
    }
    console.out << dumped(out) << '\n';
  } else {
    show(options, all, console);
  }
  return fine;
}

}  // namespace

void add_audit_tasks(Command audit, Console& console, int& status) {
  auto options = std::make_shared<AuditTasks>();
  auto command = audit.add_command("tasks", "Find tasks that can be passed without computing them");
  command.add_option("FILE", options->program.file, "A .trl file with suites").required().type_name("");
  command.add_option("SUITE", options->suites, "Only these suites; by default all of the file's")
      .type_name("");
  command.add_flag("--all", options->all, "All tasks, with what the best trivial answer gets right of each");
  command.add_flag("--json", options->as_json, "Everything, as JSON");
  command
      .add_option("--operations", options->millions,
                  "Millions of operations that a task of a file may take by KernelBench's protocol: elements "
                  "read and written, multiplications, additions")
      .type_name("N=20000");
  add_sets(command, options->program.sets);
  add_examples(command,
               "  trl audit tasks exam.trl\n"
               "  trl audit tasks exam.trl level1 --all\n"
               "Zeros, a constant, an input, a part of the output, the output of another draw,\n"
               "and the value without an input or a term are tried as answers: with the inputs\n"
               "of an exam; and for tasks of files, whose modules are carried out, by\n"
               "KernelBench's protocol.",
               "0 tried, 1 errors, 2 wrong usage");
  command.callback([options, &console, &status] { status = audit_tasks(*options, console); });
}

}  // namespace trl::interpreter
