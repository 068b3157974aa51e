#include "runtime/endpoint/rate_limit.hpp"

#include <algorithm>

namespace trl::runtime {

double RateLimit::book(double now, double tokens) {
  const double begin = std::max({now, paused_, next_request_, next_tokens_});
  if (requests_) next_request_ = begin + 60 / *requests_;
  if (tokens_) next_tokens_ = begin + 60 * tokens / *tokens_;
  return begin;
}

void RateLimit::settle(double booked, double taken) {
  if (tokens_) next_tokens_ += 60 * (taken - booked) / *tokens_;
}

void RateLimit::pause_until(double time) { paused_ = std::max(paused_, time); }

double RateLimit::earliest(double time) const { return std::max(time, paused_); }

}  // namespace trl::runtime
