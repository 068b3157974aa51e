// Decides whether and when a failed request is sent again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trl::runtime {

/// Whether a reply with this HTTP status is a temporary error (the server is busy, starting or failing), so
/// that the same request may succeed later.
bool is_transient(int status);

/// Returns the seconds to wait after `attempts` ≥ 1 failed attempts: between half and all of 1, 2, 4, … 60 s.
/// `draw`, a random number in [0, 1), decides, so that requests that failed together aren't sent together
/// again.
double backoff(std::int64_t attempts, double draw);

/// The longest wait for a server between two attempts, in seconds.
constexpr double longest_wait = 600;

/// Returns the seconds to wait by the HTTP header `Retry-After`. The header is a number, or a date in one of
/// HTTP's three forms, from which `now` (seconds since 1970) is subtracted. Never negative; nothing if the
/// text is neither.
std::optional<double> retry_after(std::string_view text, std::int64_t now);

}  // namespace trl::runtime
