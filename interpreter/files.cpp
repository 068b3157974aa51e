#include "interpreter/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "interpreter/failpoint.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

std::string what_happened(const std::string& doing, const fs::path& file, int code,
                          std::optional<std::uint64_t> bytes) {
  auto text = "cannot " + doing + " " + file.string() + ": " + std::strerror(code);
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

constexpr std::size_t block_bytes = 256 << 10;

/// Closes a file that was only read, at the end of its scope.
struct Closing {
  int descriptor;
  ~Closing() { ::close(descriptor); }
};

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

bool holds(const fs::path& file, std::string_view text) {
  std::error_code error;
  if (fs::file_size(file, error) != text.size() || error) return false;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream held;
  held << in.rdbuf();
  return in && held.view() == text;
}

}  // namespace

DiskError::DiskError(const std::string& doing, const fs::path& file, int error_code,
                     std::optional<std::uint64_t> bytes)
    : UserError(what_happened(doing, file, error_code, bytes), how_to_go_on(error_code)), code(error_code) {}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1023.95 && unit < 3; ++unit) amount /= 1024;
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string room_remark(const fs::path& folder) {
  constexpr std::uint64_t little = 16 << 20;
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return "";
  const std::uint64_t room = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  return room < little ? "Only " + bytes_text(room) + " are free in " + folder.string() + "." : "";
}

ReadError::ReadError(const fs::path& file, int error_code)
    : UserError("cannot read " + file.string() + ": " + std::strerror(error_code),
                error_code == EIO      ? how_to_go_on(EIO)
                : error_code == EACCES ? "Make it readable."
                                       : ""),
      code(error_code) {}

void read_blocks(const fs::path& file, const std::function<void(std::string_view)>& take) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw ReadError(file, errno);
  const Closing closing{descriptor};
  std::vector<char> block(block_bytes);
  while (true) {
    const auto n = ::read(descriptor, block.data(), block.size());
    if (n > 0)
      take({block.data(), static_cast<std::size_t>(n)});
    else if (n == 0)
      return;
    else if (errno != EINTR)
      throw ReadError(file, errno);
  }
}

std::string read_text(const fs::path& file) {
  std::string text;
  read_blocks(file, [&](std::string_view block) { text += block; });
  return text;
}

nlohmann::json read_json(const fs::path& file) {
  auto value = nlohmann::json::parse(read_text(file), nullptr, false);
  if (value.is_discarded()) throw UserError(file.string() + " isn't JSON");
  return value;
}

std::vector<nlohmann::json> read_json_lines(const fs::path& file) {
  return parse_json_lines(read_text(file), file.string());
}

std::vector<nlohmann::json> parse_json_lines(const std::string& text, const std::string& file) {
  std::istringstream in(text);
  std::vector<nlohmann::json> rows;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    rows.push_back(nlohmann::json::parse(line, nullptr, false));
    if (rows.back().is_discarded()) throw UserError(file + ":" + std::to_string(number) + ": not JSON");
  }
  return rows;
}

void write_text(const fs::path& file, std::string_view text) {
  if (const int failed = write_all(file, text)) throw DiskError("write", file, failed, text.size());
}

void write_json_lines(const fs::path& file, const std::vector<nlohmann::json>& rows) {
  std::string text;
  for (const auto& row : rows) text += row.dump() + '\n';
  write_text(file, text);
}

void replace_text(const fs::path& file, std::string_view text) {
  const fs::path beside = file.parent_path() / (".tmp-" + file.filename().string());
  try {
    if (holds(file, text)) {
      ::unlink(beside.c_str());
      return;
    }
    write_text(beside, text);
    struct stat old {};
    if (::stat(file.c_str(), &old) == 0) ::chmod(beside.c_str(), old.st_mode & 07777);
    failpoint("text written");
    sync_path(beside);
    failpoint("text synced");
    move_path(beside, file);
    failpoint("text renamed");
    sync_path(file.parent_path().empty() ? fs::path(".") : file.parent_path());
  } catch (const DiskError& error) {
    ::unlink(beside.c_str());
    throw DiskError("write", file, error.code, text.size());
  }
}

bool make_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0777) == 0) return true;
  const int reason = errno;
  std::error_code ignored;
  if (reason == EEXIST && fs::is_directory(folder, ignored)) return false;
  throw DiskError("create", folder, reason);
}

void move_path(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw DiskError("move " + from.string() + " to", to, errno);
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw DiskError("remove", path, error.value());
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

void sync_tree(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    if (entry.is_directory())
      sync_tree(entry.path());
    else
      sync_path(entry.path());
  }
  sync_path(folder);
}

}  // namespace trl::interpreter
