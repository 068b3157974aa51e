#include "interpreter/commands/subject.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"
#include "language/render.hpp"
#include "language/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

json exam_spec(bool tolerant) {
  return {{"variations", {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)"}},
          {"tiny", true},
          {"compile", "all"},
          {"strict", !tolerant}};
}

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
Subject stored(const SubjectOptions& options) {
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

Subject given(const SubjectOptions& options, Console& console) {
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
      throw WrongUsage(options.candidate + " is a folder",
                       "Name a Python or CUDA file, or - for standard input.");
    subject.answer = read_text(options.candidate);
  }
  return subject;
}

}  // namespace

std::string id_of(const json& task) {
  return fmt::format("{}/{}", task.at("suite").get<std::string>(), task.at("id").get<int>());
}
std::string name_of(const json& task) { return task.at("name"); }

Subject find_subject(const SubjectOptions& options, Console& console) {
  const bool by_id = options.task.empty() && is_id(options.candidate) && !fs::exists(options.candidate);
  return by_id ? stored(options) : given(options, console);
}

json verification_of(const Subject& subject, const SubjectOptions& options) {
  return {{"task", subject.task},           {"answer", subject.answer},
          {"spec", subject.spec},           {"secret", subject.secret},
          {"sandbox", !options.no_sandbox}, {"measured", options.program.measured_times}};
}

void add_verification(CLI::App& command, SubjectOptions& options) {
  command.add_flag("--no-sandbox", options.no_sandbox,
                   "Run the candidate's Python without a sandbox, where the machine allows none");
  add_store(command, options.program);
  add_kernel_times(command, options.program);
}

void add_subject(CLI::App& command, SubjectOptions& options) {
  command
      .add_option("CANDIDATE", options.candidate,
                  "A Python or CUDA file, or a text with a fenced block; - for standard input; or a "
                  "candidate's ID as "
                  "`trl trace` lists it")
      ->required()
      ->type_name("");
  command
      .add_option("--task", options.task,
                  "What it is to solve: level1/7, level2/gemm_bias_gelu, or a name alone. Not of an ID")
      ->type_name("NAME");
  command.add_option("--suite-file", options.suite_file, "Look for the task in this .trl file first")
      ->type_name("FILE.trl");
}

}  // namespace trl::interpreter
