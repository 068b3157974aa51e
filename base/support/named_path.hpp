// The paths that `path("…")` names in a .trl file.
#pragma once
#include <filesystem>
#include <string>

namespace trl {

/// Returns the path that a program writes as `path("…")`. A relative path is relative to `folder`, the
/// program's folder; `~` and `~/…` start at the home folder, $HOME, as in a shell. Throws UserError for `~`
/// if there is no home folder, and for the home folder of another user, `~name/…`.
std::filesystem::path named_path(const std::filesystem::path& folder, const std::string& written);

}  // namespace trl
