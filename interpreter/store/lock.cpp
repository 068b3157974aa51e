#include "interpreter/store/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "interpreter/error.hpp"

namespace trl::interpreter {
namespace {

int recorded_pid(int descriptor) {
  char text[32] = {};
  return ::pread(descriptor, text, sizeof text - 1, 0) > 0 ? std::atoi(text) : 0;
}

}  // namespace

Lock::Lock(const std::filesystem::path& file) {
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0)
    throw UserError("cannot open " + file.string() + ": " + std::strerror(errno),
                    "Choose another place with --store DIR.");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int pid = recorded_pid(descriptor_);
    ::close(descriptor_);
    throw UserError(
        "the store " + file.parent_path().string() + " is in use by process " + std::to_string(pid),
        "Wait until it has finished, stop it, or use another store with --store DIR.");
  }
  const auto pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, pid.data(), pid.size(), 0) < 0) {
    const int reason = errno;
    ::close(descriptor_);
    throw UserError("cannot write " + file.string() + ": " + std::strerror(reason),
                    "Make room there, or choose another place with --store DIR.");
  }
}

Lock::~Lock() { ::close(descriptor_); }

int Lock::holder(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  int pid = 0;
  if (::flock(descriptor, LOCK_SH | LOCK_NB) != 0) pid = recorded_pid(descriptor);
  ::close(descriptor);
  return pid;
}

}  // namespace trl::interpreter
