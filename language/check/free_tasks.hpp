// Finds tasks for `dev`, the evaluation during training, that neither the exam nor pretraining contains.
#pragma once
#include "language/check/inspection.hpp"

namespace trl::language {

/// The tasks of an exam that the model's pretraining has seen, by the manifest of its weights.
struct SeenTasks {
  std::string manifest;  ///< the manifest's path; empty if the weights have none
  const SeenKeys* keys = nullptr;
};
SeenTasks seen_tasks(Inspection& inspection, const std::vector<const SuiteTask*>& tasks);

/// Returns advice on the tasks that `dev` may have instead of tasks of the exam or of training. These are
/// tasks of the exam's suites that the exam, training and pretraining lack; if training has all of those,
/// tasks that could be taken out of training. Empty if there are no such tasks, or if the program's file has
/// no name for their suite.
std::string advice_for_dev(Inspection& inspection, const Resolved& exam);

/// Tasks of the exam's suites that neither training by rewards nor pretraining has, as the program's file
/// writes them: `windtunnel.level1[41..60]`. Empty if there are too few.
std::string tasks_for_exam(Inspection& inspection, const Resolved& exam);

}  // namespace trl::language
