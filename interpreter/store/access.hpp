// Controls which processes use a store. Several runs can share a store, each with its own number; a command
// that deletes results needs exclusive access.
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
  int number = 0;  ///< the number of a run, from 1; 0 for a process with exclusive access
};

/// The processes that use a store now. Doesn't change the store.
std::vector<StoreUser> store_users(const std::filesystem::path& store);

/// The name of the network file system on which a path lies; nothing on a local one.
std::optional<std::string> network_file_system(const std::filesystem::path& path);

struct AccessOptions {
  bool alone = false;  ///< whether no other process may use the store at the same time
  /// Facts about this process that `trl status` shows beside its command, by name.
  std::map<std::string, std::string> details = {};
  /// Called with another process that prevents this process from using the store. Returns true when it is
  /// time to try again, and false to give up.
  std::function<bool(const Holder&)> wait = {};
  /// Called repeatedly while another run opens the store, which takes a short time; may throw.
  std::function<void()> pause = {};
};

/// The right to write to a store. It is held by file locks, which the system releases if the process is
/// killed. On a network file system, where file locks can't be trusted, only one process at a time has this
/// right, and a file in the store names this process.
class StoreAccess {
 public:
  /// Throws UserError, which names the process that prevents access, if `options.wait` gives up or is empty.
  /// Throws DiskError.
  StoreAccess(const std::filesystem::path& store, AccessOptions options);
  ~StoreAccess();
  StoreAccess(const StoreAccess&) = delete;
  StoreAccess& operator=(const StoreAccess&) = delete;

  /// The run's number, which no other run has at the same time; 0 for a process with exclusive access.
  int number() const { return number_; }
  /// Allows other runs to open the store. Until this call they wait, so that this run can repair the store.
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

/// The number of the run to which a temporary file of a store belongs: 2 for "tmp-run2-1-samples".
std::optional<int> run_of_temporary(const std::string& name);

}  // namespace trl::interpreter
