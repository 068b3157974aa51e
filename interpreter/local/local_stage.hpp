// The stages that trl carries out itself. Each is deterministic in its spec and its input files.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/store/result.hpp"

namespace trl::interpreter {

struct LocalStage {
  nlohmann::json spec;
  std::map<std::string, Result> inputs;
  std::filesystem::path output;  ///< an empty folder
};

/// Writes tasks.json: the spec's own `tasks`.
nlohmann::json run_tasks(const LocalStage& stage);

/// Writes tasks.json: which tasks a round works on.
///
/// spec: seed, round, count, pool [task…], and one of
///   share  [[group, formula | number | "rest"]…]: shares of `count`; `accuracy(group)` comes from the inputs
///   each   [group…]: `count` of each of these groups
///   neither: in proportion to the pool.
/// inputs with `share`: `verdicts` and `tasks` of the last round, and `previous`, the draw before, for groups
/// that had no candidate then. The order within a group depends on seed, group and round alone, so that cells
/// that draw different numbers draw the same tasks first.
nlohmann::json run_draw(const LocalStage& stage);

/// Writes samples.jsonl (what is trained on), candidates.jsonl (the same rows as they were sampled) and
/// rewards.jsonl.
///
/// spec: seed, round, keep, keep_by "reward" | "random", min_reward, reward (formula), failing {stage:
/// credit} | null. inputs: candidates, verdicts, tasks. Kept are the best `keep` of each task whose reward
/// exceeds min_reward, ties by sample number; `random` keeps `keep` of each task whatever their rewards.
nlohmann::json run_select(const LocalStage& stage);

nlohmann::json run_local(const std::string& kind, const LocalStage& stage);

}  // namespace trl::interpreter
