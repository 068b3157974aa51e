// What is known of a stage by its kind alone.
#pragma once

#include <string>

namespace trl::contract {

/// Whether stages of this kind go on after an interruption: those that train from a checkpoint, and those
/// that ask a server from the answers that they have.
bool keeps_checkpoints(const std::string& kind);

/// Whether the stages of a kind leave answers in candidates.jsonl.
bool gives_candidates(const std::string& kind);

}  // namespace trl::contract
