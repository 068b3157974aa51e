// Tasks that are kept elsewhere, read by verifier/kernelbench/read_tasks.py, and cached by the contents of
// the files that were read.
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

/// Reads tasks, and keeps them in memory and in the folder `cache`, in a file for each contents; on no disk
/// if `cache` is empty. Used by one thread at a time.
class ForeignTaskReader {
 public:
  /// `home` is the folder that holds verifier/kernelbench/.
  ForeignTaskReader(std::filesystem::path home, std::filesystem::path cache)
      : home_(std::move(home)), cache_(std::move(cache)) {}

  /// The tasks at a path. Never throws: the returned value has the reasons why tasks can't be read.
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
