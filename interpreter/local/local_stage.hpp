// Stages that trl runs itself, without a worker. The result of a stage only depends on its spec and its input
// files.
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
  std::filesystem::path output;  ///< an empty folder for the results
  /// The paths of inputs from outside the store, by name.
  std::map<std::string, std::filesystem::path> outside = {};
  std::filesystem::path home = {};     ///< the folder that holds verifier/kernelbench/
  std::function<bool()> stopped = {};  ///< whether the user has asked to stop
};

/// The stage `tasks`: writes tasks.json with the tasks that the spec lists in its field `tasks`.
nlohmann::json run_tasks(const LocalStage& stage);

/// The stage `draw`, which samples the tasks of a training round: writes tasks.json.
///
/// Spec: seed, round, count, pool [task…], and at most one of these fields:
///   share  [[group, formula | "rest"]…]: the share of `count` that each group gets. The function
///          `accuracy(group)` in formulas is computed from the inputs.
///   each   [group…]: `count` tasks of each of these groups.
/// Without these fields, groups get shares in proportion to their size in the pool.
///
/// Inputs, if the spec has `share`: `verdicts` and `tasks` of the last round, and `previous`, the draw stage
/// of the last round, for the accuracy of groups that had no candidate in the last round.
///
/// The order of tasks within a group depends only on seed, group and round. Experiment cells that sample
/// different numbers of tasks of a group therefore begin with the same tasks.
nlohmann::json run_draw(const LocalStage& stage);

/// The stage `select`: writes samples.jsonl (the samples to train on), candidates.jsonl (the same
/// candidates as they were sampled) and rewards.jsonl (the rewards of all candidates).
///
/// Main fields of the spec: seed, round, keep, keep_by "reward" | "random", min_reward, reward (formula),
/// plan_reward (formula, for plan tokens), failing {stage: credit} | null. Inputs: candidates, verdicts,
/// tasks.
///
/// If `keep_by` is "reward", the best `keep` candidates of each task are kept whose rewards exceed
/// min_reward; of equal rewards, the lower sample number is better. If it is "random", `keep` candidates of
/// each task are kept regardless of their rewards.
nlohmann::json run_select(const LocalStage& stage);

/// The stage `pairs`: writes pairs.jsonl and pairs.json, by verifier/kernelbench/make_pairs.py, from the rows
/// in its outside input `rows`.
///
/// Spec: licenses, near, malformed, seed, excluded. Throws UserError if rows can't be read, and if the user
/// has asked to stop.
nlohmann::json run_pairs(const LocalStage& stage);

/// The stage `generations`: writes candidates.jsonl from the answers in its outside input `folder`, which has
/// the layout of a KernelBench run. A missing answer becomes an empty answer.
///
/// Spec: samples. Inputs: tasks. Throws UserError if a task isn't a task of KernelBench, and if a file can't
/// be read.
nlohmann::json run_generations(const LocalStage& stage);

/// The stage `imported`: writes candidates.jsonl and verdicts.jsonl from the results of a KernelBench run in
/// its outside input `results`. The references' times are in the outside inputs `baseline` and
/// `compiled_baseline`. Results hold no texts, so the candidates' answers are empty. A task of a level of
/// which the run has results gets as many verdicts as the task with the most results; each result that is
/// missing counts as a wrong answer.
///
/// Spec: level. Inputs: tasks. Throws UserError as `read_results` does.
nlohmann::json run_imported(const LocalStage& stage);

nlohmann::json run_local(const std::string& kind, const LocalStage& stage);

}  // namespace trl::interpreter
