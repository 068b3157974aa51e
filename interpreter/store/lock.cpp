#include "interpreter/store/lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/shell_word.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::size_t longest_command = 200;

/// Queries or takes a lock on the whole file for the open file description. Unlike with flock(2), it can be
/// queried without being taken.
bool ask(int descriptor, int command, short type, struct flock& region) {
  region = {};
  region.l_type = type;
  region.l_whence = SEEK_SET;
  return ::fcntl(descriptor, command, &region) == 0;
}

/// Whether the path still refers to the opened file. The file's last holder may have removed it.
bool still_there(int descriptor, const fs::path& file) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// This process' command line, as it can be typed: "trl run a.trl".
std::string own_command() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string text;
  for (std::string word; std::getline(in, word, '\0');) {
    for (char& byte : word)
      if (static_cast<unsigned char>(byte) < ' ') byte = ' ';
    text += text.empty() ? word.substr(word.find_last_of('/') + 1) : " " + shell_word(word);
  }
  if (text.size() > longest_command) text.resize(longest_command);
  return text;
}

}  // namespace

std::string Holder::detail(const std::string& name) const {
  const auto found = details.find(name);
  return found == details.end() ? "" : found->second;
}

std::string holder_text(const Holder& holder) {
  auto text = holder.pid ? "process " + std::to_string(holder.pid) : std::string("another process");
  if (!holder.host.empty() && holder.host != host_name()) text += " on " + holder.host;
  if (!holder.command.empty()) text += " (" + holder.command + ")";
  if (!holder.since.empty()) text += " since " + holder.since + " UTC";
  return text;
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string own_record(const std::map<std::string, std::string>& details) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> time{};
  std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M:%S", &utc);
  json record = {
      {"pid", ::getpid()}, {"since", time.data()}, {"command", own_command()}, {"host", host_name()}};
  if (!details.empty()) record["details"] = details;
  return record.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

Holder read_record(const std::string& text) {
  Holder holder;
  // Only the first line counts: the previous holder may have written a longer text.
  const auto record = json::parse(text.substr(0, text.find('\n')), nullptr, false);
  if (!record.is_object()) return holder;
  const auto word = [](const json& from, const std::string& name) {
    return from.contains(name) && from[name].is_string() ? from[name].get<std::string>() : "";
  };
  if (record.contains("pid") && record["pid"].is_number_integer()) holder.pid = record["pid"];
  holder.since = word(record, "since"), holder.command = word(record, "command"),
  holder.host = word(record, "host");
  if (record.contains("details") && record["details"].is_object())
    for (const auto& [name, value] : record["details"].items())
      holder.details[name] = word(record["details"], name);
  return holder;
}

std::optional<FileLock> FileLock::take(const fs::path& file, Mode mode) {
  while (true) {
    FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644), file);
    if (lock.descriptor_ < 0) throw DiskError("open", file, errno);
    struct flock region {};
    while (!ask(lock.descriptor_, F_OFD_SETLK, mode == Mode::shared ? F_RDLCK : F_WRLCK, region)) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EACCES) throw DiskError("lock", file, errno);
      return std::nullopt;
    }
    if (still_there(lock.descriptor_, file)) return lock;
  }
}

std::optional<Holder> FileLock::holder(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return {};
  std::optional<Holder> holder;
  struct flock region {};
  if (ask(descriptor, F_OFD_GETLK, F_RDLCK, region) && region.l_type != F_UNLCK) {
    std::array<char, 4096> text{};
    const auto size = ::pread(descriptor, text.data(), text.size(), 0);
    holder = read_record(std::string(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0));
  }
  ::close(descriptor);
  return holder;
}

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), file_(std::move(other.file_)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(file_, other.file_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileLock::describe(const std::map<std::string, std::string>& details) {
  const auto record = own_record(details);
  // If a write is incomplete, the next one gives the reason.
  for (std::size_t done = 0; done < record.size();) {
    errno = 0;
    const auto n =
        ::pwrite(descriptor_, record.data() + done, record.size() - done, static_cast<off_t>(done));
    if (n > 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      throw DiskError("write", file_, errno ? errno : ENOSPC, record.size());
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(record.size())) != 0)
    throw DiskError("write", file_, errno, record.size());
}

void FileLock::remove_file() noexcept {
  if (descriptor_ < 0) return;
  ::unlink(file_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace trl::interpreter
