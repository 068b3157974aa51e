// Settings for all commands in a folder: trl.toml and the environment.
#pragma once

#include <string>

namespace trl::interpreter {

/// The folders of results where the command line names none.
struct ProjectFolders {
  std::string store = "runs/.store", out = "runs";
};

/// $TRL_STORE and $TRL_OUT, else `store` and `out` of the nearest trl.toml in the current folder or above,
/// whose paths are relative to it, else runs/.store and runs. Throws UserError for a trl.toml that can't be
/// read or says anything else.
/// They are looked for once: neither the current folder nor the environment changes while a program runs.
const ProjectFolders& project_folders();

}  // namespace trl::interpreter
