#pragma once
// A cache of the verdicts that this process has reached, for answers that occur again, in another cell or
// round.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "verifier/answer/source.hpp"
#include "verifier/examination/verdict.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Verdicts by task, source (byte by byte), protocol and secret, which together determine a verdict. Verdicts
/// that depend on the machine's limits as well are never kept.
class KnownVerdicts {
 public:
  struct Entry {
    Verdict verdict;
    double seconds = 0;                       ///< the seconds that one worker slot needed for it
    std::shared_ptr<const std::string> plan;  ///< for exams: its members in plans.jsonl, as JSON
  };

  /// `protocol` is the stage's spec.
  static std::string key(const Task& task, const Source& source, const nlohmann::json& protocol,
                         const std::string& secret);

  std::optional<Entry> find(const std::string& key) const;
  void keep(const std::string& key, const Entry& entry);

 private:
  static constexpr std::size_t limit = 1 << 16;                          ///< about 100 MB
  static constexpr std::size_t limit_of_plans = std::size_t{256} << 20;  ///< bytes
  mutable std::mutex mutex_;
  std::size_t plan_bytes_ = 0;
  std::map<std::string, Entry> entries_;
};

}  // namespace trl::runtime
