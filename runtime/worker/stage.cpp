#include "runtime/worker/stage.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>

namespace trl::runtime {

void unwritten(const std::filesystem::path& file, std::uint64_t bytes) {
  const int reason = errno;
  std::string message = fmt::format("{}: cannot be written", file.string());
  if (reason) message += fmt::format(": {}", std::strerror(reason));
  struct statvfs disk {};
  const bool full = reason == ENOSPC || reason == EDQUOT;
  if (full && ::statvfs(file.parent_path().c_str(), &disk) == 0)
    message += fmt::format(" ({}{} bytes are free)", bytes ? fmt::format("it needs {} bytes, ", bytes) : "",
                           std::uint64_t{disk.f_bavail} * disk.f_frsize);
  throw StageError(message, full
                                ? "Free space there and run the same command again: what is finished is kept."
                                : "Look at the disk and the folder's permissions, then run the same command "
                                  "again: what is finished is kept.");
}

const std::filesystem::path& Stage::input(const std::string& name) const {
  const auto found = inputs.find(name);
  if (found == inputs.end()) {
    throw StageError("the stage's input `" + name + "` is missing", "see docs/seams.md, section 3");
  }
  return found->second;
}

}  // namespace trl::runtime
