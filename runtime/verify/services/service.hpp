#pragma once
// Processes of our own that serve requests: what each of them is told and says.
#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "ground/child_process.hpp"

namespace trl::runtime {

/// Its first line, {"ready": true, …} or why it is not; null when there is none, or no object. Throws
/// Cancelled.
nlohmann::json first_words(ChildProcess& service, std::chrono::milliseconds time,
                           const std::function<bool()>& cancelled);

/// A request, an object's text that says something, with the id that its answer must have.
std::string with_id(std::int64_t id, const std::string& request);

/// A line that answers the request of that id; null when there is none, or it is anything else.
nlohmann::json answer_to(std::int64_t id, const std::optional<std::string>& line);

}  // namespace trl::runtime
