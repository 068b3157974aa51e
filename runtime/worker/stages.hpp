// The worker's stages. Each stage is defined in the folder of its subject, and listed in stages.def.
#pragma once

#include <string>

#include "base/stage/stage.hpp"

namespace trl::runtime {

#define TRL_STAGE(name, function) nlohmann::json function(Stage&);
#include "runtime/worker/stages.def"
#undef TRL_STAGE
// run_any_corpus calls run_corpus or run_pairs_corpus, depending on the stage's spec.
nlohmann::json run_corpus(Stage&);
nlohmann::json run_pairs_corpus(Stage&);
// run_any_generate calls run_asked_generate if the request names a server, otherwise run_generate.
nlohmann::json run_generate(Stage&);
nlohmann::json run_asked_generate(Stage&);

/// Returns the function of the stage with this name in the protocol; null if there is no such stage.
StageFunction find_stage(const std::string& name);

}  // namespace trl::runtime
