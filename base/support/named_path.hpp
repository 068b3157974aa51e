// The paths that `path("…")` names in a .trl file.
#pragma once
#include <filesystem>
#include <string>

namespace trl {

/// The path that is written as `path("…")`. A relative path is one below `folder`, the folder of the program;
/// `~` and `~/…` begin at the home folder, $HOME, as in a shell. Throws UserError for `~` without a home
/// folder and for another user's, `~name/…`.
std::filesystem::path named_path(const std::filesystem::path& folder, const std::string& written);

}  // namespace trl
