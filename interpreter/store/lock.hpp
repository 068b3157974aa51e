#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace trl::interpreter {

/// The right to write to a store: an exclusive lock of the open file, which the kernel releases however the
/// process ends.
class Lock {
 public:
  /// The process that holds the lock, as the lock file describes it.
  struct Holder {
    int pid = 0;
    std::string since;    ///< UTC, "2025-01-31 12:00:00"
    std::string command;  ///< "trl run a.trl"
    std::string host;     ///< empty for this machine
  };
  /// Called while another process holds the lock. Returns true when it is time to try again, false to give
  /// up.
  using Wait = std::function<bool(const Holder&)>;

  /// Throws UserError naming the holder if another process holds the lock and `wait`, if any, gives up.
  explicit Lock(const std::filesystem::path& file, const Wait& wait = {});
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// The process that holds a lock file, if any. Neither waits nor takes the lock.
  static std::optional<Holder> holder(const std::filesystem::path& file);

 private:
  int descriptor_ = -1;
};

/// "process 123 (trl run a.trl) since 2025-01-31 12:00:00 UTC".
std::string holder_text(const Lock::Holder& holder);

}  // namespace trl::interpreter
