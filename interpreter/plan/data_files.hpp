// Rows of data sets that stages read from outside the store.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/contract/call.hpp"
#include "base/support/kernelbench_results.hpp"
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

/// Results of a run of KernelBench that a table shows beside its own rows.
struct ResultFiles {
  ResultsPlace place;
  /// Digests of the results, and of references' times where a file of them is named; empty: none is.
  std::string key, baseline_key, compiled_baseline_key;
};

/// Finds the results that a call of `imported` names, for these problems. Throws UserError where a file is
/// missing or malformed, or the results have none of them.
ResultFiles find_results(const contract::Call& imported, const std::filesystem::path& file_folder,
                         const std::vector<Problem>& problems);

/// Finds the files that `path("…")` names, relative to the folder of the .trl file. `digests` caches the
/// digests of unchanged files. Throws UserError, with `remedy` as its help, where there are none.
DataFiles find_rows(const nlohmann::json& call, const std::filesystem::path& file_folder,
                    const std::string& remedy, FileDigests digests = {});

}  // namespace trl::interpreter
