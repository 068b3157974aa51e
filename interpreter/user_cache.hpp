// A cache of computed results for one user, kept between runs of trl.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::interpreter {

/// `$XDG_CACHE_HOME/trl/NAME`, or `~/.cache/trl/NAME`; empty without a home folder.
std::filesystem::path user_cache_folder(const std::string& name);

/// A cache in a folder with a JSON file for each key. If the folder's path is empty, the cache stores
/// nothing.
class UserCache {
 public:
  explicit UserCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The cached value of a key; nothing if the key isn't cached, or its file can't be read.
  std::optional<nlohmann::json> find(const std::string& key) const;
  /// Stores a JSON text under a key. A folder that can't be written causes no error: the value then isn't
  /// cached.
  void keep(const std::string& key, const std::string& text) const;

 private:
  std::filesystem::path file_of(const std::string& key) const { return folder_ / (key + ".json"); }
  std::filesystem::path folder_;
};

}  // namespace trl::interpreter
