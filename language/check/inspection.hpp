// The input of the rules that check experiments: one resolved experiment, and functions that report findings.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/columns.hpp"
#include "base/contract/verdict.hpp"
#include "base/formulas/interval.hpp"
#include "base/support/module_patterns.hpp"
#include "language/check/pretraining.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/elaboration/designs.hpp"
#include "language/elaboration/value.hpp"
#include "language/estimate/architecture.hpp"
#include "language/modules/options.hpp"

namespace trl::language {

/// Pairs of a declaration and an `allow` that silenced a finding about the declaration. The `allow` is
/// written in the declaration or in one of its bases.
using AllowsInUse = std::set<std::pair<const ast::Declaration*, const ast::Allow*>>;

struct RewardFacts;

/// Results that rules have computed during one check. They are kept because rules need the same results again
/// for each cell of a design.
struct Answers {
  /// Assessments of tasks. The key is a task and the precision under which it was assessed.
  std::map<std::pair<const SuiteTask*, std::string>, Assessment> assessments;
  /// Results of `seen_keys`. The key is the path of a manifest and the tasks of an exam.
  std::map<std::pair<std::string, std::vector<const SuiteTask*>>, SeenKeys> seen;
};

class Inspection {
 public:
  /// One stage of training that the experiment runs, and the extensions that can be on in it.
  struct Stage {
    const Resolved* train = nullptr;
    bool control = false;
    std::vector<const Resolved*> extensions;  ///< empty for controls
  };

  const Resolved& experiment;
  const Schema& schema;
  const std::map<std::string, std::vector<SuiteTask>>& suites;
  const CheckOptions& options;
  /// The folder of the program's file. Relative paths in the file start in this folder.
  const std::string folder;
  Answers& answers;
  /// The prefix of names from each file of the program: "" for the program's own file, "windtunnel." for an
  /// imported file.
  std::map<FileId, std::string> prefixes;
  /// `names`: the names that the program's file declares. `declared_evaluations`: its evaluations, whether an
  /// experiment uses them or not.
  const std::set<std::string>* names = nullptr;
  const std::vector<std::shared_ptr<const Resolved>>* declared_evaluations = nullptr;
  /// The library's example.trl, if the program imports it. Its exam has only two tasks, so that examples are
  /// short; the rule underpowered doesn't report it as too small.
  std::optional<FileId> example_file;
  /// The program's hypotheses, tables and plots whose field `of` names this experiment.
  std::vector<const Resolved*> hypotheses, tables, plots;
  /// Whether `hypotheses`, `tables` and `plots` are complete. They may lack elements if the field `of` of a
  /// declaration has an error or a part of the file could not be parsed.
  bool claims_known = true;
  /// The design that the experiment's field `vary` describes; null if `vary` has an error.
  const Design* design = nullptr;
  /// The experiment under the settings of each cell, in the order of `design->cells`; null for a cell that
  /// could not be resolved. Extensions are not part of the settings. Empty while a single cell is inspected.
  std::vector<const Resolved*> cells;

  Inspection(const Resolved& e, const Schema& s,
             const std::map<std::string, std::vector<SuiteTask>>& all_suites, const CheckOptions& o,
             std::string program_folder, Answers& so_far);

  /// The stages in the experiment's fields `train` and `controls`. A declaration that is in both fields gives
  /// two stages.
  const std::vector<Stage>& stages() const { return stages_; }
  /// Removes the controls from `stages`, for cells of a design: controls run without the settings of a cell.
  void leave_out_controls();
  /// The extensions that are on in every cell of the design, and the extensions that the design turns on and
  /// off.
  const std::vector<const Resolved*>& extensions() const { return extensions_; }
  /// A column of a table, or the metric of a hypothesis.
  struct Measure {
    const Resolved* claim;
    const Value* column;
  };
  /// The measures of all tables, then the measures of all hypotheses.
  std::vector<Measure> measures() const;
  const Resolved* evaluation() const;
  /// The evaluation that runs after each round of training; null if the experiment has none.
  const Resolved* dev() const;
  /// The experiment's evaluation and its `dev`, without those that it lacks.
  std::vector<const Resolved*> evaluations() const;
  const Resolved* model() const;
  const Resolved* adapter() const;
  /// The machine on which the experiment is meant to run; null if the experiment names none.
  const Resolved* machine() const;
  /// The sizes of the model's layers; nothing if they are unknown.
  const std::optional<Architecture>& architecture();

  /// Whether the experiment or one of the subjects has an `allow` of the rule. This `allow` then counts as
  /// used.
  bool allowed(std::string_view rule, std::vector<const Resolved*> subjects);
  /// Whether the task or its suite has an `allow` of the rule. This `allow` then counts as used.
  bool allowed(const SuiteTask& task, std::string_view rule);

