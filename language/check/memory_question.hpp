// The memory of a GPU that a stage of an experiment needs, as a question to estimate/memory.hpp.
#pragma once
#include "language/check/inspection.hpp"
#include "language/estimate/memory.hpp"

namespace trl::language {

/// The question for one stage of training. The experiment's architecture must be known and complete.
/// Whether everything that the question is made of has a value.
bool memory_known(const Inspection& inspection, const Inspection::Stage& stage);

MemoryQuestion memory_question(Inspection& inspection, const Inspection::Stage& stage);

}  // namespace trl::language
