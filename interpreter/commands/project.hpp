// Settings for all commands in a folder, from trl.toml and the environment.
#pragma once

#include <string>

namespace trl::interpreter {

/// The folders of results that are used if the command line names none.
struct ProjectFolders {
  std::string store = "runs/.store", out = "runs";
};

/// The folders $TRL_STORE and $TRL_OUT. If these are unset: `store` and `out` of the nearest trl.toml in the
/// current folder or its parents, with paths relative to trl.toml; otherwise runs/.store and runs. Throws
/// UserError for a trl.toml that can't be read or has other settings. The result is computed only once, since
/// neither the current folder nor the environment changes while a program runs.
const ProjectFolders& project_folders();

}  // namespace trl::interpreter
