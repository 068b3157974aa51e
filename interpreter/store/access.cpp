#include "interpreter/store/access.hpp"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

constexpr auto short_while = std::chrono::milliseconds(20);

/// Returns the number in the name of a file in running/.
std::optional<int> number_of(const std::string& name) {
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number > 0 ? std::optional(number)
                                                                                : std::nullopt;
}

UserError in_use(const fs::path& store, const Holder& holder) {
  return UserError("the store " + store.string() + " is in use by " + holder_text(holder),
                   "Wait for it with --wait, stop it, or use another store with --store DIR.");
}

/// Whether the process that a record names may still run. For a process of another machine this isn't known,
/// so it may.
bool may_live(const Holder& holder) {
  return holder.host != host_name() || ::kill(holder.pid, 0) == 0 || errno != ESRCH;
}

}  // namespace

std::vector<StoreUser> store_users(const fs::path& store) {
  std::vector<StoreUser> users;
  if (auto alone = FileLock::holder(store / "lock")) users.push_back({std::move(*alone), 0});
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(store / "running", none))
    if (const auto number = number_of(entry.path().filename().string()))
      if (auto holder = FileLock::holder(entry.path())) users.push_back({std::move(*holder), *number});
  std::sort(users.begin(), users.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return users;
}

std::optional<std::string> network_file_system(const fs::path& path) {
  struct statfs system {};
  if (::statfs(path.c_str(), &system) != 0) return std::nullopt;
  switch (static_cast<unsigned long>(system.f_type) & 0xffffffff) {
    case 0x6969:
      return "NFS";
    case 0x517b:
      return "SMB";
    case 0xfe534d42:
      return "SMB";
    case 0xff534d42:
      return "CIFS";
    case 0x5346414f:
      return "AFS";
    case 0x01021997:
      return "9p";
    default:
      return std::nullopt;
  }
}

std::optional<int> run_of_temporary(const std::string& name) {
  constexpr std::string_view start = "tmp-run";
  if (!name.starts_with(start)) return std::nullopt;
  return number_of(name.substr(start.size(), name.find('-', start.size()) - start.size()));
}

StoreAccess::StoreAccess(const fs::path& store, AccessOptions options)
    : store_(store), options_(std::move(options)) {
  make_folder(store_ / "running");
  if (const auto network = network_file_system(store_)) keep_others_off(*network);
  try {
    options_.alone ? enter_alone() : enter_with_others();
  } catch (...) {
    if (!only_.empty()) ::unlink(only_.c_str());
    throw;
  }
}

StoreAccess::~StoreAccess() {
  if (!only_.empty()) ::unlink(only_.c_str());
}

void StoreAccess::enter_alone() {
  while (!(store_lock_ = FileLock::take(store_ / "lock", FileLock::Mode::exclusive))) {
    const auto users = store_users(store_);
    const auto holder = users.empty() ? Holder() : users.front().holder;
    if (!options_.wait || !options_.wait(holder)) throw in_use(store_, holder);
  }
  store_lock_->describe(options_.details);
}

void StoreAccess::enter_with_others() {
  while (!(store_lock_ = FileLock::take(store_ / "lock", FileLock::Mode::shared))) {
    const auto holder = FileLock::holder(store_ / "lock").value_or(Holder());
    if (!options_.wait || !options_.wait(holder)) throw in_use(store_, holder);
  }
  while (!(opening_ = FileLock::take(store_ / "opening", FileLock::Mode::exclusive))) {
    if (options_.pause) options_.pause();
    std::this_thread::sleep_for(short_while);
  }
  while (!number_lock_)
    number_lock_ = FileLock::take(store_ / "running" / std::to_string(++number_), FileLock::Mode::exclusive);
  number_lock_->describe(options_.details);
}

void StoreAccess::keep_others_off(const std::string& network) {
  const auto file = store_ / "running" / "only";
  const auto record = own_record(options_.details);
  while (true) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor >= 0) {
      only_ = file;
      const bool written =
          ::write(descriptor, record.data(), record.size()) == static_cast<ssize_t>(record.size());
      ::close(descriptor);
      if (written) return;
      ::unlink(file.c_str());
      throw DiskError("write", file, ENOSPC, record.size());
    }
    if (errno != EEXIST) throw DiskError("create", file, errno);
    const auto holder = read_record(read_text(file));
    if (holder.pid != 0 && !may_live(holder)) {
      ::unlink(file.c_str());
      continue;
    }
    if (options_.wait && options_.wait(holder)) continue;
    throw UserError(
        "the store " + store_.string() + " is on a network file system (" + network +
            "), where several runs can't share a store since its locks can't be trusted, and it is "
            "in use by " +
            holder_text(holder),
        "Wait for it with --wait, or give this run a store on a local disk with --store DIR. If that "
        "process no longer exists, delete " +
            file.string() + ".");
  }
}

}  // namespace trl::interpreter
