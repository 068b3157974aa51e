// Builds the input of estimate/memory.hpp, which estimates the GPU memory of a stage of training.
#pragma once
#include "language/check/inspection.hpp"
#include "language/estimate/memory.hpp"

namespace trl::language {

/// Whether every field that `memory_question` reads for the stage is free of errors.
bool memory_known(const Inspection& inspection, const Inspection::Stage& stage);

/// The input of the memory estimate for a stage of training. The architecture of the experiment\'s model must
/// be known and complete.
MemoryQuestion memory_question(Inspection& inspection, const Inspection::Stage& stage);

}  // namespace trl::language
