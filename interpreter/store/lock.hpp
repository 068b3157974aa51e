#pragma once

#include <filesystem>

namespace trl::interpreter {

/// The right to write to a store: an exclusive flock, freed by the kernel however the process ends.
class Lock {
 public:
  /// Throws UserError naming the holder's process when another has it.
  explicit Lock(const std::filesystem::path& file);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// The process that holds a lock file; 0 when none does.
  static int holder(const std::filesystem::path& file);

 private:
  int descriptor_ = -1;
};

}  // namespace trl::interpreter
