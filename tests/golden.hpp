// Golden files of the repository that tests make.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace trl {

/// Where a file, named from the repository's root, is to be written anew: below the folder TRL_REFRESH, which
/// `./trl renew` sets. Nothing if the test compares.
inline std::optional<std::filesystem::path> renewed(const std::filesystem::path& file) {
  const char* folder = std::getenv("TRL_REFRESH");
  return folder ? std::optional(std::filesystem::path(folder) / file) : std::nullopt;
}

}  // namespace trl
