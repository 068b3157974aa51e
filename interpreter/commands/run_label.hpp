// The name and the tags that a user gives to a run. They are stored beside the report, and are part of no key
// and no report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/headers/command_line.hpp"

namespace trl::interpreter {

struct RunLabel {
  std::string name;  ///< the run's name; empty if it has none. The report of a named run has its own folder
  std::vector<std::string> tags;
  std::vector<std::string> sets;  ///< the overrides (`--set`) with which the run was started
  bool empty() const { return name.empty() && tags.empty(); }
};

/// Adds `--name NAME`.
void add_run_name(Command command, RunLabel& label);
/// Adds `--tag TAG`.
void add_tags(Command command, RunLabel& label, const std::string& description);

/// Throws WrongUsage if the name or a tag has other characters than letters, digits and a few signs.
void check_label(const RunLabel& label);

/// The label in the folder of a report; an empty label if the folder has none.
RunLabel read_label(const std::filesystem::path& folder);
/// Writes the label to run.json in a report's folder. Throws DiskError.
void write_label(const RunLabel& label, const std::filesystem::path& folder);

/// The overrides (`--set`) with which the run of this name was started, by the reports in the folder `out`.
/// Empty if there is no such run.
std::vector<std::string> settings_of_run(const std::string& name, const std::filesystem::path& out);

/// Whether a run's label has the name of `wanted`, if it has one, and all tags of `wanted`.
bool matches(const RunLabel& label, const RunLabel& wanted);

/// The tags as text: "a, b".
std::string tags_text(const RunLabel& label);

}  // namespace trl::interpreter
