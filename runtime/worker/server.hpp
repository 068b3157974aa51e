// Answers requests of the protocol (docs/interfaces.md, 3), one stage at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/stage/stage.hpp"

namespace trl::runtime {

/// Finds a stage's function by name; null when there is none.
using StageFinder = StageFunction (*)(const std::string& name);

/// Serves until {"shutdown": true}, the end of the file, SIGTERM or SIGINT; returns the exit status. A stage
/// that is running then is cancelled; if it hasn't stopped after two seconds, it is not waited for.
int serve(int descriptor, StageFinder find);

/// Runs one request and writes its events to `descriptor`. Returns 0 when the last event is `done`, else 1.
int run_once(const nlohmann::json& request, int descriptor, StageFinder find);

}  // namespace trl::runtime
