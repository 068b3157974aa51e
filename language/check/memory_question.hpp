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

/// The input of the estimate for sampling an exam's answers, two at a time; nothing where a field has an
/// error.
std::optional<MemoryQuestion> exam_question(Inspection& inspection, const Resolved& exam);

/// The least GPU memory with which an experiment can run on one GPU: the need of the stage or exam that needs
/// most.
struct LeastNeed {
  const Resolved* of = nullptr;  ///< the way to train or the evaluation
  bool training = false;         ///< whether it is needed for training; else for sampling
  double tokens = 0;             ///< length of the sequence that needs the memory; 0 if not declared
  LeastMemory memory;
};

/// Returns the largest need if the model is stored as `quantize` says. Nothing if a field that the estimate
/// reads has an error, or if nothing is trained or sampled on this machine. The architecture of the
/// experiment's model must be complete.
std::optional<LeastNeed> least_need(Inspection& inspection, const std::string& quantize);

/// Returns the values of `quantize` that need less memory than the declared one, each with its need in bytes.
/// Nothing if the whole model is trained.
std::vector<std::pair<std::string, double>> smaller_storages(Inspection& inspection);

/// The declared `quantize` of the experiment's model.
std::string declared_storage(const Inspection& inspection);

}  // namespace trl::language
