#include "interpreter/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "base/support/json_text.hpp"
#include "interpreter/failpoint.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

bool holds(const fs::path& file, std::string_view text) {
  std::error_code error;
  if (fs::file_size(file, error) != text.size() || error) return false;
  try {
    return read_text(file) == text;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

std::string room_remark(const fs::path& folder) {
  constexpr std::uint64_t little = 16 << 20;
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return "";
  const std::uint64_t room = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  return room < little ? "Only " + bytes_text(room) + " are free in " + folder.string() + "." : "";
}

std::vector<nlohmann::json> read_json_lines(const fs::path& file) {
  std::vector<nlohmann::json> rows;
  for_each_row(file, [&](const nlohmann::json& row) { rows.push_back(row); });
  return rows;
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

void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw DiskError("remove", path, error.value());
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
