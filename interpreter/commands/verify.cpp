// One candidate's verdict, step by step, with the reason.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "interpreter/commands/candidate_text.hpp"
#include "interpreter/commands/commands.hpp"
#include "interpreter/error.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/wrap.hpp"
#include "language/render.hpp"
#include "language/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

struct VerifyCommand {
  std::string candidate, task, suite_file;
  ProgramOptions program;
  bool tolerant = false, as_json = false, no_sandbox = false;
};

/// What is verified, and by what.
struct Subject {
  std::string title;  ///< "level1/7 amax_rows: candidate.py"
  std::string answer;
  json task, spec;
  std::string secret = "trl-verify";  ///< inputs are the same each time, but in a store
};

json exam_spec(bool tolerant) {
  return {{"variations", {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)"}},
          {"tiny", true},
          {"compile", "all"},
          {"strict", !tolerant}};
}

std::string id_of(const json& task) {
  return fmt::format("{}/{}", task.at("suite").get<std::string>(), task.at("id").get<int>());
}
std::string name_of(const json& task) { return task.at("name"); }

/// Modules of the library whose suites have tasks of their own; of equal names the first is meant.
constexpr const char* modules_with_tasks[] = {"windtunnel", "kernelbench_like", "example"};

void add_tasks(const json& document, std::vector<json>& tasks) {
  for (const auto& [id, task] : document.at("tasks").items())
    if (std::none_of(tasks.begin(), tasks.end(), [&](const json& known) { return id_of(known) == id; }))
      tasks.push_back(task);
}

/// Those of the user's file, then those of the library.
std::vector<json> known_tasks(const std::string& suite_file, Console& console) {
  std::vector<json> tasks;
  if (!suite_file.empty()) {
    const auto checked = language::check_file(suite_file);
    if (checked.has_errors() || !checked.resolved) {
      console.err << language::render(checked.diagnostics, checked.sources, console.colour) << std::flush;
      throw WrongUsage(suite_file + " has errors, so its tasks can't be told");
    }
    add_tasks(*checked.resolved, tasks);
  }
  for (const char* module : modules_with_tasks) {
    language::CheckOptions options;
    options.read = [&](const std::string& path) -> std::optional<std::string> {
      if (path == "tasks") return fmt::format("import {}\n", module);
      return std::nullopt;
    };
    if (const auto checked = language::check_file("tasks", options); checked.resolved)
      add_tasks(*checked.resolved, tasks);
  }
  return tasks;
}

/// By `level1/7`, `level2/gemm_bias_gelu`, or a name that one task alone has.
json find_task(const std::string& wanted, const std::vector<json>& tasks) {
  std::vector<const json*> found;
  std::vector<std::string> names;
  const bool with_suite = wanted.find('/') != std::string::npos;
  for (const json& task : tasks) {
    const std::string name = name_of(task), full = task.at("suite").get<std::string>() + "/" + name;
    if (wanted == id_of(task) || wanted == (with_suite ? full : name)) found.push_back(&task);
    names.push_back(with_suite ? full : name);
  }
  if (found.empty()) {
    const auto near = language::closest(wanted, names);
    throw WrongUsage("there is no task `" + wanted + "`",
                     near
                         ? "did you mean " + *near + "?"
                         : "A task is level1/7 or level2/gemm_bias_gelu, of the library's suites or those of "
                           "--suite-file FILE.");
  }
  if (found.size() > 1) {
    std::string all;
    for (const json* task : found) all += (all.empty() ? "" : ", ") + id_of(*task);
    throw WrongUsage("several tasks are called `" + wanted + "`", "Say which: " + all + ".");
  }
  if (found.front()->contains("source"))
    throw WrongUsage("the task " + id_of(*found.front()) + " is kept elsewhere, in " +
                     found.front()->at("source").get<std::string>());
  return *found.front();
}

bool is_id(const std::string& text) {
  const auto dot = text.find('.');
  return dot != std::string::npos && dot >= 10 && dot + 1 < text.size() &&
         text.find_first_not_of("0123456789abcdef") == dot &&
         text.find_first_not_of("0123456789", dot + 1) == std::string::npos;
}

/// A candidate of a store meets the inputs of its exam again, by the exam's own protocol.
Subject stored(const VerifyCommand& options) {
  const Store store(options.program.store);
  const auto candidate = find_candidate(store, options.program.out, options.candidate);
  Subject subject;
  subject.answer = candidate.answer, subject.task = candidate.task;
  subject.title = fmt::format("{} {}: {}", id_of(subject.task), candidate.name, candidate.id);
  subject.spec = exam_spec(options.tolerant);
  for (const auto& judgement : candidate.judgements)
    if (judgement.strict && !options.tolerant) subject.spec = store.stage(judgement.stage).at("spec");
  subject.secret = read_text(store.root() / "secret");
  while (!subject.secret.empty() && subject.secret.back() == '\n') subject.secret.pop_back();
  return subject;
}

Subject given(const VerifyCommand& options, Console& console) {
  if (options.task.empty())
    throw WrongUsage(
        "which task " + options.candidate + " solves has to be said",
        "--task level1/7, or --task level2/gemm_bias_gelu; `trl show FILE` lists a file's suites.");
  Subject subject;
  subject.task = find_task(options.task, known_tasks(options.suite_file, console));
  subject.title = fmt::format("{} {}: {}", id_of(subject.task), name_of(subject.task),
                              options.candidate == "-" ? "standard input" : options.candidate);
  subject.spec = exam_spec(options.tolerant);
  if (options.candidate == "-") {
    subject.answer = {std::istreambuf_iterator<char>(std::cin), {}};
  } else {
    if (fs::is_directory(options.candidate))
      throw WrongUsage(options.candidate + " is a folder", "Name a Python file, or - for standard input.");
    subject.answer = read_text(options.candidate);
  }
  return subject;
}

struct Marks {
  const char *passed, *failed, *skipped;
};
constexpr Marks unicode = {"✓", "✗", "–"}, ascii = {"ok  ", "FAIL", "-   "};

std::string text_of(const json& row, const char* name) {
  return row.contains(name) && row[name].is_string() ? terminal_safe(row[name].get<std::string>()) : "";
}

std::string launches_text(const json& verdict) {
  const int launches = verdict.value("launches", 0);
  return fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
}

std::string times_text(const json& verdict) {
  return fmt::format("{:.2f} us, reference {:.2f} us, {:.2f} times as fast{}",
                     verdict.at("time_us").get<double>(), verdict.at("reference_us").get<double>(),
                     verdict.at("speedup").get<double>(),
                     verdict.value("modelled", true) ? ", modelled" : "");
}

void show_step(const json& step, const json& verdict, const Marks& marks, const Paint& paint,
               std::ostream& out) {
  const auto stage = text_of(step, "stage"), outcome = text_of(step, "outcome");
  const bool passed = outcome == "passed", failed = outcome == "failed";
  std::string remark = text_of(step, "reason");
  if (passed && !remark.empty()) remark += ", let pass";
  if (passed && stage == "syntax" && verdict.value("launches", 0) > 0) remark = launches_text(verdict);
  if (passed && stage == "timed") remark = times_text(verdict);
  std::string line =
      fmt::format("{:<8} {:<14} {}", stage, stage == "tiny" ? "" : text_of(step, "variation"), remark);
  if (stage == "timed") line = fmt::format("{:<8} {}", stage, remark);
  line.erase(line.find_last_not_of(' ') + 1);
  const char* mark = passed ? marks.passed : failed ? marks.failed : marks.skipped;
  out << "  " << paint(passed ? green : failed ? red : dim, mark) << ' ' << line << '\n';
}

void show_launches(const json& step, std::ostream& out) {
  if (step.at("launches").empty()) return;
  out << "\nlaunched\n";
  for (const json& launch : step.at("launches")) {
    const auto& grid = launch.at("grid");
    std::string text = fmt::format("  {}, grid [{}, {}, {}]", text_of(launch, "kernel"),
                                   grid.at(0).get<int>(), grid.at(1).get<int>(), grid.at(2).get<int>());
    if (launch.value("num_warps", 0) > 0) text += fmt::format(", {} warps", launch["num_warps"].get<int>());
    if (launch.value("line", 0) > 0) text += fmt::format(", line {}", launch["line"].get<int>());
    out << wrapped(text, 4) << '\n';
  }
}

void show_failure(const json& step, const Subject& subject, const Paint& paint, std::ostream& out) {
  const auto variation = text_of(step, "variation");
  const int line = step.at("line").is_number() ? step.at("line").get<int>() : 0;
  std::string head = text_of(step, "reason");
  if (!variation.empty()) head += ", on " + variation;
  if (line > 0) head += fmt::format(", line {}", line);
  out << '\n' << paint(bold, head) << '\n';
  if (const auto message = text_of(step, "message"); !message.empty())
    out << wrapped("  " + message, 2) << '\n';
  if (line > 0) {
    out << '\n';
    show_excerpt(subject.answer, line, paint, out);
  }
  show_launches(step, out);
}

void show(const json& verdict, const Subject& subject, Console& console) {
  auto& out = console.out;
  const Paint paint{console.out_colour};
  const Marks& marks = console.unicode ? unicode : ascii;
  out << paint(bold, terminal_safe(subject.title)) << "\n\n";
  const json* failed = nullptr;
  for (const json& step : verdict.at("stages")) {
    show_step(step, verdict, marks, paint, out);
    if (!failed && step.at("outcome") == "failed") failed = &step;
  }
  if (failed) show_failure(*failed, subject, paint, out);
  out << '\n'
      << (verdict.at("correct").get<bool>() ? paint(green, "correct") : paint(red, "not correct"))
      << (failed && verdict.at("values").get<bool>() ? ": the values are right, the accesses to memory aren't"
                                                     : "")
      << '\n';
}

int verify(const VerifyCommand& options, Console& console) {
  try {
    const bool by_id = options.task.empty() && is_id(options.candidate) && !fs::exists(options.candidate);
    const Subject subject = by_id ? stored(options) : given(options, console);
    const Interrupt interrupt;
    json verdict;
    ask_verifier(
        {{"task", subject.task},
         {"answer", subject.answer},
         {"spec", subject.spec},
         {"secret", subject.secret},
         {"sandbox", !options.no_sandbox},
         {"measured", options.program.measured_times}},
        [&](const json& row) { verdict = row; }, interrupt);
    if (!verdict.is_object()) throw UserError("trl-verify said nothing");
    if (options.as_json)
      console.out << verdict.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
    else
      show(verdict, subject, console);
    return verdict.at("correct").get<bool>() ? fine : failed;
  } catch (const WrongUsage&) {
    throw;
  } catch (const UserError& error) {
    // 1 says that a candidate is not correct.
    throw WrongUsage(error.what(), error.help);
  }
}

}  // namespace

