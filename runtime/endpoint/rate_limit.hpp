// Limits the requests and tokens per minute that are sent to a server, and spreads them evenly.
#pragma once

#include <optional>

namespace trl::runtime {

/// Computes when requests may begin. Times are seconds of any clock that never goes back.
class RateLimit {
 public:
  RateLimit(std::optional<double> requests_per_minute, std::optional<double> tokens_per_minute)
      : requests_(requests_per_minute), tokens_(tokens_per_minute) {}

  /// Books a request of about `tokens` tokens, and returns the time at which it may begin: `now` or later.
  double book(double now, double tokens);
  /// Corrects the tokens of a request from the number `booked` to the number `taken` that it really used.
  void settle(double booked, double taken);
  /// Lets no request begin before `time`, since the server demanded a pause. For requests that are already
  /// booked, `earliest` returns the new time.
  void pause_until(double time);
  /// Returns the time at which a request that was booked for `time` may begin.
  double earliest(double time) const;

 private:
  std::optional<double> requests_, tokens_;
  double next_request_ = 0, next_tokens_ = 0;  ///< when each limit allows the next request
  double paused_ = 0;
};

}  // namespace trl::runtime
