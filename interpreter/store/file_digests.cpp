#include "interpreter/store/file_digests.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/support/digest.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::int64_t settled_seconds = 2;
/// A smaller file's digest is computed as quickly as it is looked up.
constexpr std::uintmax_t least_cached = 1 << 20;

}  // namespace

std::string FileDigests::identity_of(const fs::path& file) const {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return "";
  const std::int64_t now = clock_ ? clock_() : std::time(nullptr);
  if (std::max(found.st_mtim.tv_sec, found.st_ctim.tv_sec) + settled_seconds > now) return "";
  const auto time = [](const timespec& t) {
    return std::to_string(t.tv_sec) + "." + std::to_string(t.tv_nsec);
  };
  return std::to_string(found.st_dev) + "/" + std::to_string(found.st_ino) + " " +
         std::to_string(found.st_size) + " " + time(found.st_mtim) + " " + time(found.st_ctim);
}

FileDigests::FileDigests(const fs::path& store, std::function<std::int64_t()> clock)
    : clock_(std::move(clock)) {
  std::error_code error;
  if (!fs::is_directory(store, error)) return;
  file_ = store / "file_digests.json";
  if (!fs::is_regular_file(file_, error)) return;
  try {
    const auto all = read_json(file_);
    if (sha256_hex(all.at("files").dump()) != all.at("sha256").get_ref<const std::string&>()) return;
    for (const auto& [path, entry] : all.at("files").items())
      entries_[path] = {entry.at("identity"), entry.at("sha256")};
  } catch (const std::exception&) {
    entries_.clear();
  }
}

std::string FileDigests::of(const fs::path& file, const std::function<void()>& check) {
  std::error_code unknown;
  if (const auto bytes = fs::file_size(file, unknown); !unknown && bytes < least_cached) {
    check();
    ++computed_;
    return sha256_of_file(file);
  }
  const auto path = fs::absolute(file).lexically_normal().string();
  const auto before = identity_of(file);
  if (const auto known = entries_.find(path);
      !before.empty() && known != entries_.end() && known->second.identity == before)
    return known->second.sha256;
  check();
  ++computed_;
  auto digest = sha256_of_file(file);
  if (!before.empty() && before == identity_of(file)) {
    entries_[path] = {before, digest};
    remember();
  }
  return digest;
}

void FileDigests::remember() {
  if (file_.empty()) return;
  auto files = json::object();
  for (const auto& [path, entry] : entries_)
    files[path] = {{"identity", entry.identity}, {"sha256", entry.sha256}};
  // If a crash leaves this file behind, the next writer of the store removes it.
  const fs::path beside = file_.parent_path() / ("tmp-" + std::to_string(::getpid()) + "-file-digests");
  try {
    write_text(beside, json{{"files", files}, {"sha256", sha256_hex(files.dump())}}.dump(1) + "\n");
    sync_path(beside);
    move_path(beside, file_);
  } catch (const std::exception&) {
    ::unlink(beside.c_str());
  }
}

}  // namespace trl::interpreter
