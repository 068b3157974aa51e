#include "interpreter/commands/project.hpp"

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "base/headers/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/reading.hpp"

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

constexpr const char* file_name = "trl.toml";

/// The nearest trl.toml in the current folder or above; empty if there is none.
fs::path nearest_file() {
  std::error_code error, none;
  const fs::path current = fs::current_path(error);
  if (error) return {};
  for (fs::path folder = current;; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / file_name, none)) return folder / file_name;
    if (folder == folder.parent_path()) return {};
  }
}

/// Checks that every line is a setting, a comment or empty, since CLI11 would read almost any text as
/// settings.
void require_settings(const fs::path& file, const std::string& text) {
  static const std::regex setting(R"(\s*(#.*|[\w.-]+\s*=\s*"[^"]*"\s*(#.*)?)?\s*)");
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (!std::regex_match(line, setting))
      throw UserError(file.string() + ":" + std::to_string(number) + ": this is no setting: " + line,
                      "Write a name and a text in quotes, such as: store = \"/data/trl\"");
}

void read_project(const fs::path& file, ProjectFolders& folders) {
  const auto text = read_text(file, {.most = 8 << 10});
  require_settings(file, text);
  const auto settings = read_settings(text);
  for (const auto& [name, values] : settings) {
    std::string* const known = name == "store"     ? &folders.store
                               : name == "out"     ? &folders.out
                               : name == "cluster" ? &folders.cluster
                                                   : nullptr;
    if (known == nullptr)
      throw UserError(file.string() + " has a setting `" + name + "`, which trl doesn't know",
                      "It may have `store`, the folder of the stages' results, `out`, that of reports, and "
                      "`cluster`, the address of a Ray cluster.");
    if (values.size() != 1 || values.front().empty())
      throw UserError(
          file.string() + " gives `" + name + "` no " + (name == "cluster" ? "address" : "folder"),
          "Write one in quotes: " + name + " = \"" + (name == "cluster" ? "ray://HOST:10001" : *known) +
              "\"");
    if (name == "cluster") {
      *known = values.front();
      continue;
    }
    // Paths to files in the current folder are shown and written without the folder.
    const fs::path folder = file.parent_path() / values.front();
    std::error_code error;
    *known = (file.parent_path() == fs::current_path(error) ? fs::path(values.front()) : folder).string();
  }
}

ProjectFolders find_folders() {
  ProjectFolders folders;
  if (const auto file = nearest_file(); !file.empty()) read_project(file, folders);
  if (const char* store = std::getenv("TRL_STORE"); store != nullptr && *store) folders.store = store;
  if (const char* out = std::getenv("TRL_OUT"); out != nullptr && *out) folders.out = out;
  if (const char* cluster = std::getenv("RAY_ADDRESS"); cluster != nullptr && *cluster)
    folders.cluster = cluster;
  return folders;
}

}  // namespace

const ProjectFolders& project_folders() {
  static const ProjectFolders folders = find_folders();
  return folders;
}

}  // namespace trl::interpreter
