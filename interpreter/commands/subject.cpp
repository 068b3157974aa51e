#include "interpreter/commands/subject.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/contract/protocol_options.hpp"
#include "base/support/generations.hpp"
#include "base/support/random.hpp"
#include "base/support/reading.hpp"
#include "interpreter/plan/exam.hpp"
#include "language/diagnostics/render.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

void add_tasks(const json& document, std::vector<json>& tasks) {
  for (const auto& [id, task] : document.at("tasks").items())
    if (std::none_of(tasks.begin(), tasks.end(), [&](const json& known) { return id_of(known) == id; }))
      tasks.push_back(task);
}

std::string full_name_of(const json& task) {
  return task.at("suite").get<std::string>() + "/" + name_of(task);
}

bool is_id(const std::string& text) {
  const auto dot = text.find('.');
  return dot != std::string::npos && dot >= 10 && dot + 1 < text.size() &&
         text.find_first_not_of("0123456789abcdef") == dot &&
         text.find_first_not_of("0123456789", dot + 1) == std::string::npos;
}

/// Returns a stored candidate, with the secret and the protocol of its exam, so that it gets the same inputs
/// again.
Subject stored(const SubjectOptions& options) {
  const Store store(options.program.store);
  const auto candidate = find_candidate(store, options.program.out, options.candidate);
  Subject subject;
  subject.answer = candidate.answer, subject.task = candidate.task;
  subject.title = fmt::format("{} {}: {}", id_of(subject.task), candidate.name, candidate.id);
  subject.spec = exam_spec(options);
  for (const auto& judgement : candidate.judgements)
    if (judgement.strict && !options.tolerant && !options.epilogue)
      subject.spec = contract::Protocol::read(store.stage(judgement.stage).at("spec"));
  if (!options.secret.empty())
    throw WrongUsage("a candidate of a store gets the inputs of its store's secret", "Leave out --secret.");
  subject.name = candidate.id;
  subject.of_store = true;
  subject.secret = store.read_secret();
  return subject;
}

Subject given(const SubjectOptions& options, Console& console) {
  if (options.task.empty())
    throw WrongUsage(
        "no task is named for " + options.candidate,
        "Add --task with the task that it answers, by its suite and number or name, as in level1/7 or "
        "level2/gemm_bias_gelu; `trl show FILE` lists a file's suites.");
  Subject subject;
  subject.task = find_task(options.task, known_tasks(options.suite_file, console));
  subject.own_task = true;
  subject.title = fmt::format("{} {}: {}", id_of(subject.task), name_of(subject.task),
                              options.candidate == "-" ? "standard input" : options.candidate);
  subject.name = options.candidate;
  subject.spec = exam_spec(options);
  subject.secret = chosen_secret(options);
  if (fs::is_directory(options.candidate))
    throw WrongUsage(options.candidate + " is a folder",
                     "Name a Python or CUDA file, or - for standard input.");
  subject.answer = read_text(options.candidate, {.most = most_generation, .argument = true});
  return subject;
}

}  // namespace

contract::Protocol exam_spec(const SubjectOptions& options) {
  auto protocol = exam_protocol();
  if (options.tolerant) protocol.strict = protocol.memory_checks = false;
  if (options.epilogue) {
    protocol.strict = false;  // no exam leaves PyTorch anything to compute
    protocol.framework = contract::Framework::epilogue;
  }
  protocol.precision = contract::value_of_word<contract::Precision>(options.precision);
  if (options.also_by_kernelbench) protocol.also_by = contract::OtherProtocol::kernelbench;
  return protocol;
}

const std::vector<std::string>& modules_with_tasks() {
  // If tasks have equal names, the first module is preferred.
  static const std::vector<std::string> all = {"windtunnel", "kernelbench_like", "example"};
  return all;
}

std::vector<json> library_tasks_of(const std::string& module) {
  language::CheckOptions options;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "tasks") return fmt::format("import {}\n", module);
    return std::nullopt;
  };
  std::vector<json> tasks;
  if (const auto checked = language::check_file("tasks", options); checked.resolved)
    for (const auto& [id, task] : checked.resolved->at("tasks").items()) tasks.push_back(task);
  return tasks;
}

