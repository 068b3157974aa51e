#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace trl::interpreter {

/// SHA-256 of large files outside the store (a model's weights), cached in the store's file_digests.json by
/// path, size, inode, and times of last change to the nanosecond. A file that changed less than two seconds
/// ago isn't cached, since a second change within the clock's resolution would go unnoticed. Several
/// processes may use the cache at once: the file is replaced atomically, and an entry that gets lost is
/// computed again. A cache that is damaged or can't be written is ignored.
class FileDigests {
 public:
  /// Without a store every digest is computed.
  FileDigests() = default;
  /// `clock` returns seconds since 1970; by default the system's clock.
  explicit FileDigests(const std::filesystem::path& store, std::function<std::int64_t()> clock = {});
  /// `check` is called before a file's digest is computed. A cached digest needs no check, since the file
  /// passed before.
  std::string of(const std::filesystem::path& file, const std::function<void()>& check);
  int computed() const { return computed_; }

 private:
  struct Entry {
    std::string identity, sha256;
  };
  void remember();

  /// A text that changes when the file does; empty if the file changed too recently or can't be examined.
  std::string identity_of(const std::filesystem::path& file) const;

  std::filesystem::path file_;
  std::function<std::int64_t()> clock_;
  std::map<std::string, Entry> entries_;  ///< by the file's absolute path
  int computed_ = 0;
};

}  // namespace trl::interpreter
