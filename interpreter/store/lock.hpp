#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace trl::interpreter {

/// The right to write to a store: an exclusive lock of the open file, freed by the kernel however the process
/// ends.
class Lock {
 public:
  /// What the lock file says of the process that has it.
  struct Holder {
    int pid = 0;
    std::string since;    ///< UTC, "2025-01-31 12:00:00"
    std::string command;  ///< "trl run a.trl"
    std::string host;     ///< empty when it is this machine
  };
  /// Called while another has the lock. Returns when it is time to try again, or false to give up.
  using Wait = std::function<bool(const Holder&)>;

  /// Throws UserError naming the holder when another has it and `wait`, if any, gives up.
  explicit Lock(const std::filesystem::path& file, const Wait& wait = {});
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// The process that holds a lock file, if any does. Neither waits nor takes it.
  static std::optional<Holder> holder(const std::filesystem::path& file);

 private:
  int descriptor_ = -1;
};

/// "process 123 (trl run a.trl) since 2025-01-31 12:00:00 UTC".
std::string holder_text(const Lock::Holder& holder);

}  // namespace trl::interpreter
