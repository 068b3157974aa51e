// `trl audit tasks`: which tasks of a file can be passed without computing them, by the exam's protocol and
// by KernelBench's.
#include "interpreter/commands/audit_tasks.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/assess/assessments.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/plan/hub_cache.hpp"
#include "interpreter/python_program.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/verifier_process.hpp"
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
  int seconds = 60;
};

/// What one protocol says of a task's trivial answers.
struct Finding {
  std::string accepts;           ///< an answer that passes; empty: none does
  std::size_t others = 0;        ///< how many more pass
  std::string untried;           ///< why nothing was tried; empty: it was
  std::optional<double> share;   ///< of outputs that the best trivial answer gets right; none: not measured
  std::string best;              ///< that answer
  json shares = json::object();  ///< by answer
};

struct Audited {
  std::string id, name;
  const json* task = nullptr;
  Finding strict;
  std::optional<Finding> kernelbench;  ///< none: it is no task of a file
};

const json* module_of(const json& task) {
  const auto module = task.find("module");
  return module == task.end() || !module->contains("code") ? nullptr : &*module;
}

Finding read_strict(const language::Assessment& assessment) {
  Finding out;
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

Finding read_kernelbench(const json& row) {
  Finding out;
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
}

/// A line that says how far a long work is; nothing without a terminal but a line at its end.
class Shown {
 public:
  explicit Shown(Console& console) : console_(console), live_(style_of_stderr().terminal) {}
  ~Shown() {
    if (live_) console_.err << "\r\x1b[K" << std::flush;
  }
  void show(const std::string& what, std::size_t done, std::size_t all) {
    if (live_)
      console_.err << fmt::format("\r{} {} of {} tasks\x1b[K", what, done, all) << std::flush;
    else if (done == all || done % 25 == 0)
      console_.err << fmt::format("{} {} of {} tasks\n", what, done, all) << std::flush;
  }

 private:
  Console& console_;
  bool live_;
};

void assess(std::vector<Audited>& all, Shown& shown) {
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
  assessments.ask([&](std::size_t done, std::size_t count) { shown.show("exam's protocol:", done, count); });
  const auto found = assessments.of(tasks, "task");
  for (std::size_t i = 0; i < typed.size(); ++i) typed[i]->strict = read_strict(found[i]);
}

void try_kernelbench(const AuditTasks& options, std::vector<Audited>& all, Shown& shown) {
  constexpr std::size_t at_once = 10;
  std::vector<Audited*> files;
  for (Audited& one : all)
    if (module_of(*one.task) != nullptr) files.push_back(&one);
  const Interrupt interrupt;
  for (std::size_t first = 0; first < files.size(); first += at_once) {
    json request = {{"trials", 5},
                    {"seconds", options.seconds},
                    {"most_bytes", std::int64_t{1} << 30},
                    {"tasks", json::array()}};
    const std::size_t end = std::min(first + at_once, files.size());
    for (std::size_t i = first; i < end; ++i) {
      const json& module = *module_of(*files[i]->task);
      request["tasks"].push_back(
          {{"id", files[i]->id}, {"code", module.at("code")}, {"entry", module.value("entry", "Model")}});
    }
    const std::string text =
        run_python({find_home(), "verifier/kernelbench/trivial_answers.py", {}, request.dump(), [&] {
                      return interrupt.requested();
                    }});
    const json answer = json::parse(text, nullptr, false);
    if (!answer.is_object() || !answer.contains("tasks") || answer["tasks"].size() != end - first)
      throw UserError("verifier/kernelbench/trivial_answers.py answered what isn't understood: " +
                      text.substr(0, 100));
    for (std::size_t i = first; i < end; ++i)
      files[i]->kernelbench = read_kernelbench(answer["tasks"][i - first]);
    shown.show("KernelBench's protocol:", end, files.size());
  }
}

json as_json(const Finding& finding) {
  json out = {{"degenerate", finding.untried.empty() ? json(!finding.accepts.empty()) : json()}};
  if (!finding.accepts.empty()) out["accepts"] = finding.accepts, out["others"] = finding.others;
  if (!finding.untried.empty()) out["untried"] = finding.untried;
  if (!finding.shares.empty()) out["shares"] = finding.shares;
  return out;
}

std::string cell(const Finding& finding, bool with_share) {
  if (!finding.untried.empty()) return "not tried";
  std::string text = finding.accepts;
  if (!text.empty() && finding.others > 0) text += fmt::format(" (+ {})", finding.others);
  if (text.empty())
    text = with_share && finding.share ? fmt::format("- ({:.0f} %: {})", 100 * *finding.share, finding.best)
                                       : "-";
  return text;
}

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
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
    const std::string name = cut(terminal_safe(one.id + " " + one.name), of_name);
    console.out << fmt::format("{:<{}}  {:<{}}  {}\n", name, of_name, cut(cell(one.strict, false), of_cell),
                               of_cell, one.kernelbench ? cut(cell(*one.kernelbench, true), of_cell) : "");
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
  if (options.seconds < 1) throw WrongUsage("--seconds is at least 1");
  const auto checked = language::check_file(options.program.file, check_options(options.program));
  if (checked.has_errors()) {
    console.err << language::render(checked.diagnostics, checked.sources, console.colour);
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
    Shown shown(console);
    assess(all, shown);
    try_kernelbench(options, all, shown);
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
      .add_option("--seconds", options->seconds,
                  "Seconds that a task of a file may take by KernelBench's protocol")
      .type_name("N=60");
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