void add_verify(CLI::App& trl, Console& console, int& status) {
  auto options = std::make_shared<VerifyCommand>();
  auto* command = trl.add_subcommand("verify", "Verify one candidate, step by step, as an exam does");
  command
      ->add_option(
          "CANDIDATE", options->candidate,
          "A Python file, or a text with a fenced block; - for standard input; or a candidate's ID as "
          "`trl trace` lists it")
      ->required()
      ->type_name("");
  command
      ->add_option("--task", options->task,
                   "What it is to solve: level1/7, level2/gemm_bias_gelu, or a name alone. Not of an ID")
      ->type_name("NAME");
  command->add_option("--suite-file", options->suite_file, "Look for the task in this .trl file first")
      ->type_name("FILE.trl");
  command->add_flag("--tolerant", options->tolerant,
                    "Memory errors don't fail values that are right, as in training");
  command->add_flag("--json", options->as_json, "The verdict with every step, for machines");
  command->add_flag("--no-sandbox", options->no_sandbox,
                    "Run the candidate's Python without a sandbox, where the machine allows none");
  add_store(*command, options->program);
  add_kernel_times(*command, options->program);
  add_examples(*command,
               "  trl verify candidate.py --task level1/7\n"
               "  trl verify answer.txt --task my_norm --suite-file mine.trl\n"
               "  trl verify 3fa2c1d09e.17\n"
               "  trl verify candidate.py --task level1/7 --kernel-times measured",
               "0 correct, 1 not correct, 2 wrong usage or no verdict");
  command->callback([options, &console, &status] { status = verify(*options, console); });
}

}  // namespace trl::interpreter
