// Answers requests of the protocol (docs/interfaces.md, 3), one stage at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/stage/stage.hpp"

namespace trl::runtime {

/// Returns the function of the stage with this name; null if there is no such stage.
using StageFinder = StageFunction (*)(const std::string& name);

/// Serves until {"shutdown": true}, the end of the file, SIGTERM or SIGINT; returns the exit status. Cancels
/// a stage that is still running, and waits at most two seconds for the stage to stop.
int serve(int descriptor, StageFinder find);

/// Runs one request and writes its events to `descriptor`. Returns 0 when the last event is `done`, else 1.
int run_once(const nlohmann::json& request, int descriptor, StageFinder find);

}  // namespace trl::runtime
