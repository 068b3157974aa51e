#include "interpreter/commands/subjects.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/support/counted.hpp"
#include "base/support/generations.hpp"
#include "base/support/kernelbench_results.hpp"
#include "base/support/reading.hpp"
#include "interpreter/plan/data_files.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

bool hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name.starts_with("__");
}

constexpr std::uint64_t most_rows = std::uint64_t{16} << 30;  // bytes of a file of rows

/// A candidate's file; `folder` is the folder of the command line in which it was found, if there is one.
struct CandidateFile {
  fs::path file, folder;
};

void add_folder(const fs::path& folder, std::vector<CandidateFile>& files) {
  std::vector<fs::path> found;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (hidden(entry->path())) {
      if (entry->is_directory()) entry.disable_recursion_pending();
      continue;
    }
    const std::string extension = entry->path().extension().string();
    if (!entry->is_directory() && (extension == ".py" || extension == ".cu" || extension == ".md"))
      found.push_back(entry->path());
  }
  if (found.empty())
    throw WrongUsage(folder.string() + " has no candidates",
                     "Candidates are files called *.py, *.cu or *.md.");
  std::sort(found.begin(), found.end());
  for (const fs::path& file : found) files.push_back({file, folder});
}

// Returns the task that a path names; null if it names none.
const json* task_of_path(const fs::path& path, const KnownTasks& tasks) {
  std::vector<std::string> parts;
  for (const fs::path& part : path.lexically_normal().parent_path()) parts.push_back(part.string());
  parts.push_back(path.stem().string());
  for (std::size_t i = parts.size(); i-- > 1;)
    if (const auto called = tasks_called(parts[i - 1] + "/" + parts[i], tasks); called.size() == 1)
      return called.front();
  return nullptr;
}

/// The existing files of a run's answers, by level, problem and sample.
std::map<Generation, fs::path> generations_of(const fs::path& folder) {
  std::map<Generation, fs::path> files;
  for (const fs::path& file :
       generations_in(folder, "Name the folder of a run of KernelBench: --runs runs/NAME."))
    if (const auto place = generation_of(file.filename().string())) files.emplace(*place, file);
  if (files.empty())
    throw WrongUsage("no answer in " + folder.string() + " has a name of KernelBench's runs",
                     "They are called " + generation_file(1, 1, 0) + ".");
  return files;
}

/// Returns the text of a program whose suites are the levels of the checkout of KernelBench in which the
/// run's folder lies; empty if the folder isn't in a checkout.
std::string suites_of_checkout(const fs::path& run, const std::map<Generation, fs::path>& files) {
  const fs::path checkout = fs::weakly_canonical(run).parent_path().parent_path();
  if (!fs::is_directory(checkout / "KernelBench")) return {};
  std::set<std::int64_t> levels;
  for (const auto& [place, file] : files) levels.insert(place.level);
  std::string text;
  for (const auto level : levels)
    if (fs::is_directory(checkout / "KernelBench" / fmt::format("level{}", level)))
      text += fmt::format("suite level{} {{ source = kernelbench(path({}), level = {}) }}\n", level,
                          json(checkout.string()).dump(), level);
  return text;
}

/// The tasks among which candidates' tasks are looked up.
KnownTasks tasks_for(const SubjectOptions& options, const std::string& run, Console& console) {
  if (run.empty() || !options.suite_file.empty()) return known_tasks(options.suite_file, console);
  const std::string text = suites_of_checkout(run, generations_of(run));
  if (text.empty())
    throw WrongUsage("the tasks of " + run + " are unknown, since it lies in no checkout of KernelBench",
                     "Name them by --suite-file FILE.trl, a file with `suite level1 { source = "
                     "kernelbench(path(\"CHECKOUT\"), level = 1) }`.");
  return known_tasks_of("the checkout of " + run, text, console);
}

// Collects subjects with the same protocol and secret.
class Subjects {
 public:
  Subjects(const SubjectOptions& options, const std::string& run, Console& console)
      : options_(options), tasks_(tasks_for(options, run, console)), secret_(chosen_secret(options)) {
    if (!options.task.empty()) task_ = find_task(options.task, tasks_);
  }

  void add_file(const CandidateFile& candidate) {
    const fs::path& file = candidate.file;
    const json* task = task_.is_null() ? task_of_path(file, tasks_) : &task_;
    if (task == nullptr)
      throw WrongUsage(
          "no task is named for " + file.string(),
          "Add --task with the task that it answers, by its suite and number or name, as in "
          "level1/7 or level2/gemm_bias_gelu, or put it in a folder of that name; `trl show FILE` "
          "lists a file's suites.");
    add_answer(candidate, *task);
  }

