// What an experiment's stage asks of a GPU's memory.
#pragma once
#include "language/check/inspection.hpp"
#include "language/estimate/memory.hpp"

namespace trl::language {

/// Of one stage of training. The experiment's architecture must be known and complete.
MemoryQuestion memory_question(Inspection& inspection, const Inspection::Stage& stage);

}  // namespace trl::language
