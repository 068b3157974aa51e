#pragma once
// A cache of the verdicts that this process has reached. The same answer may occur again, in another cell
// (combination of varied settings) of a study or in another round.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "verifier/answer/source.hpp"
#include "verifier/examination/verdict.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Verdicts, whose keys are made of task, source text, protocol and secret, since these determine a verdict.
/// A verdict that also depends on the machine, such as a timeout, is never stored.
class KnownVerdicts {
 public:
  struct Entry {
    Verdict verdict;
    double seconds = 0;  ///< the seconds that a worker slot needed for the verdict
    std::shared_ptr<const std::string>
        plan;  ///< for exams: the members of its row in plans.jsonl, as JSON text
  };

  /// Returns the key of a verdict. `protocol` is the spec of the verify stage.
  static std::string key(const Task& task, const Source& source, const nlohmann::json& protocol,
                         const std::string& secret);

  std::optional<Entry> find(const std::string& key) const;
  void keep(const std::string& key, const Entry& entry);

 private:
  static constexpr std::size_t limit = 1 << 16;  ///< maximum number of entries; about 100 MB
  static constexpr std::size_t limit_of_plans = std::size_t{256}
                                                << 20;  ///< maximum size of all plans in bytes
  mutable std::mutex mutex_;
  std::size_t plan_bytes_ = 0;
  std::map<std::string, Entry> entries_;
};

}  // namespace trl::runtime
