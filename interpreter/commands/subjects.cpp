#include "interpreter/commands/subjects.hpp"

#include <algorithm>
#include <utility>

#include "base/support/generations.hpp"
#include "base/support/reading.hpp"

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

// The task that a path names; null if it names none.
const json* task_of_path(const fs::path& path, const KnownTasks& tasks) {
  std::vector<std::string> parts;
  for (const fs::path& part : path.lexically_normal().parent_path()) parts.push_back(part.string());
  parts.push_back(path.stem().string());
  for (std::size_t i = parts.size(); i-- > 1;)
    if (const auto called = tasks_called(parts[i - 1] + "/" + parts[i], tasks); called.size() == 1)
      return called.front();
  return nullptr;
}

// Collects subjects that share protocol and secret.
class Subjects {
 public:
  Subjects(const SubjectOptions& options, Console& console)
      : options_(options), tasks_(known_tasks(options.suite_file, console)), secret_(chosen_secret(options)) {
    if (!options.task.empty()) task_ = find_task(options.task, tasks_);
  }

  void add_file(const CandidateFile& candidate) {
    const fs::path& file = candidate.file;
    const json* task = task_.is_null() ? task_of_path(file, tasks_) : &task_;
    if (task == nullptr)
      throw WrongUsage("no task is named for " + file.string(),
                       "Add --task level1/7 for all, or use a folder for each task: level1/7/" +
                           file.filename().string() + ".");
    add(file.string(),
        read_text(
            file,
            {.within = candidate.folder, .most = most_generation, .argument = candidate.folder.empty()}),
        *task, true);
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
                                       : find_task(row["task"].get<std::string>(), tasks_);
    add(where, row["answer"], task, !task_.is_null() || named);
  }

  std::vector<Subject> taken() { return std::move(subjects_); }

 private:
  void add(const std::string& name, std::string answer, const json& task, bool own_task) {
    Subject subject;
    subject.name = name;
    subject.title = fmt::format("{} {}: {}", id_of(task), name_of(task), name);
    subject.answer = std::move(answer);
    subject.task = task, subject.own_task = own_task;
    subject.spec = exam_spec(options_);
    subject.secret = secret_;
    subjects_.push_back(std::move(subject));
  }

  const SubjectOptions& options_;
  KnownTasks tasks_;
  std::string secret_;
  json task_;  // the task of all candidates; null if each names its own
  std::vector<Subject> subjects_;
};

}  // namespace

std::vector<Subject> find_subjects(const std::vector<std::string>& paths, const std::string& rows,
                                   const SubjectOptions& options, Console& console) {
  std::vector<CandidateFile> files;
  for (const std::string& path : paths) {
    if (fs::is_directory(path))
      add_folder(path, files);
    else
      files.push_back({path, {}});
  }
  Subjects subjects(options, console);
  for (const CandidateFile& file : files) subjects.add_file(file);
  if (!rows.empty()) {
    int number = 0;
    for_each_line(rows, {.most = most_rows, .argument = true}, [&](const std::string& line) {
      ++number;
      if (line.find_first_not_of(" \t\r") != std::string::npos)
        subjects.add_row(line, fmt::format("{}:{}", rows == "-" ? "standard input" : rows, number));
    });
  }
  std::vector<Subject> found = subjects.taken();
  if (found.empty()) throw WrongUsage("there is no candidate to verify");
  return found;
}

}  // namespace trl::interpreter
