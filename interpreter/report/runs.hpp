// The training runs behind a plan's rows, told apart by their models and not by their keys: a setting that
// never acted gives another key and the same model.
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

/// Returns the chain of runs behind each of these rows of the plan, as numbers: its training stages, each
/// numbered by the digests of the weights that it gave under all seeds (under a single seed by its key, since
/// equal weights may then be chance), and last its exam, numbered by the digests of the answers. A stage
/// without a result is numbered by its key. Rows whose last numbers are equal gave the same answers under
/// every seed: they are one run.
statistics::SharedRuns runs_of_rows(const Plan& plan, const std::vector<std::size_t>& rows,
                                    const Store& store);

/// Returns the seeds of a row under which the exam's answers are the same as under an earlier seed, as from a
/// server that doesn't draw. They don't count as separate runs.
std::set<std::uint64_t> repeated_seeds(const Row& row, const Store& store);

/// Returns sentences about runs that don't count as separate runs: one for each cell or control whose answers
/// repeat under seeds, and one for rows that gave the same answers after training that could hardly move a
/// weight: the sum of its steps' learning rates is less than a tenth of the sum of the study's largest
/// training. A step of AdamW moves a weight by about the learning rate (Kingma and Ba 2015).
std::vector<std::string> run_sentences(const Plan& plan, const Store& store);

}  // namespace trl::interpreter
