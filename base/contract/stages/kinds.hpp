// Properties of stages that depend on the kind of the stage alone.
#pragma once

#include <string>

namespace trl::contract {

/// Whether an interrupted stage of this kind continues where it stopped: training continues from a
/// checkpoint, `ask` and `rollout` from the answers that have arrived.
bool keeps_checkpoints(const std::string& kind);

/// Whether several processes, each with a GPU of its own, can carry out a stage of this kind together: the
/// field `group` of its request. The result has the same bits whatever their number.
bool uses_group(const std::string& kind);

/// Whether stages of this kind sample answers from a model: from one here, or from one on a server.
bool samples_answers(const std::string& kind);

/// Whether stages of this kind write answers to candidates.jsonl.
bool gives_candidates(const std::string& kind);

}  // namespace trl::contract
