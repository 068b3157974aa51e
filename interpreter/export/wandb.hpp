#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/report/series.hpp"

namespace trl::interpreter {

/// The properties of a run in Weights & Biases (W&B).
struct WandbRun {
  std::string id;       ///< the run's ID: eight letters and digits
  std::string project;  ///< the name of the experiment
  std::string name;     ///< the run's name, such as "inputs, seed 2"
  std::string group;    ///< the label of the row
  std::vector<std::string> tags;
  nlohmann::json config = nlohmann::json::object();
};

/// The numbers of one row under one seed as the file of an offline run, which `wandb sync` uploads. The file
/// is a log in LevelDB's format of Record messages (wandb/proto/wandb_internal.proto; tested with wandb
/// 0.31.0). Each stage has its own step metric, such as `reinforce/finetune/step`, which W&B can use as the x
/// axis; W&B's default step only counts the lines of the log. The run's configuration has the title and the
/// definition of each series under `series`.
std::string wandb_log(const WandbRun& run, const std::vector<Measured>& numbers);

/// The folder name of an offline run in wandb's format: "offline-run-20250131_120000-1a2b3c4d".
std::string wandb_folder(const WandbRun& run, const std::vector<Measured>& numbers);

}  // namespace trl::interpreter
