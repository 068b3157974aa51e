// The worker's stages. Each is defined in the folder that it belongs to, and takes a line in stages.def.
#pragma once

#include <string>

#include "base/stage/stage.hpp"

namespace trl::runtime {

#define TRL_STAGE(name, function) nlohmann::json function(Stage&);
#include "runtime/worker/stages.def"
#undef TRL_STAGE
// run_any_corpus takes one of these, by its spec.
nlohmann::json run_corpus(Stage&);
nlohmann::json run_pairs_corpus(Stage&);

/// The function of the stage with this name in the protocol; null when there is none.
StageFunction find_stage(const std::string& name);

}  // namespace trl::runtime
