// Stages that trl carries out itself. The result of each is determined by its spec and its input files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/store/result.hpp"

namespace trl::interpreter {

struct LocalStage {
  nlohmann::json spec;
  std::map<std::string, Result> inputs;
  std::filesystem::path output;                               ///< an empty folder for the results
  std::map<std::string, std::filesystem::path> outside = {};  ///< inputs that no stage made, by name
  std::filesystem::path home = {};                            ///< the folder that holds verifier/kernelbench/
  std::function<bool()> stopped = {};                         ///< whether the user has asked to stop
};

/// Writes tasks.json, the spec's own `tasks`.
nlohmann::json run_tasks(const LocalStage& stage);

/// Task sampling: writes tasks.json, the tasks of a round.
///
/// spec: seed, round, count, pool [task…], and one of
///   share  [[group, formula | "rest"]…]: shares of `count`; `accuracy(group)` comes from the inputs
///   each   [group…]: `count` of each of these groups
///   neither: in proportion to the pool.
/// inputs with `share`: `verdicts` and `tasks` of the last round, and `previous`, the draw stage before it,
/// for groups that had no candidate in the last round. The order within a group depends only on seed, group
/// and round, so that cells which sample different numbers of tasks sample the same tasks first.
/// that draw different numbers draw the same tasks first.
nlohmann::json run_draw(const LocalStage& stage);

/// Writes samples.jsonl (the samples to train on), candidates.jsonl (the same rows as they were sampled) and
/// rewards.jsonl.
///
/// spec: seed, round, keep, keep_by "reward" | "random", min_reward, reward (formula), plan_reward (formula,
/// of plan tokens), failing {stage: credit} | null. inputs: candidates, verdicts, tasks. Of each task the
/// best `keep` candidates whose rewards exceed min_reward are kept, ties by sample number. `random` keeps
/// `keep` of each task without regard to their rewards.
nlohmann::json run_select(const LocalStage& stage);

/// Writes pairs.jsonl and pairs.json, by verifier/kernelbench/make_pairs.py, of the rows at its outside input
/// `rows`.
///
/// spec: licenses, near, malformed, seed, excluded. Throws UserError where rows can't be read, and where it
/// was stopped.
nlohmann::json run_pairs(const LocalStage& stage);

/// Writes candidates.jsonl, of the files at its outside input `folder`, which has the layout of KernelBench's
/// runs. An answer that isn't there is empty.
///
/// spec: samples. inputs: tasks. Throws UserError where a task is none of KernelBench, and where a file can't
/// be read.
nlohmann::json run_generations(const LocalStage& stage);

/// Writes candidates.jsonl and verdicts.jsonl, of the results of a run of KernelBench at its outside input
/// `results`, with references' times at `baseline` and `compiled_baseline`. The answers themselves are empty.
/// A task of the run's levels of which it says nothing counts as if all answers to it were wrong.
///
/// spec: level. inputs: tasks. Throws UserError as `read_results` does.
nlohmann::json run_imported(const LocalStage& stage);

nlohmann::json run_local(const std::string& kind, const LocalStage& stage);

}  // namespace trl::interpreter
