// The answers that a stage has so far, on the disk, so that a stage that was killed asks for the others
// alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "base/contract/asked.hpp"

namespace trl::runtime {

/// A file of lines of JSON, each with a digest of itself, which is only added to. A line is on the disk
/// before `add` returns. One process at a time has the file.
class Journal {
 public:
  /// Opens or creates `folder`/answers.jsonl of the stage with this key, and reads its lines. A line that
  /// was cut off at its end, is damaged, or is of another stage doesn't count, and is written over where
  /// nothing follows it. Waits for another process to close it, as long as `wait()` is true. Throws
  /// DiskError, ReadError and UserError.
  Journal(const std::filesystem::path& folder, const std::string& key, const std::function<bool()>& wait);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The answer to a question that there is; null if there is none.
  const contract::Asked* find(const std::string& question) const;
  std::size_t size() const { return answers_.size(); }
  /// Lines that were damaged, but for one that was cut off at the end.
  std::size_t damaged() const { return damaged_; }
  /// Stores an answer. Throws DiskError; the file then is as it was.
  void add(const std::string& question, const contract::Asked& answer);

 private:
  void read();

  std::filesystem::path file_;
  std::string key_;
  int descriptor_ = -1;
  std::int64_t end_ = 0;  ///< of the last whole line, in bytes
  std::map<std::string, contract::Asked> answers_;
  std::size_t damaged_ = 0;
};

}  // namespace trl::runtime
