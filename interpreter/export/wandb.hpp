#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/report/series.hpp"

namespace trl::interpreter {

/// How Weights & Biases shows a run.
struct WandbRun {
  std::string id;       ///< eight letters and digits
  std::string project;  ///< the experiment
  std::string name;     ///< "inputs, seed 2"
  std::string group;    ///< the row
  std::vector<std::string> tags;
  nlohmann::json config = nlohmann::json::object();
};

/// The numbers of one row under one seed as the file of an offline run, which `wandb sync` uploads: messages
/// Record in a log of LevelDB's form (wandb/proto/wandb_internal.proto; read back with wandb 0.31.0). Each
/// stage has its own step, such as `reinforce/finetune/step`, by which W&B can draw it; W&B's counts lines.
std::string wandb_log(const WandbRun& run, const std::vector<Measured>& numbers);

/// The folder of an offline run, as wandb calls it: "offline-run-20250131_120000-1a2b3c4d".
std::string wandb_folder(const WandbRun& run, const std::vector<Measured>& numbers);

}  // namespace trl::interpreter
