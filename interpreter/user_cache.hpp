// Answers that trl keeps between its runs for one user, so that it needn't ask for them again.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::interpreter {

/// `$XDG_CACHE_HOME/trl/NAME`, or `~/.cache/trl/NAME`; empty without a home folder.
std::filesystem::path user_cache_folder(const std::string& name);

/// A folder with a JSON file for each key. Without a folder it is always empty.
class UserCache {
 public:
  explicit UserCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The answer that is kept for a key; nothing if there is none, or it can't be read.
  std::optional<nlohmann::json> find(const std::string& key) const;
  /// Keeps a text of JSON. If the folder can't be written, the next run asks again; that is the only effect.
  void keep(const std::string& key, const std::string& text) const;

 private:
  std::filesystem::path file_of(const std::string& key) const { return folder_ / (key + ".json"); }
  std::filesystem::path folder_;
};

}  // namespace trl::interpreter
