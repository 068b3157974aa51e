#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace trl::interpreter {

/// The process that holds a lock, as described in the locked file by the process itself.
struct Holder {
  int pid = 0;
  std::string host;
  std::string since;    ///< UTC, "2025-01-31 12:00:00"
  std::string command;  ///< "trl run a.trl"
  /// The other entries of the process' description: {"stage", "exam/sample"}.
  std::map<std::string, std::string> details;

  std::string detail(const std::string& name) const;
};

/// The holder as text: "process 123 (trl run a.trl) since 2025-01-31 12:00:00 UTC", with the host if it is
/// another machine.
std::string holder_text(const Holder& holder);

/// This machine's name.
std::string host_name();

/// The line of JSON that this process writes into a file that it locks.
std::string own_record(const std::map<std::string, std::string>& details);
/// Reads the line that `own_record` makes. Any other text gives a Holder with the default values.
Holder read_record(const std::string& text);

/// A lock of a file. It belongs to an open file description, so that the kernel releases the lock however the
/// process ends. Two locks within one process exclude each other, too.
class FileLock {
 public:
  enum class Mode { shared, exclusive };

  /// Takes the lock of a file without waiting; nothing if another lock excludes it. Creates the file if it
  /// doesn't exist. Throws DiskError.
  static std::optional<FileLock> take(const std::filesystem::path& file, Mode mode);
  /// The process that holds a file's lock exclusively; nothing if there is none. Neither waits nor takes the
  /// lock.
  static std::optional<Holder> holder(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Writes a description of this process, with `details`, into the locked file. Throws DiskError.
  void describe(const std::map<std::string, std::string>& details = {});
  /// Removes the file and releases the lock. A process that takes the lock at the same time locks a new file.
  void remove_file() noexcept;

 private:
  FileLock(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}

  int descriptor_ = -1;
  std::filesystem::path file_;
};

}  // namespace trl::interpreter
