// The settings with which a stage asks the server that its request names.
#pragma once

#include "base/stage/stage.hpp"
#include "runtime/endpoint/asker.hpp"

namespace trl::runtime {

/// Whether the user has asked to stop the stage.
StopRequested stop_of(Stage& stage);

/// Returns the settings for the stage's `endpoint`, with the key from the environment. The stage must outlive
/// them. Throws UserError where the address can't be read, or the key's variable isn't set.
AskOptions ask_options(Stage& stage);

/// Returns a transport for another call of the same server, with the path `path`, in which nothing is
/// appended to the address's own. `seconds` limits one request.
MakeTransport transport_for(const AskOptions& options, const std::string& path, double seconds,
                            StopRequested stop);

}  // namespace trl::runtime
