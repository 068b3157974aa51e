// Settings for all commands in a folder, from trl.toml and the environment.
#pragma once

#include <string>

namespace trl::interpreter {

/// The values used if the command line says nothing: the folders of results, and the Ray cluster's address.
struct ProjectFolders {
  std::string store = "runs/.store", out = "runs", cluster = "auto";
};

/// $TRL_STORE, $TRL_OUT and $RAY_ADDRESS. If these are unset: `store`, `out` and `cluster` of the nearest
/// trl.toml in the current folder or its parents, with paths relative to trl.toml; otherwise runs/.store,
/// runs, and the cluster that runs on this machine. Throws UserError for a trl.toml that can't be read or has
/// other settings. The result is computed only once, since neither the current folder nor the environment
/// changes while a program runs.
const ProjectFolders& project_folders();

}  // namespace trl::interpreter
