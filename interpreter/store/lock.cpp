#include "interpreter/store/lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "ground/error.hpp"
#include "ground/files.hpp"

namespace trl::interpreter {
namespace {

constexpr std::size_t longest_command = 200;

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Queries or takes a lock on the whole file for the open file description. Unlike with flock(2), it can be
/// queried without being taken.
bool ask(int descriptor, int command, short type, struct flock& region) {
  region = {};
  region.l_type = type;
  region.l_whence = SEEK_SET;
  return ::fcntl(descriptor, command, &region) == 0;
}

/// This process' command line: "trl run a.trl".
std::string own_command() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  while (!text.empty() && text.back() == '\0') text.pop_back();
  const auto program = text.substr(0, text.find('\0'));
  text.erase(0, program.find_last_of('/') + 1);
  for (char& byte : text)
    if (static_cast<unsigned char>(byte) < ' ') byte = ' ';
  if (text.size() > longest_command) text.resize(longest_command);
  return text;
}

std::string own_record() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> time{};
  std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M:%S", &utc);
  const nlohmann::json record = {
      {"pid", ::getpid()}, {"since", time.data()}, {"command", own_command()}, {"host", host_name()}};
  return record.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

Lock::Holder recorded(int descriptor) {
  std::array<char, 2048> text{};
  Lock::Holder holder;
  if (::pread(descriptor, text.data(), text.size() - 1, 0) <= 0) return holder;
  // The previous holder may have written a longer line.
  const std::string line = std::string(text.data()).substr(0, std::string(text.data()).find('\n'));
  const auto record = nlohmann::json::parse(line, nullptr, false);
  if (!record.is_object()) return holder;
  const auto word = [&](const char* name) {
    return record.contains(name) && record[name].is_string() ? record[name].get<std::string>() : "";
  };
  if (record.contains("pid") && record["pid"].is_number_integer()) holder.pid = record["pid"];
  holder.since = word("since"), holder.command = word("command");
  if (word("host") != host_name()) holder.host = word("host");
  return holder;
}

}  // namespace

Lock::Lock(const std::filesystem::path& file, const Wait& wait) {
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw DiskError("open", file, errno);
  try {
    struct flock region {};
    while (!ask(descriptor_, F_OFD_SETLK, F_WRLCK, region)) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EACCES) throw DiskError("lock", file, errno);
      const Holder holder = recorded(descriptor_);
      if (!wait || !wait(holder))
        throw UserError("the store " + file.parent_path().string() + " is in use by " + holder_text(holder),
                        "Wait for it with --wait, stop it, or use another store with --store DIR.");
    }
    const auto record = own_record();
    if (::pwrite(descriptor_, record.data(), record.size(), 0) != static_cast<ssize_t>(record.size()) ||
        ::ftruncate(descriptor_, static_cast<off_t>(record.size())) != 0)
      throw DiskError("write", file, errno ? errno : ENOSPC, record.size());
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Lock::~Lock() { ::close(descriptor_); }

std::optional<Lock::Holder> Lock::holder(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::optional<Holder> holder;
  struct flock region {};
  if (ask(descriptor, F_OFD_GETLK, F_RDLCK, region) && region.l_type != F_UNLCK)
    holder = recorded(descriptor);
  ::close(descriptor);
  return holder;
}

std::string holder_text(const Lock::Holder& holder) {
  auto text = holder.pid ? "process " + std::to_string(holder.pid) : std::string("another process");
  if (!holder.host.empty()) text += " on " + holder.host;
  if (!holder.command.empty()) text += " (" + holder.command + ")";
  if (!holder.since.empty()) text += " since " + holder.since + " UTC";
  return text;
}

}  // namespace trl::interpreter
