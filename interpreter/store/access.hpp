// The processes that use a store. Runs share it, each under a number of its own; a command that deletes
// results has it alone.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/store/lock.hpp"

namespace trl::interpreter {

/// A process that uses a store.
struct StoreUser {
  Holder holder;
  int number = 0;  ///< of a run, from 1; 0 for one that has the store alone
};

/// The processes that use a store now. Only reads.
std::vector<StoreUser> store_users(const std::filesystem::path& store);

/// The name of the network file system on which a path lies; nothing on a local one.
std::optional<std::string> network_file_system(const std::filesystem::path& path);

struct AccessOptions {
  bool alone = false;  ///< nobody else may use the store meanwhile
  std::map<std::string, std::string> details =
      {};  ///< facts about this process that `trl status` shows beside its command
  /// Called while others exclude this process, with one of them. Returns true when it is time to try again,
  /// false to give up.
  std::function<bool(const Holder&)> wait = {};
  /// Called again and again while another process does something short; may throw.
  std::function<void()> pause = {};
};

/// The right to write to a store. Locks of files hold it, so that a process that is killed leaves none
/// behind. On a network file system, where locks can't be trusted, one process at a time has the store, by a
/// file that names it.
class StoreAccess {
 public:
  /// Throws UserError naming the process that excludes this one, if `options.wait` gives up or there is none;
  /// DiskError.
  StoreAccess(const std::filesystem::path& store, AccessOptions options);
  ~StoreAccess();
  StoreAccess(const StoreAccess&) = delete;
  StoreAccess& operator=(const StoreAccess&) = delete;

  /// The run's number, which no other run has meanwhile; 0 for one that has the store alone.
  int number() const { return number_; }
  /// Lets other runs begin, which wait until this one has put the store in order.
  void opened() { opening_.reset(); }

 private:
  void enter_alone();
  void enter_with_others();
  void keep_others_off(const std::string& network);

  std::filesystem::path store_;
  AccessOptions options_;
  std::optional<FileLock> store_lock_, opening_, number_lock_;
  std::filesystem::path only_;  ///< the file that names this process, on a network file system
  int number_ = 0;
};

/// The number of the run that a temporary file of a store belongs to: 2 of "tmp-run2-1-samples".
std::optional<int> run_of_temporary(const std::string& name);

}  // namespace trl::interpreter
