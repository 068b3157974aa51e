#pragma once
// Common code for starting the project's own service processes and for exchanging messages with them.
#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/support/child_process.hpp"

namespace trl::runtime {

/// Reads its first line, {"ready": true, …} or why it is not ready; null when there is none, or it is no
/// object. Throws Cancelled.
nlohmann::json first_words(ChildProcess& service, std::chrono::milliseconds time,
                           const std::function<bool()>& cancelled);

/// Adds to a request, the text of a non-empty object, the id that its answer must have.
std::string with_id(std::int64_t id, const std::string& request);

/// Parses a line that answers the request with this id; null when there is no line, or it is anything else.
nlohmann::json answer_to(std::int64_t id, const std::optional<std::string>& line);

}  // namespace trl::runtime
