// FILE.trl.lock: the models and files that an experiment uses, by their digests.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

struct LockRequest {
  const nlohmann::json& document;        ///< docs/interfaces.md, section 2
  std::vector<std::string> experiments;  ///< the experiments to record
  std::map<std::string, std::string>
      files;  ///< the text of every loaded file except the program itself, by path
  std::filesystem::path program, home, store;  ///< as in PlanOptions
};

struct LockFile {
  nlohmann::json contents;            ///< docs/interfaces.md, section 6
  std::vector<std::string> left_out;  ///< experiments whose models or rows are missing, and why
};

/// The contents of a lock file for the current state.
LockFile make_lock(const LockRequest& request);

/// "ablation.trl.lock".
std::filesystem::path lock_path(const std::filesystem::path& program);

/// The text of a lock file; equal contents give the same bytes.
std::string lock_text(const nlohmann::json& contents);

/// The differences of `now` from `locked`, a line each. Experiments that `now` lacks are ignored.
std::vector<std::string> lock_differences(const nlohmann::json& locked, const nlohmann::json& now);

}  // namespace trl::interpreter
