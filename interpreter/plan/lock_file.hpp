// FILE.trl.lock: which models and files an experiment was made from, by their digests.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

struct LockRequest {
  const nlohmann::json& document;        ///< docs/seams.md, 2
  std::vector<std::string> experiments;  ///< of which
  std::map<std::string, std::string>
      files;  ///< all that was loaded, text by path; the program itself is no part
  std::filesystem::path program, home, store;  ///< as in PlanOptions
};

struct LockFile {
  nlohmann::json contents;            ///< docs/seams.md, 6
  std::vector<std::string> left_out;  ///< experiments whose model isn't here, and why
};

/// What a lock file written now would hold.
LockFile make_lock(const LockRequest& request);

/// "ablation.trl.lock".
std::filesystem::path lock_path(const std::filesystem::path& program);

/// The lock file's text: the same bytes for the same contents.
std::string lock_text(const nlohmann::json& contents);

/// What of `now` isn't as it is in `locked`, a line each. Experiments of which `now` says nothing don't
/// count.
std::vector<std::string> lock_differences(const nlohmann::json& locked, const nlohmann::json& now);

}  // namespace trl::interpreter
