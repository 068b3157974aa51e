#pragma once
// Common code for exchanging JSON messages with the project's service processes.
#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/support/child_process.hpp"

namespace trl::runtime {

/// Reads the first line that a service prints: {"ready": true, …}, or an object with the reason why it isn't
/// ready. Returns null if the service has computed or slept for `time` before, or the line isn't a JSON
/// object. Throws Cancelled.
nlohmann::json first_words(ChildProcess& service, std::chrono::milliseconds time,
                           const std::function<bool()>& cancelled);

/// Inserts an id into a request, the text of a non-empty JSON object. The answer must have the same id.
std::string with_id(std::int64_t id, const std::string& request);

/// Parses the line that answers the request with this id. Returns null if there is no line or it isn't such
/// an answer.
nlohmann::json answer_to(std::int64_t id, const std::optional<std::string>& line);

}  // namespace trl::runtime