namespace {

KnownTasks library_tasks() {
  KnownTasks tasks;
  for (const std::string& module : modules_with_tasks())
    for (json& task : library_tasks_of(module))
      if (std::none_of(tasks.of_library.begin(), tasks.of_library.end(),
                       [&](const json& known) { return id_of(known) == id_of(task); }))
        tasks.of_library.push_back(std::move(task));
  return tasks;
}

KnownTasks tasks_of_checked(const std::string& name, const language::CheckOptions& options,
                            Console& console) {
  const auto checked = language::check_file(name, options);
  if (checked.has_errors() || !checked.resolved) {
    console.err << diagnostics_text(checked, console) << std::flush;
    throw WrongUsage(name + " has errors, so its tasks are unknown");
  }
  return known_tasks_of(*checked.resolved);
}

}  // namespace

KnownTasks known_tasks_of(const json& document) {
  KnownTasks tasks = library_tasks();
  add_tasks(document, tasks.of_file);
  // Tasks that a program merely imports belong to the library.
  std::erase_if(tasks.of_file, [&](const json& task) {
    return std::find(tasks.of_library.begin(), tasks.of_library.end(), task) != tasks.of_library.end();
  });
  return tasks;
}

KnownTasks known_tasks(const std::string& suite_file, Console& console) {
  if (suite_file.empty()) return library_tasks();
  ProgramOptions program;
  program.file = suite_file;
  return tasks_of_checked(suite_file, check_options(program), console);
}

KnownTasks known_tasks_of(const std::string& name, const std::string& text, Console& console) {
  auto options = check_options({});
  options.read = [&, read = options.read](const std::string& path) -> std::optional<std::string> {
    return path == name ? text : read(path);
  };
  return tasks_of_checked(name, options, console);
}

std::vector<const json*> tasks_called(const std::string& wanted, const KnownTasks& tasks) {
  const bool with_suite = wanted.find('/') != std::string::npos;
  std::vector<const json*> found;
  for (const std::vector<json>* place : {&tasks.of_file, &tasks.of_library}) {
    for (const json& task : *place)
      if (wanted == id_of(task) || wanted == (with_suite ? full_name_of(task) : name_of(task)))
        found.push_back(&task);
    if (!found.empty()) break;
  }
  return found;
}

std::string why_unjudged(const json& task) {
  const auto text = [](const json& of, const char* name) {
    const bool there = of.is_object() && of.contains(name) && of[name].is_string();
    return there ? of[name].get<std::string>() : std::string();
  };
  if (auto why = text(task.value("module", json()), "untyped"); !why.empty()) return why;
  if (const auto where = text(task, "source"); !where.empty())
    return "the task is stored elsewhere, in " + where;
  return {};
}

namespace {

/// Returns help for the name of a task that isn't found: for a task of KernelBench, for a known task in
/// another spelling, and for a number that its suite doesn't have or whose suite isn't known (`level1/101`).
/// Empty for any other name.
std::string help_for_number(const std::string& wanted, const KnownTasks& tasks) {
  std::string lower = wanted;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // `19_ReLU`, `19_ReLU.py`, `kernelbench/1/19`
  const std::size_t digits = lower.find_first_not_of("0123456789");
  if ((lower.starts_with("kernelbench") && !lower.starts_with("kernelbench_like")) ||
      (digits > 0 && digits != lower.npos && lower[digits] == '_'))
    return "tasks of KernelBench are read from its checkout: write a file with `suite kb { source = "
           "kernelbench(path(\"~/KernelBench\"), level = 1) }`, and --suite-file FILE.trl --task kb/19";
  // `windtunnel.level1/7`, `windtunnel.level1[7]`, `level1[7]`, `level1:7`
  std::string plain = wanted;
  for (const std::string& module : modules_with_tasks())
    if (plain.starts_with(module + ".") || plain.starts_with(module + "/")) plain.erase(0, module.size() + 1);
  if (const std::size_t sign = plain.find_first_of("[:."); sign != plain.npos) plain[sign] = '/';
  if (plain.ends_with("]")) plain.pop_back();
  if (plain != wanted && !tasks_called(plain, tasks).empty()) return "write --task " + plain;
  const std::size_t slash = wanted.find('/');
  if (slash == std::string::npos || wanted.find_first_not_of("0123456789", slash + 1) != std::string::npos)
    return "";
  const std::string suite = wanted.substr(0, slash);
  std::map<std::string, std::size_t> sizes;
  for (const std::vector<json>* place : {&tasks.of_file, &tasks.of_library})
    for (const json& task : *place) ++sizes[task.at("suite").get<std::string>()];
  if (const auto of = sizes.find(suite); of != sizes.end())
    return fmt::format("{} has the tasks 1 to {}: ids count from 1", suite, of->second);
  std::vector<std::string> known;
  for (const auto& [name, size] : sizes) known.push_back(name);
  return fmt::format("there is no suite {}: suites are {}; --suite-file FILE adds those of a file", suite,
                     language::enumeration(known));
}

}  // namespace

