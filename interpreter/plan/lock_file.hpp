// The lock file FILE.trl.lock, which records the digests of the models and files that experiments use.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

struct LockRequest {
  const nlohmann::json& document;        ///< docs/interfaces.md, section 2
  std::vector<std::string> experiments;  ///< the names of the experiments to record
  /// The text of every loaded file except the program itself, by path.
  std::map<std::string, std::string> files;
  /// The .trl file; the home folder and the store, as in PlanOptions.
  std::filesystem::path program, home, store;
};

struct LockFile {
  nlohmann::json contents;            ///< docs/interfaces.md, section 6
  std::vector<std::string> left_out;  ///< sentences about experiments that can't be recorded, since their
                                      ///< models or data are missing
};

/// The contents of a lock file for the current state.
LockFile make_lock(const LockRequest& request);

/// The path of a program's lock file: "ablation.trl.lock".
std::filesystem::path lock_path(const std::filesystem::path& program);

/// The text of a lock file; equal contents give the same bytes.
std::string lock_text(const nlohmann::json& contents);

/// Describes the differences between the lock file `locked` and the current state `now`, one line for each.
/// Experiments that `now` lacks are ignored.
std::vector<std::string> lock_differences(const nlohmann::json& locked, const nlohmann::json& now);

}  // namespace trl::interpreter
