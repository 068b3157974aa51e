#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace trl::interpreter {

/// The process that holds a lock, as it described itself in the locked file.
struct Holder {
  int pid = 0;
  std::string host;
  std::string since;                           ///< UTC, "2025-01-31 12:00:00"
  std::string command;                         ///< "trl run a.trl"
  std::map<std::string, std::string> details;  ///< its other entries: {"stage", "exam/sample"}

  std::string detail(const std::string& name) const;
};

/// "process 123 (trl run a.trl) since 2025-01-31 12:00:00 UTC", with the host if it is another one.
std::string holder_text(const Holder& holder);

/// This machine's name.
std::string host_name();

/// The line of JSON that this process writes into a file that it locks.
std::string own_record(const std::map<std::string, std::string>& details);
/// The reader of such a line; an unknown process for anything else.
Holder read_record(const std::string& text);

/// A lock of a file, held by an open file description, which the kernel releases however the process ends.
/// Two locks of one process exclude each other, too.
class FileLock {
 public:
  enum class Mode { shared, exclusive };

  /// Takes the lock; nothing if another holder excludes this one. Creates the file if it doesn't exist.
  /// Throws DiskError.
  static std::optional<FileLock> take(const std::filesystem::path& file, Mode mode);
  /// The exclusive holder of a file's lock, if there is one. Neither waits nor takes the lock.
  static std::optional<Holder> holder(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Writes the record of the lock's holder into the file. Throws DiskError.
  void describe(const std::map<std::string, std::string>& details = {});
  /// Removes the file and gives the lock up. A process that takes the lock meanwhile gets the lock of a new
  /// file.
  void remove_file() noexcept;

 private:
  FileLock(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}

  int descriptor_ = -1;
  std::filesystem::path file_;
};

}  // namespace trl::interpreter
