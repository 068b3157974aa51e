#include "interpreter/plan/data_files.hpp"

#include <algorithm>
#include <vector>

#include "base/support/counted.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/generations.hpp"
#include "base/support/named_path.hpp"
#include "base/support/reading.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

bool has_rows(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".json" || ending == ".jsonl" || ending == ".parquet";
}

/// Returns the files of rows in a folder and in its subfolder data/, sorted by path; for a path that isn't a
/// folder, only this path.
std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> out;
  for (const fs::path& folder : {path, path / "data"})
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (!entry.is_directory() && has_rows(entry.path())) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<fs::path> generations_in(const fs::path& path, const std::string& remedy) {
  if (!fs::is_directory(path)) throw UserError("there is no folder " + path.string(), remedy);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.path().filename().string().ends_with("_kernel.py")) files.push_back(entry.path());
  if (files.empty())
    throw UserError(
        "there are no answers in " + path.string() + ", no file level_1_problem_1_sample_0_kernel.py",
        remedy);
  if (files.size() > most_generations)
    throw UserError(path.string() + " has " + counted(files.size(), "answer") + ", and at most " +
                        std::to_string(most_generations) + " are read",
                    "Put the answers of each run into a folder of its own.");
  std::sort(files.begin(), files.end());
  return files;
}

DataFiles find_generations(const nlohmann::json& call, const fs::path& file_folder) {
  const auto named = call.is_object() ? contract::Call::read(call) : contract::Call();
  const std::string remedy = "Name the folder of a run of KernelBench: generations(path(\"runs/NAME\")).";
  if (named.call != "path" || named.args.empty() || !named.args[0].is_string())
    throw UserError("answers are named by `path(\"…\")`", remedy);
  const fs::path path = named_path(file_folder, named.args[0]);
  std::string text = "generations";
  for (const fs::path& file : generations_in(path, remedy))
    text += "\n" + file.filename().string() + " " +
            sha256_hex(read_text(file, {.within = path, .most = most_generation}));
  return {path, sha256_hex(text)};
}

ResultFiles find_results(const contract::Call& imported, const fs::path& file_folder,
                         const std::vector<Problem>& problems) {
  // The path of a call `path("…")`; empty where there is none.
  const auto path_of = [&](const nlohmann::json& call) {
    if (!call.is_object()) return fs::path();
    return named_path(file_folder, contract::Call::read(call).args.at(0));
  };
  const auto named = [&](const char* name) {
    const auto found = imported.named.find(name);
    return found == imported.named.end() ? nlohmann::json() : *found;
  };
  ResultFiles found;
  found.place.path = path_of(imported.args.at(0));
  if (const auto level = named("level"); level.is_number()) found.place.level = level.get<std::int64_t>();
  found.place.baseline = path_of(named("baseline"));
  found.place.compiled_baseline = path_of(named("compiled_baseline"));
  std::string text = "results";
  read_results(found.place, problems, [&, of_run = files_of_run(found.place)](const fs::path& file) {
    auto read = of_run(file);
    if (!read) return read;
    if (file == found.place.baseline) found.baseline_key = sha256_hex("times\n" + *read);
    if (file == found.place.compiled_baseline) found.compiled_baseline_key = sha256_hex("times\n" + *read);
    if (file != found.place.baseline && file != found.place.compiled_baseline)
      text += "\n" + fs::relative(file, found.place.path).string() + " " + sha256_hex(*read);
    return read;
  });
  found.key = sha256_hex(text);
  return found;
}

DataFiles find_rows(const nlohmann::json& call, const fs::path& file_folder, const std::string& remedy,
                    FileDigests digests) {
  const auto named = call.is_object() ? contract::Call::read(call) : contract::Call();
  if (named.call != "path" || named.args.empty() || !named.args[0].is_string())
    throw UserError("rows are named by `path(\"…\")`" + (named.call.empty() ? "" : ", not by " + named.call),
                    remedy);
  const fs::path path = named_path(file_folder, named.args[0]);
  if (!fs::exists(path)) throw UserError("there is nothing at " + path.string(), remedy);
  std::string text = "rows";
  for (const fs::path& file : files_of(path)) {
    require_readable(file, {.within = file == path ? fs::path() : path, .most = UINT64_MAX});
    text += "\n" + (file == path ? file.extension() : fs::relative(file, path)).string() + " " +
            digests.of(file, [] {});
  }
  if (text == "rows")
    throw UserError("there are no rows in " + path.string(),
                    "Name a file or folder with .json, .jsonl or .parquet files.");
  return {path, sha256_hex(text)};
}

}  // namespace trl::interpreter
