// What an experiment comes to: stages in an order in which they can run, and who needs which.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/cells.hpp"
#include "interpreter/stage/stage.hpp"

namespace trl::interpreter {

/// One round of best-of-N: keys of its stages. `purity`, the strict verification of what was kept, only where
/// a table asks for it.
struct Round {
  int number = 0;
  std::string draw, sample, verify, select, purity, finetune;
};

/// The chain of one row under one seed.
struct Trace {
  std::uint64_t seed = 0;
  /// What was trained: stages whose seconds are the row's cost (sample, verify, finetune, pretrain, …).
  std::vector<std::string> training;
  std::vector<Round> rounds;
  std::string exam_sample, exam_verify;
  /// Every stage of the chain, by slot ("round 2/sample").
  std::map<std::string, std::string> slots;
};

struct Row {
  enum class Kind { cell, control, base };
  Kind kind = Kind::cell;
  std::string label;
  std::vector<std::string> extensions;        ///< names of the extensions under study that are on
  std::map<std::string, std::string> levels;  ///< of a cell: each factor's level
  std::vector<std::string> same_as;           ///< labels of the cells folded into this one
  std::vector<std::map<std::string, std::string>> folded;  ///< their levels
  std::vector<Trace> traces;                               ///< one a seed
};

struct Plan {
  std::string experiment;
  std::vector<Stage> stages;                            ///< each key once; inputs before users
  std::map<std::string, std::filesystem::path> models;  ///< model folders from outside, by key
  std::vector<Row> rows;                                ///< cells, controls, and last the model as it came
  std::vector<Factor> factors;                          ///< what is varied
  int resolution = 0;                                   ///< of a fraction of the cells, else 0
  std::vector<std::string> inert;                       ///< those that can't act on this machine
  std::vector<std::string> notes;                       ///< remarks for people
  /// What can be planned, but not run here: a model that isn't on the machine, a trainer that this version
  /// lacks. What it is, and how to mend it.
  std::vector<std::pair<std::string, std::string>> missing;
  int cells = 0;               ///< before folding
  bool times_kernels = false;  ///< measured on a GPU, not modelled
  const Stage* find(const std::string& key) const;
  /// Throws UserError when something is missing, all of it.
  void require_all() const;
};

struct PlanOptions {
  /// Where "windtunnel.base" is found: the folder that holds stdlib/.
  std::filesystem::path home;
  /// Folder of the .trl file, for path("…").
  std::filesystem::path file_folder;
  /// Where digests of the model's files are remembered, if such a store exists; nowhere when empty.
  std::filesystem::path store;
  /// Whether kernels are timed on a GPU here. If not, times are modelled and calibrated_timing is inert.
  bool times_kernels = false;
  /// Whether a table asks for the strict verification of kept samples.
  bool purity = false;
};

/// Plans one experiment of a resolved document (docs/seams.md, 2). What this version doesn't carry out, and
/// models that are missing or broken, are stages all the same, with an entry in `missing`. Throws UserError
/// where there is no such experiment, or where it can't have stages at all.
Plan make_plan(const nlohmann::json& document, const std::string& experiment, const PlanOptions& options);

/// "imitate -> reinforce": what a chain of train declarations is called.
std::string pipeline_label(const nlohmann::json& phases);

}  // namespace trl::interpreter
