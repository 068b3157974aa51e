#include "base/support/files.hpp"
#include "base/support/counted.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace trl {
namespace fs = std::filesystem;
namespace {

std::string what_happened(const std::string& doing, const fs::path& file, int code,
                          std::optional<std::uint64_t> bytes) {
  auto text = "cannot " + doing + " " + file.string();
  if (code != 0) text += std::string(": ") + std::strerror(code);
  if (code != ENOSPC && code != EDQUOT) return text;
  std::string room = bytes ? "it needs " + bytes_text(*bytes) : "";
  struct statvfs disk {};
  if (code == ENOSPC && ::statvfs(file.parent_path().c_str(), &disk) == 0)
    room +=
        (room.empty() ? "" : ", ") + bytes_text(std::uint64_t{disk.f_bavail} * disk.f_frsize) + " are free";
  return room.empty() ? text : text + " (" + room + ")";
}

std::string how_to_go_on(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "Free space there and run the same command again; finished stages are kept.";
    case EIO:
      return "The disk or its file system fails; the system's log has details. Once it is repaired, or with "
             "another --store DIR, run the same command again; finished stages are kept.";
    case EROFS:
    case EACCES:
    case EPERM:
      return "Make it writable, or choose another place with --store DIR and --out DIR.";
    default:
      return "Check the folder's permissions and the disk's space, or choose another place with --store "
             "DIR and "
             "--out DIR; then run the same command again.";
  }
}

/// Writes all of `text` to a new file. Returns 0, or errno's value.
int write_all(const fs::path& file, std::string_view text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  int failed = 0;
  while (!text.empty() && !failed) {
    const auto n = ::write(descriptor, text.data(), text.size());
    if (n > 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      failed = n == 0 ? ENOSPC : errno;
  }
  if (::close(descriptor) != 0 && !failed) failed = errno;
  return failed;
}

}  // namespace

DiskError::DiskError(const std::string& doing, const fs::path& file, int error_code,
                     std::optional<std::uint64_t> bytes)
    : UserError(what_happened(doing, file, error_code, bytes), how_to_go_on(error_code)), code(error_code) {}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1023.95 && unit < 3; ++unit) amount /= 1024;
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

ReadError::ReadError(const fs::path& file, int error_code)
    : UserError("cannot read " + file.string() + ": " + std::strerror(error_code),
                error_code == EIO      ? how_to_go_on(EIO)
                : error_code == EACCES ? "Make it readable."
                                       : ""),
      code(error_code) {}

void write_text(const fs::path& file, std::string_view text) {
  if (const int failed = write_all(file, text)) throw DiskError("write", file, failed, text.size());
}

void move_path(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw DiskError("move " + from.string() + " to", to, errno);
}

void sync_path(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw DiskError("open", path, errno);
  const int failed = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  // Some file systems can't sync a folder and answer EINVAL.
  if (failed && reason != EINVAL) throw DiskError("write", path, reason);
}

}  // namespace trl
