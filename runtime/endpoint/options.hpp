// The settings with which a stage sends requests to the server that the stage's own request names.
#pragma once

#include "base/stage/stage.hpp"
#include "runtime/endpoint/asker.hpp"

namespace trl::runtime {

/// Returns a function that says whether the user has asked to stop the stage.
StopRequested stop_of(Stage& stage);

/// Returns the settings for the stage's `endpoint`, with the API key from the environment. The stage must
/// outlive them. Throws UserError if the address can't be read, or if the environment variable for the key
/// isn't set.
AskOptions ask_options(Stage& stage);

/// Returns a transport for another call of the same server. `path` is the whole path: it isn't appended to
/// the path of the address. `seconds` limits the time of one request.
MakeTransport transport_for(const AskOptions& options, const std::string& path, double seconds,
                            StopRequested stop);

}  // namespace trl::runtime
