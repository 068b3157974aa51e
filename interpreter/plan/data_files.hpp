// Rows of data sets that stages read from outside the store.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/store/file_digests.hpp"

namespace trl::interpreter {

struct DataFiles {
  std::filesystem::path path;  ///< a file, or a folder of files
  std::string key;             ///< digest of the names and digests of the files there that may hold rows
};

/// Finds the folder of a run of KernelBench, whose answers are files *_kernel.py. Throws UserError where
/// there is none, or no such file.
DataFiles find_generations(const nlohmann::json& call, const std::filesystem::path& file_folder,
                           FileDigests digests = {});

/// Finds what `path("…")` names, relative to the folder of the .trl file. `digests` caches those of unchanged
/// files. Throws UserError, with `remedy` as its help, where there is nothing.
DataFiles find_rows(const nlohmann::json& call, const std::filesystem::path& file_folder,
                    const std::string& remedy, FileDigests digests = {});

}  // namespace trl::interpreter
