// Requests that a client repeats under an idempotency key.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trl::interpreter {

/// The answer to one candidate: the status of HTTP and the body.
struct Answer {
  int status = 200;
  nlohmann::json body;
  int retry_after = 0;  ///< seconds; 0: not said
};

/// Keeps answers by their idempotency keys, so that a repeated request gets the first one's answer. Used by
/// one thread.
class RepeatedRequests {
 public:
  using Take = std::function<void(const Answer&)>;
  enum class Found {
    fresh,    ///< nobody has asked this; the caller has to, and calls `settle`
    known,    ///< `take` was or will be called with the first request's answer
    conflict  ///< the key belongs to another request
  };

  explicit RepeatedRequests(std::size_t most) : most_(most) {}

  /// Looks up a key. `digest` identifies the contents of the request. Unless the result is `conflict`, `take`
  /// is called with the answer: at once if there is one already, otherwise by `settle`.
  Found ask(const std::string& key, const std::string& digest, Take take);
  /// Passes the answer to all requests that wait for it. An answer with another status than 200 is then
  /// forgotten, so that the client can try again.
  void settle(const std::string& key, const Answer& answer);

 private:
  struct Entry {
    std::string digest;
    std::optional<Answer> answer;
    std::vector<Take> waiting;
  };
  std::size_t most_;
  std::map<std::string, Entry> entries_;
  std::list<std::string> settled_;  // keys with an answer, the oldest first
};

}  // namespace trl::interpreter
