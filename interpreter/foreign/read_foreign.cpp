#include "interpreter/foreign/read_foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "interpreter/python_program.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using language::ForeignTasks;
using nlohmann::json;
namespace {

constexpr const char* program = "verifier/kernelbench/read_tasks.py";

/// How to get KernelBench.
std::string remedy(const std::string& path) {
  return "git clone https://github.com/ScalingIntelligence/KernelBench " + path +
         "   or   hf download ScalingIntelligence/KernelBench --repo-type dataset --local-dir " + path;
}

bool is_read(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".py" || ending == ".json" || ending == ".jsonl" || ending == ".parquet";
}

/// Returns the files below a folder that may be read for tasks (`is_read`), down to the depth at which tasks
/// lie (KernelBench/level1/1_….py), sorted by name.
std::vector<fs::path> files_below(const fs::path& folder) {
  constexpr int deepest = 2;
  std::vector<fs::path> out;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored),
       end;
       !ignored && at != end; at.increment(ignored)) {
    if (at->is_directory(ignored)) {
      if (at.depth() >= deepest || at->path().filename().string().starts_with("."))
        at.disable_recursion_pending();
    } else if (is_read(at->path())) {
      out.push_back(at->path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns the names and digests of the files as one text.
std::string contents_of(const fs::path& path) {
  if (!fs::is_directory(path)) return path.extension().string() + " " + sha256_of_file(path) + "\n";
  std::string out;
  for (const fs::path& file : files_below(path))
    out += fs::relative(file, path).string() + " " + sha256_of_file(file) + "\n";
  return out;
}

/// Returns the names, sizes and times of the files that are read at a path. A process takes files with an
/// equal stamp as unchanged.
std::string stamp_of(const fs::path& path) {
  std::string out;
  std::error_code ignored;
  for (const fs::path& file : fs::is_directory(path) ? files_below(path) : std::vector<fs::path>{path})
    out += fmt::format("{} {} {}\n", file.string(), fs::file_size(file, ignored),
                       fs::last_write_time(file, ignored).time_since_epoch().count());
  return out;
}

ForeignTasks failure(std::string error, std::string help) {
  ForeignTasks out;
  out.error = std::move(error);
  out.help = std::move(help);
  return out;
}

/// Checks the program's answer, as far as the language relies on it. Returns nothing if it has another form.
std::optional<ForeignTasks> understood(const json& answer) {
  ForeignTasks out;
  try {
    for (const json& task : answer.at("tasks")) {
      for (const char* name : {"level", "id"})
        if (!task.at(name).is_number_unsigned()) return std::nullopt;
      for (const char* name : {"name", "key", "code"})
        if (!task.at(name).is_string()) return std::nullopt;
      out.tasks.push_back(task);
    }
    for (const json& problem : answer.at("problems")) {
      std::string place = problem.at("file");
      if (problem.contains("row")) place += fmt::format(", row {}", problem["row"].get<std::int64_t>());
      const json& level = problem.at("level");
      out.problems.push_back({place, level.is_number() ? level.get<std::int64_t>() : 0, problem.at("what")});
    }
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return out;
}

}  // namespace

fs::path foreign_tasks_folder() { return user_cache_folder("foreign_tasks"); }

std::string foreign_key(const fs::path& home, const fs::path& path) {
  return sha256_hex(contents_of(home / "verifier/kernelbench") + "\n" + contents_of(path));
}

std::shared_ptr<const ForeignTasks> ForeignTaskReader::read(const std::string& path) {
  const auto failed = [](std::string error, std::string help) {
    return std::make_shared<const ForeignTasks>(failure(std::move(error), std::move(help)));
  };
  std::error_code error;
  if (!fs::exists(path, error)) return failed("there is nothing at " + path, remedy(path));
  try {
    Known& known = known_[path];
    const std::string stamp = stamp_of(path);
    if (known.tasks != nullptr && known.stamp == stamp) return known.tasks;
    const std::string key = foreign_key(home_, path);
    std::optional<ForeignTasks> found;
    if (const auto answer = cache_.find(key)) found = understood(*answer);
    if (!found) {
      const std::string text = run_python({home_, program, {path}});
      const json answer = json::parse(text, nullptr, false);
      found = understood(answer);
      if (!found)
        return failed(std::string(program) + " answered what isn't understood: " + text.substr(0, 100), "");
      cache_.keep(key, text);
    }
    known = {stamp, std::make_shared<const ForeignTasks>(std::move(*found))};
    return known.tasks;
  } catch (const UserError& problem) {
    return failed(problem.what(), problem.help);
  }
}

}  // namespace trl::interpreter
