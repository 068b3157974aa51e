// The plan of an experiment: its stages in an order in which they can run, and their inputs.
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

/// The answers of one turn of episodes and their verdicts, as keys of stages.
struct Turn {
  std::string sample, verify;
};

/// One round of best-of-N, as keys of its stages. `purity`, the strict verification of the kept samples, only
/// exists if a table needs it.
struct Round {
  int number = 0;
  std::string draw, sample, verify, select, purity, finetune;
  std::vector<Turn> later;  ///< the turns after the first, which `sample` and `verify` are
};

/// The evaluation on tasks for development after a round; round 0 is before the first.
struct DevPoint {
  int round = 0;
  std::string sample, verify;
  std::vector<Turn> later = {};  ///< the turns after the first
};

/// One row's chain of stages under one seed.
struct Trace {
  std::uint64_t seed = 0;
  /// The stages of training, whose seconds are the row's cost (sample, verify, finetune, pretrain, …).
  std::vector<std::string> training;
  std::vector<Round> rounds;
  std::vector<DevPoint> dev;  ///< none if the experiment has no `dev`
  std::string exam_sample, exam_verify;
  std::vector<Turn> exam_later;  ///< the exam's turns after the first
  /// The keys of all stages of the chain, by slot ("round 2/sample").
  std::map<std::string, std::string> slots;
};

struct Row {
  enum class Kind {
    cell,
    control,
    imported,  ///< results that were made elsewhere, which a table shows beside its own
    base
  };
  Kind kind = Kind::cell;
  std::string label;
  std::vector<std::string> extensions;        ///< names of the extensions under study that are on
  std::map<std::string, std::string> levels;  ///< for a cell: each factor's level
  std::vector<std::string> same_as;           ///< labels of the cells folded into this row
  std::vector<std::map<std::string, std::string>> folded;  ///< the levels of those cells
  std::vector<Trace> traces;                               ///< one for each seed
  std::string suite;  ///< for a row of a table: it counts this suite's tasks alone; empty for all
  /// For a row of a table that counts one suite or seed alone, the end of its label: " (level2)", " (seed
  /// 1)".
  std::string part;
  std::string from = {};  ///< of an imported row: where its results are, as the .trl file names it
};

/// "cell", "control", "imported" or "base", as files and pages say it.
const char* kind_name(Row::Kind kind);

struct Plan {
  std::string experiment;
  std::vector<Stage> stages;  ///< each key once; inputs come before the stages that use them
  std::map<std::string, std::filesystem::path> models;  ///< model folders from outside, by key
  std::map<std::string, std::filesystem::path> data;    ///< files and folders of rows likewise
  std::map<std::string, contract::DeclaredEndpoint>
      endpoints;               ///< the server of each stage `ask`, by its key
  std::filesystem::path home;  ///< the folder that contains stdlib/ and verifier/kernelbench/
  std::vector<Row> rows;       ///< cells, controls, and last the baseline
  /// Rows of tables whose results were made elsewhere, by the text of the call that names them
  /// (`imported_calls`). They are part of no comparison.
  std::map<std::string, Row> imported;
  std::vector<Factor> factors;                 ///< the varied factors
  int resolution = 0;                          ///< for a fraction of the cells, else 0
  std::vector<std::string> inert;              ///< extensions that have no effect on this machine
  std::vector<std::string> exam_tasks;         ///< their keys; none without an exam
  std::vector<std::string> notes;              ///< remarks for people
  std::map<std::string, std::string> allowed;  ///< rules that the experiment allows, with reasons
  /// What can be planned but not run here (a model that is missing on the machine), and how to correct that.
  std::vector<std::pair<std::string, std::string>> missing;
  int cells = 0;                         ///< before folding
  std::vector<std::string> exam_suites;  ///< of the exam's tasks, in their order
  bool times_kernels = false;            ///< whether kernel times are measured on a GPU instead of modelled
  const Stage* find(const std::string& key) const;
  /// Its rows, then the imported rows.
  std::vector<const Row*> all_rows() const;
  /// Throws UserError with everything that is missing, if anything is.
  void require_all() const;
};

struct PlanOptions {
  /// The folder that contains stdlib/, in which "windtunnel.base" is found.
  std::filesystem::path home;
  /// The folder of the .trl file, for path("…").
  std::filesystem::path file_folder;
  /// The store in which digests of the model's files are cached, if it exists; empty for none.
  std::filesystem::path store;
  /// Whether kernels are timed on a GPU here. If not, times are modelled and calibrated_timing has no effect.
  bool times_kernels = false;
  /// Whether a table needs the strict verification of kept samples.
  bool purity = false;
  /// Finds a model by its `weights`, where not on the disk by the folders above. Throws UserError.
  std::function<ModelFolder(const nlohmann::json& weights)> find_model = {};
};

/// Plans one experiment of a resolved document (docs/interfaces.md, section 2). Ways of training that this
/// version can't run, and models that are missing or broken, also become stages, with an entry in `missing`.
/// Throws UserError if there is no such experiment, or if it can't have stages at all.
Plan make_plan(const nlohmann::json& document, const std::string& experiment, const PlanOptions& options);

/// The mark behind the name of an imported row, by which it differs from the names of all other rows.
inline constexpr const char* imported_mark = " (imported)";

/// The calls of `imported` among a table's `rows` in the document, in their order.
std::vector<contract::Call> imported_calls(const nlohmann::json& rows);
/// The text of such a call, by which the plan has its row.
std::string imported_key(const contract::Call& call);

/// The name of a chain of train declarations: "imitate -> reinforce".
std::string pipeline_label(const nlohmann::json& phases);

}  // namespace trl::interpreter
