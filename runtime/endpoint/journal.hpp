// Stores a stage's answers on disk as they arrive, so that a stage that was killed doesn't request them
// again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "base/contract/asked.hpp"

namespace trl::runtime {

/// A file to which lines of JSON are appended, each with its own digest. A line is on disk before `add`
/// returns. Only one process at a time can have the file open.
class Journal {
 public:
  /// Opens or creates `folder`/answers.jsonl of the stage with this key, and reads its lines. A line that is
  /// damaged or of another stage is ignored; an incomplete last line is overwritten. If another process has
  /// the file open, waits as long as `wait()` returns true. Throws DiskError, ReadError and UserError.
  Journal(const std::filesystem::path& folder, const std::string& key, const std::function<bool()>& wait);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Returns the stored answer to a question; null if there is none.
  const contract::Asked* find(const std::string& question) const;
  std::size_t size() const { return answers_.size(); }
  /// The number of lines that were ignored, without an incomplete last line.
  std::size_t damaged() const { return damaged_; }
  /// Stores an answer. Throws DiskError, which leaves the file unchanged.
  void add(const std::string& question, const contract::Asked& answer);

 private:
  void read();

  std::filesystem::path file_;
  std::string key_;
  int descriptor_ = -1;
  std::int64_t end_ = 0;  ///< the end of the last whole line, in bytes
  std::map<std::string, contract::Asked> answers_;
  std::size_t damaged_ = 0;
};

}  // namespace trl::runtime
