// When a request that failed is sent again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trl::runtime {

/// Whether the same request may be answered later: the server is busy, starts, or was in trouble.
bool is_transient(int status);

/// Seconds to wait after a number of failed attempts, from 1: between half and all of 1, 2, 4, … 60 s, so
/// that requests that failed together aren't sent together again. `draw` is uniform in [0, 1).
double backoff(std::int64_t attempts, double draw);

/// The longest that a server is waited for at a time, in seconds.
constexpr double longest_wait = 600;

/// The seconds that a `Retry-After` asks for: a number, or a date in one of HTTP's three forms, from which
/// `now` (seconds since 1970) is subtracted. Never negative; nothing where the text is neither.
std::optional<double> retry_after(std::string_view text, std::int64_t now);

}  // namespace trl::runtime
