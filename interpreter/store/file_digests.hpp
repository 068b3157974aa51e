#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace trl::interpreter {

/// SHA-256 of large files from outside (a model's weights), remembered in a store's file_digests.json by
/// path, size, inode, and times of last change to the nanosecond. A file changed less than two seconds ago
/// isn't remembered: a second change within the clock's grain would go unseen. Several processes may do so at
/// once: the file is replaced as one act, and what one forgets is computed again. One that is damaged, or
/// can't be written, is ignored.
class FileDigests {
 public:
  /// Without a store everything is computed.
  FileDigests() = default;
  /// `clock` tells seconds since 1970; the system's when left out.
  explicit FileDigests(std::filesystem::path store, std::function<std::int64_t()> clock = {});
  /// `check` is called before a file is digested: not when its digest is remembered, since it passed then.
  std::string of(const std::filesystem::path& file, const std::function<void()>& check);
  int computed() const { return computed_; }

 private:
  struct Entry {
    std::string identity, sha256;
  };
  void remember();

  /// What changes when a file does; empty when it is too new to tell, or can't be looked at.
  std::string identity_of(const std::filesystem::path& file) const;

  std::filesystem::path file_;
  std::function<std::int64_t()> clock_;
  std::map<std::string, Entry> entries_;  ///< by absolute path
  int computed_ = 0;
};

}  // namespace trl::interpreter
