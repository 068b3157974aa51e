#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace trl::interpreter {

/// SHA-256 of large files outside the store (a model's weights), cached in the store's file_digests.json by
/// path, size, inode, and times of last change to the nanosecond. Files under 1 MiB aren't cached, since each
/// new entry writes the whole cache. A file that changed less than two seconds ago isn't cached, since a
/// second change within the clock's resolution would go unnoticed. Several processes may use the cache at
/// once: its file is replaced atomically, and a digest that gets lost is computed again. A cache that is
/// damaged or can't be written is ignored.
class FileDigests {
 public:
  /// Without a store, every digest is computed anew.
  FileDigests() = default;
  /// `clock` returns seconds since 1970; by default the system's clock.
  explicit FileDigests(const std::filesystem::path& store, std::function<std::int64_t()> clock = {});
  /// The SHA-256 of a file. `check` validates the file, and is called before a digest is computed. It isn't
  /// called for a cached digest, since the file was valid when the digest was computed.
  std::string of(const std::filesystem::path& file, const std::function<void()>& check);
  int computed() const { return computed_; }

 private:
  struct Entry {
    std::string identity, sha256;
  };
  void remember();

  /// A text that changes if the file changes; empty if the file changed too recently or can't be examined.
  std::string identity_of(const std::filesystem::path& file) const;

  std::filesystem::path file_;
  std::function<std::int64_t()> clock_;
  std::map<std::string, Entry> entries_;  ///< the cached digests, by the file's absolute path
  int computed_ = 0;
};

}  // namespace trl::interpreter
