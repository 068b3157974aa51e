// Stores a server's judgements, so that its verdicts can be traced and audited as a run's verdicts can.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/contract/protocol.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// An answer and its verdict.
struct ServedVerdict {
  std::size_t task = 0;  ///< index into the archive's tasks
  std::string prompt, answer;
  std::int64_t tokens = 0;
  nlohmann::json row;   ///< the row of trl-verify
  nlohmann::json plan;  ///< the members of a row of plans.jsonl, with a strict protocol
};

/// Collects verdicts of a server and stores them as stages `served` and `verify`, a pair for each protocol
/// and each part of a session. A part is stored once it is large or old enough. The store is written by a
/// thread of the archive. A server that is killed loses the parts that weren't stored yet, which are seconds
/// old.
class Archive {
 public:
  /// `tasks` are the tasks whose answers the server judges. `failed` is called with the message of an error
  /// if a part couldn't be stored.
  Archive(StoreWriter& store, const std::vector<nlohmann::json>& tasks,
          std::map<std::string, contract::Protocol> protocols,
          std::function<void(const std::string&)> failed);
  /// Stores what is left.
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// Returns the ID under which the verdict is going to be found: "3fa2c1d09e.17". Called by one thread.
  std::string add(const std::string& protocol, ServedVerdict verdict);

 private:
  struct Part;
  void store_parts();
  void store_tasks(const std::vector<nlohmann::json>& tasks);
  void store(const Part& part);

  StoreWriter& store_;
  std::map<std::string, contract::Protocol> protocols_;
  std::function<void(const std::string&)> failed_;
  std::vector<nlohmann::json> tasks_;
  std::string session_, tasks_key_;
  std::map<std::string, std::shared_ptr<Part>> open_;  // by protocol
  std::map<std::string, std::int64_t> parts_;          // how many there are, by protocol
  std::mutex mutex_;                                   // protects open_, full_ and ending_
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Part>> full_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace trl::interpreter
