// The plan of an experiment: its stages with their inputs, in an order in which they can run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/contract/call.hpp"
#include "base/contract/declared_endpoint.hpp"
#include "interpreter/plan/cells.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "interpreter/stage/stage.hpp"

namespace trl::interpreter {

/// One turn of all episodes: the keys of the stages that sample and verify its answers.
struct Turn {
  std::string sample, verify;
};

/// One round of training: the keys of its stages. `purity`, the strict verification of the kept answers, is
/// empty unless a table needs it.
struct Round {
  int number = 0;
  std::string draw, sample, verify, select, purity, finetune;
  std::vector<Turn> later;  ///< the turns after the first; `sample` and `verify` are the first turn
};

/// The evaluation on development tasks after a round. Round 0 is the evaluation before the first round.
struct DevPoint {
  int round = 0;
  std::string sample, verify;
  std::vector<Turn> later = {};  ///< the turns after the first
};

/// One row's chain of stages under one seed.
struct Trace {
  std::uint64_t seed = 0;
  /// The keys of the stages of training (sample, verify, finetune, pretrain, …), whose seconds are the row's
  /// cost.
  std::vector<std::string> training;
  std::vector<Round> rounds;
  std::vector<DevPoint> dev;  ///< empty if the experiment has no `dev`
  std::string exam_sample, exam_verify;
  std::vector<Turn> exam_later;  ///< the exam's turns after the first
  /// The keys of all stages of the chain, by slot ("round 2/sample").
  std::map<std::string, std::string> slots;
};

struct Row {
  enum class Kind {
    cell,
    control,
    imported,  ///< results that were made elsewhere, which a table shows beside its own rows
    base
  };
  Kind kind = Kind::cell;
  std::string label;
  std::vector<std::string> extensions;        ///< names of the extensions under study that are on
  std::map<std::string, std::string> levels;  ///< for a cell: each factor's level
  std::vector<std::string> same_as;           ///< the labels of the other cells folded into this row
  /// The levels of the other cells folded into this row.
  std::vector<std::map<std::string, std::string>> folded;
  std::vector<Trace> traces;  ///< one chain for each seed
  std::string suite;  ///< for a row of a table: the only suite whose tasks count; empty if all suites count
  /// For a row of a table that counts only one suite or seed: the end of the row's label, such as " (level2)"
  /// or " (seed 1)".
  std::string part;
  std::string from = {};  ///< for an imported row: the path of its results as the .trl file names it
};

/// The name of a kind in files and on pages: "cell", "control", "imported" or "base".
const char* kind_name(Row::Kind kind);

struct Plan {
  std::string experiment;
  std::vector<Stage> stages;  ///< the stages without repetition; a stage comes after its inputs
  /// The folders of models from outside the store, by key.
  std::map<std::string, std::filesystem::path> models;
  /// Files and folders of data from outside the store, by key.
  std::map<std::string, std::filesystem::path> data;
  /// The server of each stage `ask`, by its key.
  std::map<std::string, contract::DeclaredEndpoint> endpoints;
  std::filesystem::path home;  ///< the folder that contains stdlib/ and verifier/kernelbench/
  std::vector<Row> rows;       ///< cells, controls, and last the baseline
  /// Rows of tables whose results were made elsewhere, by the text of the call that names the results
  /// (`imported_key`). They are part of no comparison.
  std::map<std::string, Row> imported;
  std::vector<Factor> factors;          ///< the varied factors
  int resolution = 0;                   ///< the resolution of a fractional design; 0 if all cells are planned
  std::vector<std::string> inert;       ///< extensions that have no effect on this machine
  std::vector<std::string> exam_tasks;  ///< the keys of the exam's tasks; empty without an exam
  std::vector<std::string> notes;       ///< remarks for the user
  /// The rules that the experiment allows to be broken, each with the reason.
  std::map<std::string, std::string> allowed;
  /// Pairs of a reason why the plan can't be run here, such as a missing model, and its remedy.
  std::vector<std::pair<std::string, std::string>> missing;
  int cells = 0;                         ///< the number of cells before equal cells were folded into one row
  std::vector<std::string> exam_suites;  ///< the suites of the exam's tasks, in their order
  bool times_kernels = false;            ///< whether kernel times are measured on a GPU instead of modelled
  const Stage* find(const std::string& key) const;
  /// The plan's rows, followed by the imported rows.
  std::vector<const Row*> all_rows() const;
  /// Throws UserError that lists all entries of `missing`, if there are any.
  void require_all() const;
};

struct PlanOptions {
  /// The folder that contains stdlib/, in which "windtunnel.base" is found.
  std::filesystem::path home;
  /// The folder of the .trl file, to which path("…") is relative.
  std::filesystem::path file_folder;
  /// The store in which digests of the model's files are cached, if it exists; empty for none.
  std::filesystem::path store;
  /// Whether kernels are timed on a GPU here. If not, times are modelled and calibrated_timing has no effect.
  bool times_kernels = false;
  /// Whether a table needs the strict verification of kept samples.
  bool purity = false;
  /// Finds a model's folder by its `weights`; throws UserError. If the function is empty, models are looked
  /// for on the disk, by the folders above.
  std::function<ModelFolder(const nlohmann::json& weights)> find_model = {};
};

/// Plans one experiment of a resolved document (docs/interfaces.md, section 2). Parts that can't be run here,
/// such as extensions that this version doesn't support, and missing models, are planned nevertheless and get
/// an entry in `missing`. Throws UserError if there is no such experiment, or if it can't be planned at all.
Plan make_plan(const nlohmann::json& document, const std::string& experiment, const PlanOptions& options);

/// The suffix of an imported row's label, which makes it different from the labels of all other rows.
inline constexpr const char* imported_mark = " (imported)";

/// The calls of `imported` among a table's `rows` in the document, in their order.
std::vector<contract::Call> imported_calls(const nlohmann::json& rows);
/// The text of a call of `imported`: the key of its row in `Plan::imported`.
std::string imported_key(const contract::Call& call);

/// The name of a chain of train declarations: "imitate -> reinforce".
std::string pipeline_label(const nlohmann::json& phases);

}  // namespace trl::interpreter