  /// Adds the answers of a run, and records which tasks of its levels have no answer.
  void add_run(const fs::path& folder) {
    std::map<Problem, const json*> problems;
    for (const json& task : tasks_.of_file)
      if (const auto problem = problem_of(task, task.at("id"))) problems.emplace(*problem, &task);
    const auto files = generations_of(folder);
    std::map<Problem, std::size_t> answers;
    for (const auto& [place, file] : files) {
      ++answers[{place.level, place.problem}];
      const auto task = problems.find({place.level, place.problem});
      if (task != problems.end()) {
        add_answer({file, folder}, *task->second);
        continue;
      }
      const json unknown = {{"suite", fmt::format("level{}", place.level)},
                            {"id", place.problem},
                            {"name", fmt::format("problem_{}", place.problem)}};
      add(file.string(), "", unknown, true, "no suite has this task");
    }
    note_absent(problems, answers);
  }

  void add_row(const std::string& line, const std::string& where) {
    const json row = json::parse(line, nullptr, false);
    if (!row.is_object() || !row.contains("answer") || !row["answer"].is_string())
      throw WrongUsage(where + " isn't a JSON object with an `answer`",
                       R"(Write a line as {"task": "level1/7", "answer": "…"}.)");
    const bool named = row.contains("task") && row["task"].is_string();
    const bool whole = row.contains("task") && row["task"].is_object();
    if (task_.is_null() && !named && !whole)
      throw WrongUsage(where + " names no task",
                       "Add \"task\": \"level1/7\" to the line, or --task NAME for all.");
    const json task = !task_.is_null() ? task_
                      : whole          ? row["task"]
                                       : named_task(row["task"].get<std::string>(), tasks_);
    add(where, row["answer"], task, !task_.is_null() || named);
  }

  FoundSubjects taken() { return std::move(found_); }

 private:
  /// Adds the answer in a file. A file in a folder may come from somebody else, and may not be readable.
  void add_answer(const CandidateFile& candidate, const json& task) {
    const fs::path& file = candidate.file;
    try {
      add(file.string(),
          read_text(
              file,
              {.within = candidate.folder, .most = most_generation, .argument = candidate.folder.empty()}),
          task, true);
    } catch (const RefusedFile& refused) {
      if (candidate.folder.empty()) throw;
      add(file.string(), "", task, true, refused.what());
    }
  }

  /// Records which problems of a run's levels have fewer answers than the problem with the most. `answers`
  /// has the number of answers to each problem that has any.
  void note_absent(const std::map<Problem, const json*>& problems,
                   const std::map<Problem, std::size_t>& answers) {
    std::set<std::int64_t> levels;
    std::size_t asked = 0, all = 0;
    for (const auto& [problem, there] : answers) levels.insert(problem.level), asked = std::max(asked, there);
    std::vector<std::string> without;
    for (const auto& [problem, task] : problems) {
      if (!levels.contains(problem.level)) continue;
      const auto found = answers.find(problem);
      const std::size_t there = found == answers.end() ? 0 : found->second;
      all += asked, found_.absent += asked - there;
      if (there < asked) without.push_back(id_of(*task));
    }
    if (found_.absent == 0) return;
    constexpr std::size_t most = 3;
    std::string named;
    for (std::size_t i = 0; i < std::min(most, without.size()); ++i)
      named += (i == 0 ? "" : ", ") + without[i];
    if (without.size() > most) named += fmt::format(" and {} more tasks", without.size() - most);
    found_.remark = fmt::format("{} of the run's {} {} absent, to {}; KernelBench's own analysis counts {}",
                                found_.absent, counted(all, "answer"), found_.absent == 1 ? "is" : "are",
                                named, found_.absent == 1 ? "it as a wrong one" : "them as wrong ones");
  }

  void add(const std::string& name, std::string answer, const json& task, bool own_task,
           const std::string& unjudged = {}) {
    Subject subject;
    subject.name = name;
    subject.title = fmt::format("{} {}: {}", id_of(task), name_of(task), name);
    subject.answer = std::move(answer);
    subject.task = task, subject.own_task = own_task;
    subject.spec = exam_spec(options_);
    subject.secret = secret_;
    subject.unjudged = unjudged.empty() ? why_unjudged(task) : unjudged;
    found_.subjects.push_back(std::move(subject));
  }

  const SubjectOptions& options_;
  KnownTasks tasks_;
  std::string secret_;
  json task_;  // the task of all candidates; null if each names its own
  FoundSubjects found_;
};

}  // namespace

FoundSubjects find_subjects(const Sources& sources, const SubjectOptions& options, Console& console) {
  const std::string& rows = sources.rows;
  std::vector<CandidateFile> files;
  for (const std::string& path : sources.paths) {
    if (fs::is_directory(path))
      add_folder(path, files);
    else
      files.push_back({path, {}});
  }
  Subjects subjects(options, sources.run, console);
  for (const CandidateFile& file : files) subjects.add_file(file);
  if (!sources.run.empty()) subjects.add_run(sources.run);
  if (!rows.empty()) {
    int number = 0;
    for_each_line(rows, {.most = most_rows, .argument = true}, [&](const std::string& line) {
      ++number;
      if (line.find_first_not_of(" \t\r") != std::string::npos)
        subjects.add_row(line, fmt::format("{}:{}", rows == "-" ? "standard input" : rows, number));
    });
  }
  FoundSubjects found = subjects.taken();
  if (found.subjects.empty()) throw WrongUsage("there is no candidate to verify");
  return found;
}

}  // namespace trl::interpreter
