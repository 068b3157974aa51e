// Reads tasks from outside the library, by verifier/kernelbench/read_tasks.py. Tasks are cached by the
// contents of the files that were read.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "interpreter/user_cache.hpp"
#include "language/modules/foreign_tasks.hpp"

namespace trl::interpreter {

/// `$XDG_CACHE_HOME/trl/foreign_tasks`, or `~/.cache/trl/foreign_tasks`; empty without a home folder.
std::filesystem::path foreign_tasks_folder();

/// Reads tasks and caches them in memory and in the folder `cache`, which has a file for each `foreign_key`.
/// If `cache` is empty, nothing is cached on the disk. A reader may only be used by one thread at a time.
class ForeignTaskReader {
 public:
  /// `home` is the folder that holds verifier/kernelbench/.
  ForeignTaskReader(std::filesystem::path home, std::filesystem::path cache)
      : home_(std::move(home)), cache_(std::move(cache)) {}

  /// The tasks at a path. Never throws: if tasks can't be read, the returned value contains the reasons.
  std::shared_ptr<const language::ForeignTasks> read(const std::string& path);

 private:
  std::filesystem::path home_;
  UserCache cache_;
  struct Known {
    std::string stamp;
    std::shared_ptr<const language::ForeignTasks> tasks;
  };
  std::map<std::string, Known> known_;  ///< by path
};

/// SHA-256 of the names and contents of the files that verifier/kernelbench/ reads at a path, and of
/// verifier/kernelbench/ itself. Throws ReadError.
std::string foreign_key(const std::filesystem::path& home, const std::filesystem::path& path);

}  // namespace trl::interpreter