  /// Reports a finding, unless the experiment or one of the subjects has an `allow` of its rule.
  void report(Diagnostic diagnostic, std::vector<const Resolved*> subjects);

  /// The results of `reward_facts` (check/verdicts.hpp) for each stage, computed once for all rules.
  std::map<const Stage*, std::shared_ptr<const RewardFacts>> reward_facts;

  std::vector<Diagnostic> diagnostics;
  /// `used` holds the `allow`s that count as used. `used_in` pairs each of them with the declaration that has
  /// it: the experiment or a subject of the finding. It has no `allow`s of tasks.
  std::vector<const ast::Allow*> used;
  AllowsInUse used_in;

 private:
  const Resolved* declaration(const char* field) const;
  /// Whether the same diagnostic was already reported at the same place for another way to train. An error in
  /// an inherited field is reported only once, for the base.
  bool told_of_base(const Diagnostic& diagnostic, const std::vector<const Resolved*>& subjects);

  std::set<std::string> told_;
  std::optional<std::optional<Architecture>> architecture_;
  std::vector<Stage> stages_;
  std::vector<const Resolved*> extensions_;
};

/// Fields of a verdict that are 0 if the answer isn't valid, each with its least value if the answer is
/// correct.
constexpr std::pair<const char*, double> least_when_correct[] = {{".time", contract::least_time_us},
                                                                 {".launches", 1}};

/// Returns the ranges that the schema states for the fields of a formula's parameters, by parameter and
/// field: `c.credit`.
formulas::Ranges ranges_of(const Value& formula, const Schema& schema);
/// Like `ranges_of` above, for the reward of a way to train, whose field `max_tokens` limits the tokens of an
/// answer.
formulas::Ranges ranges_of(const Value& formula, const Schema& schema, const Resolved& train);

/// The tasks that a training corpus may contain. They are `tasks`, from the suites that the corpus names,
/// and, if `any` is set, every other task whose overlap key isn't in `excluded`.
struct CorpusTasks {
  std::vector<const SuiteTask*> tasks;
  bool any = false;
  std::set<std::string> excluded;
};
CorpusTasks corpus_tasks(const Value& corpus, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The tasks of `asked` that compute the same function as a task of `seen`: their overlap keys are equal,
/// though sizes and spelling may differ.
std::vector<const SuiteTask*> overlapping(const std::vector<const SuiteTask*>& asked,
                                          const std::vector<const SuiteTask*>& seen);

/// Returns the suite that a label in a call of a library function names. In windtunnel.corpus(level1 = 60),
/// the label `level1` is the suite `level1` of windtunnel. Null if there is no such suite.
const std::vector<SuiteTask>* labelled_suite(const Value& call, const std::string& label,
                                             const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The number of samples that a training corpus requests; nothing if the corpus states no number.
std::optional<double> corpus_samples(const Value& corpus,
                                     const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The `patterns` of an adapter; empty if the adapter has no such field.
std::vector<ModulePattern> patterns_of(const Resolved& adapter);

/// The schema's entry for a field of a declaration, by its variant or else by its kind; null if there is
/// none.
const Spec* spec_of(const Inspection& inspection, const Resolved& of, const std::string& field);

/// Whether a field has no value, or its value equals the schema's default. A default that the program writes
/// out, as the output of `trl show` does, also counts as a default.
bool is_default(const Inspection& inspection, const Resolved& of, const std::string& field);

/// Whether the design gives a field, such as `reinforce.keep`, a value of its own in each cell.
bool is_varied(const Inspection& inspection, const std::string& path);

/// The name of a table's column or row: `fast` for the call `fast(1.0)`, `controls` for the name `controls`.
/// Empty for a value that is neither a name nor a call.
std::string called(const Value& part);

/// A table's column without the title that `titled(COLUMN, "title")` gives it; other columns as they are.
const Value& untitled(const Value& column);
/// The properties of the table column that `part` names; null if `part` names no column.
const contract::ColumnFacts* column_of(const Value& part);
bool asks_for(const Value& part, contract::ColumnName column);
bool needs(const Value& part, contract::ColumnNeeds what);

/// An integer as a program would write it: `16`.
std::string count_text(double value);

/// Lists tasks by number and name: "`level2/61` (gemm_bias_gelu), `level2/62` (…) and 3 more". At most `most`
/// tasks are named.
std::string task_list(const std::vector<const SuiteTask*>& tasks, std::size_t most = 4);

}  // namespace trl::language
