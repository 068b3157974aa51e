// Golden files: files in the repository with which tests compare their results.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace trl {

/// Returns the path to which a golden file is to be written again: below the folder $TRL_REFRESH, which
/// `./trl renew` sets. `file` is relative to the repository's root. Nothing if the test is to compare.
inline std::optional<std::filesystem::path> renewed(const std::filesystem::path& file) {
  const char* folder = std::getenv("TRL_REFRESH");
  return folder ? std::optional(std::filesystem::path(folder) / file) : std::nullopt;
}

}  // namespace trl
