// Where an installation's files lie that are no programs, and the Python that runs its scripts.
#pragma once

#include <filesystem>

namespace trl {

/// $TRL_HOME; else the nearest folder above this program's that has `marker` in it or in its share/trl. Empty
/// when there is none.
std::filesystem::path find_home(const std::filesystem::path& marker);

/// $TRL_PYTHON, that of .venv under `home`, or python3 in PATH: the first that exists.
std::filesystem::path find_python(const std::filesystem::path& home);

}  // namespace trl
