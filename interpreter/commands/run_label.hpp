// The name and the tags that a run is given, beside its report: for people, and in no key and no report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/headers/command_line.hpp"

namespace trl::interpreter {

struct RunLabel {
  std::string name;  ///< empty for a run without one; its report has a folder of its own
  std::vector<std::string> tags;
  std::vector<std::string> sets;  ///< the settings with which it was run
  bool empty() const { return name.empty() && tags.empty(); }
};

/// Adds `--name NAME`.
void add_run_name(Command command, RunLabel& label);
/// Adds `--tag TAG`.
void add_tags(Command command, RunLabel& label, const std::string& description);

/// Throws WrongUsage unless name and tags are of letters, digits and a few signs.
void check_label(const RunLabel& label);

/// The label beside a report; an empty one if there is none.
RunLabel read_label(const std::filesystem::path& folder);
/// Writes run.json to a report's folder. Throws DiskError.
void write_label(const RunLabel& label, const std::filesystem::path& folder);

/// The settings with which the run of this name was run, by the reports in the folder `out`; none if there is
/// no such run.
std::vector<std::string> settings_of_run(const std::string& name, const std::filesystem::path& out);

/// Whether the run is called so, if a name is wanted, and has all the tags that are wanted.
bool matches(const RunLabel& label, const RunLabel& wanted);

/// "a, b".
std::string tags_text(const RunLabel& label);

}  // namespace trl::interpreter
