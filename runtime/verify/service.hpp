#pragma once
// Processes of our own that serve requests: how each of them starts.
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/verify/child_process.hpp"

namespace trl::runtime {

/// Starts a program of the installation. Throws StageError when it cannot be started.
ChildProcess start_service(const std::vector<std::string>& command);

/// Its first line, {"ready": true, …} or why it is not; null when there is none, or no object. Throws
/// Cancelled.
nlohmann::json first_words(ChildProcess& service, std::chrono::milliseconds time,
                           const std::function<bool()>& cancelled);

}  // namespace trl::runtime
