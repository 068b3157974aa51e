// Finds the folder of an installation's files (except programs), and the Python that runs its scripts.
#pragma once

#include <filesystem>

namespace trl {

/// Returns $TRL_HOME if it is set. Otherwise searches the folder of this program and the folders above it,
/// and returns the first folder F, or F/share/trl, that contains `marker`. Empty if there is none.
std::filesystem::path find_home(const std::filesystem::path& marker);

/// Returns the first of these programs that exists: $TRL_PYTHON, `home`/.venv/bin/python, python3 in PATH.
std::filesystem::path find_python(const std::filesystem::path& home);

}  // namespace trl
