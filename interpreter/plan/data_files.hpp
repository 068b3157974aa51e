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
  std::string key;  ///< a digest of the names and digests of the files at `path` that may hold rows
};

/// The answers of a KernelBench run: the files *_kernel.py of its folder, sorted by name. `remedy` is the
/// help of errors. Throws UserError if the folder doesn't exist, or has no answers or too many.
std::vector<std::filesystem::path> generations_in(const std::filesystem::path& folder,
                                                  const std::string& remedy);

/// Finds the folder of a KernelBench run that `call` names. Its answers are the files *_kernel.py. Throws
/// UserError if the folder doesn't exist or has no answers, or if an answer isn't a regular file of the
/// folder.
DataFiles find_generations(const nlohmann::json& call, const std::filesystem::path& file_folder);

/// Results of a run of KernelBench that a table shows beside its own rows.
struct ResultFiles {
  ResultsPlace place;
  /// Digests of the results, and of the files with the references' times, eager and by torch.compile. The
  /// digest of a file that the call doesn't name is empty.
  std::string key, baseline_key, compiled_baseline_key;
};

/// Finds the results that a call of `imported` names, for the given problems. Throws UserError if a file is
/// missing or malformed, or the results have none of the problems.
ResultFiles find_results(const contract::Call& imported, const std::filesystem::path& file_folder,
                         const std::vector<Problem>& problems);

/// Finds the files that `path("…")` names, relative to the folder of the .trl file. `digests` caches the
/// digests of unchanged files. Throws UserError, with `remedy` as its help, if there are no files.
DataFiles find_rows(const nlohmann::json& call, const std::filesystem::path& file_folder,
                    const std::string& remedy, FileDigests digests = {});

}  // namespace trl::interpreter