json named_task(const std::string& wanted, const KnownTasks& tasks) {
  const auto found = tasks_called(wanted, tasks);
  if (found.empty()) {
    const bool with_suite = wanted.find('/') != std::string::npos;
    std::vector<std::string> names;
    for (const std::vector<json>* place : {&tasks.of_file, &tasks.of_library})
      for (const json& task : *place) names.push_back(with_suite ? full_name_of(task) : name_of(task));
    if (const auto help = help_for_number(wanted, tasks); !help.empty())
      throw WrongUsage("there is no task `" + wanted + "`", help);
    const auto near = language::closest(wanted, names);
    throw WrongUsage(
        "there is no task `" + wanted + "`",
        near ? "did you mean " + *near + "?"
             : "Write a task as level1/7 or level2/gemm_bias_gelu, from the library's suites or those of "
               "--suite-file FILE.");
  }
  if (found.size() > 1) {
    std::string all;
    for (const json* task : found) all += (all.empty() ? "" : ", ") + id_of(*task);
    throw WrongUsage("several tasks are called `" + wanted + "`", "Name one: " + all + ".");
  }
  return *found.front();
}

json find_task(const std::string& wanted, const KnownTasks& tasks) {
  json task = named_task(wanted, tasks);
  if (const auto why = why_unjudged(task); !why.empty())
    throw WrongUsage("answers to the task " + id_of(task) + " can't be judged: " + why);
  return task;
}

std::string chosen_secret(const SubjectOptions& options) {
  if (options.secret.empty()) return random_secret();
  constexpr std::size_t digits = 64;
  if (options.secret.size() != digits ||
      options.secret.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw WrongUsage("--secret " + options.secret + " isn't a secret: that has 64 digits, 0 to 9 and a to f",
                     "Use the secret that `trl verify` printed with the verdict that you repeat.");
  return options.secret;
}

std::string id_of(const json& task) {
  return fmt::format("{}/{}", task.at("suite").get<std::string>(), task.at("id").get<int>());
}
std::string name_of(const json& task) { return task.at("name"); }

bool names_stored(const SubjectOptions& options) {
  return options.task.empty() && is_id(options.candidate) && !fs::exists(options.candidate);
}

Subject find_subject(const SubjectOptions& options, Console& console) {
  return names_stored(options) ? stored(options) : given(options, console);
}

json verification_of(const Subject& subject, const SubjectOptions& options) {
  return {{"task", subject.task},
          {"own", subject.own_task},
          {"answer", subject.answer},
          {"spec", subject.spec.write()},
          {"secret", subject.secret},
          {"sandbox", !options.no_sandbox},
          {"measured", options.program.measured_times}};
}

json verification_of(const std::vector<Subject>& subjects, const SubjectOptions& options, std::size_t slots) {
  json request = verification_of(subjects.front(), options);
  for (const char* name : {"task", "own", "answer"}) request.erase(name);
  request["slots"] = slots;
  for (const Subject& subject : subjects)
    request["candidates"].push_back(
        {{"task", subject.task}, {"own", subject.own_task}, {"answer", subject.answer}});
  return request;
}

void add_verification(Command command, SubjectOptions& options) {
  command.add_flag("--no-sandbox", options.no_sandbox,
                   "Run the candidate's Python without a sandbox, on machines that allow none");
  add_store(command, options.program);
  add_kernel_times(command, options.program);
}

void add_subject(Command command, SubjectOptions& options) {
  command
      .add_option("CANDIDATE", options.candidate,
                  "A Python or CUDA file, or a text with a fenced code block; - for standard input; or a "
                  "candidate's ID as "
                  "`trl trace` lists it")
      .required()
      .type_name("");
  add_task(command, options);
}

void add_task(Command command, SubjectOptions& options) {
  command
      .add_option("--task", options.task,
                  "The task: level1/7, level2/gemm_bias_gelu, or a name alone. Not with an ID")
      .type_name("NAME");
  command.add_option("--suite-file", options.suite_file, "A .trl file in which the task is looked up first")
      .type_name("FILE.trl");
}

void add_secret(Command command, SubjectOptions& options) {
  command
      .add_option("--secret", options.secret,
                  "Draw inputs from this secret, which an earlier verdict printed, to repeat it; by default "
                  "each run draws a new secret")
      .type_name("HEX");
}

}  // namespace trl::interpreter
