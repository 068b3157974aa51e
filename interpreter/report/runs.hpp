// The training runs behind a plan's rows. Runs are compared by the models that they made, not by their keys:
// a setting that never had an effect changes the key but not the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/statistics/runs.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Whether the store has the exam of a row under every seed.
bool examined(const Row& row, const Store& store);

/// Returns the chain of runs behind each of these rows of the plan, as numbers: one for each training stage,
/// then one for the exam. With several seeds, training stages have the same number if they made the same
/// weights under all seeds. With a single seed they must have the same key, since equal weights could be
/// chance. Exams have the same number if their answers are equal; rows with this number in common are one
/// run. A stage without a result is numbered by its key.
statistics::SharedRuns runs_of_rows(const Plan& plan, const std::vector<std::size_t>& rows,
                                    const Store& store);

/// Returns the seeds of a row under which the exam's answers are the same as under an earlier seed, for
/// instance because a server samples without randomness. They don't count as separate runs.
std::set<std::uint64_t> repeated_seeds(const Row& row, const Store& store);

/// Returns sentences about runs that don't count as separate runs. There is one for each cell or control
/// whose answers repeat under several seeds, and one for each group of rows with the same answers whose last
/// training could hardly change a weight: the sum of the learning rates of its steps is less than a tenth of
/// the largest such sum in the study. (A step of AdamW moves a weight by about the learning rate: Kingma and
/// Ba 2015.)
std::vector<std::string> run_sentences(const Plan& plan, const Store& store);

}  // namespace trl::interpreter
