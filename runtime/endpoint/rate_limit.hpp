// How fast a server is asked: requests and tokens a minute, evenly spread.
#pragma once

#include <optional>

namespace trl::runtime {

/// Times are seconds of any clock that doesn't go back.
class RateLimit {
 public:
  RateLimit(std::optional<double> requests_per_minute, std::optional<double> tokens_per_minute)
      : requests_(requests_per_minute), tokens_(tokens_per_minute) {}

  /// Books a request that takes about `tokens`, and returns when it may begin: `now` or later.
  double book(double now, double tokens);
  /// Tells the tokens that a booked request really took.
  void settle(double booked, double taken);
  /// Nothing begins before that time: the server asked for a pause. The times of booked requests are
  /// asked for again (`earliest`).
  void pause_until(double time);
  /// The time at which a request that was booked for `time` may begin.
  double earliest(double time) const;

 private:
  std::optional<double> requests_, tokens_;
  double next_request_ = 0, next_tokens_ = 0;  ///< when each of the limits has room again
  double paused_ = 0;
};

}  // namespace trl::runtime
