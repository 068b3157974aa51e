#include "runtime/endpoint/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "base/contract/form.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// Returns the digest of a line's parts. A line that was changed, or mixed with another one, doesn't have
/// this digest.
std::string sum_of(const std::string& key, const std::string& question, const json& answer) {
  return sha256_hex(key + "\n" + question + "\n" + dumped(answer));
}

}  // namespace

Journal::Journal(const std::filesystem::path& folder, const std::string& key,
                 const std::function<bool()>& wait)
    : file_(folder / contract::journal_file), key_(key) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw DiskError("create", folder, error.value());
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw DiskError("create", file_, errno);
  try {
    // The worker of a run that was killed may be about to write its last answer.
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) break;  // a disk without locks
      if (!wait())
        throw UserError(file_.string() + " is written by another process",
                        "Wait until the worker of the earlier run has ended, and run again.");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    read();
    sync_path(folder);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::read() {
  const auto text = read_text(file_);
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut off: it is written over
    const auto line = json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    begin = end + 1;
    end_ = static_cast<std::int64_t>(begin);
    try {
      const auto question = contract::field_of<std::string>(line, "question");
      const auto answer = contract::field_of<json>(line, "answer");
      if (contract::field_of<std::string>(line, "sum") != sum_of(key_, question, answer)) {
        ++damaged_;
        continue;
      }
      answers_.insert_or_assign(question, contract::Asked::read(answer));
    } catch (const contract::ContractError&) {
      ++damaged_;
    }
  }
}

const contract::Asked* Journal::find(const std::string& question) const {
  const auto found = answers_.find(question);
  return found == answers_.end() ? nullptr : &found->second;
}

void Journal::add(const std::string& question, const contract::Asked& answer) {
  const json written = json::parse(dumped(answer.write()));
  const auto line =
      dumped({{"question", question}, {"answer", written}, {"sum", sum_of(key_, question, written)}}) + "\n";
  std::size_t done = 0;
  int reason = 0;
  while (done < line.size() && reason == 0) {
    const auto wrote = ::pwrite(descriptor_, line.data() + done, line.size() - done,
                                static_cast<off_t>(end_) + static_cast<off_t>(done));
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
    if (wrote < 0 && errno != EINTR) reason = errno;
    if (wrote == 0) reason = ENOSPC;
  }
  if (reason == 0 && ::fdatasync(descriptor_) != 0) reason = errno;
  if (reason != 0) {
    [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, static_cast<off_t>(end_));
    throw DiskError("write", file_, reason, line.size());
  }
  end_ += static_cast<std::int64_t>(line.size());
  answers_.insert_or_assign(question, answer);
}

}  // namespace trl::runtime
