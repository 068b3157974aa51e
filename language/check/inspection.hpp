// The argument of a rule that checks experiments: one resolved experiment, and where to report findings.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/columns.hpp"
#include "base/formulas/interval.hpp"
#include "base/support/module_patterns.hpp"
#include "language/check/pretraining.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/elaboration/designs.hpp"
#include "language/elaboration/value.hpp"
#include "language/estimate/architecture.hpp"
#include "language/modules/options.hpp"

namespace trl::language {

/// A used `allow` and the declaration in which it silenced something: its own declaration, or one that
/// derives from it.
using AllowsInUse = std::set<std::pair<const ast::Declaration*, const ast::Allow*>>;

struct RewardFacts;

/// Values that rules have read or asked for during one check, since the cells of a design ask for the same
/// again.
struct Answers {
  /// The assessment of a task under a precision.
  std::map<std::pair<const SuiteTask*, std::string>, Assessment> assessments;
  /// The keys by a manifest's path and an exam's tasks.
  std::map<std::pair<std::string, std::vector<const SuiteTask*>>, SeenKeys> seen;
};

class Inspection {
 public:
  /// One stage of training that the experiment runs, and the extensions that can be on in it.
  struct Stage {
    const Resolved* train = nullptr;
    bool control = false;
    std::vector<const Resolved*> extensions;  ///< none for controls
  };

  const Resolved& experiment;
  const Schema& schema;
  const std::map<std::string, std::vector<SuiteTask>>& suites;
  const CheckOptions& options;
  /// The folder of the program's file. Paths in the file are relative to it.
  const std::string folder;
  Answers& answers;
  /// The program's hypotheses, tables and plots that are `of` this experiment.
  std::vector<const Resolved*> hypotheses, tables, plots;
  /// Whether these are all: no other claim of the file has an error that hides its subject.
  bool claims_known = true;
  /// The design of the experiment's `vary`; null where that has an error.
  const Design* design = nullptr;

  Inspection(const Resolved& e, const Schema& s,
             const std::map<std::string, std::vector<SuiteTask>>& all_suites, const CheckOptions& o,
             std::string program_folder, Answers& so_far);

  /// Every stage of `train` and `controls`. A declaration that is in both stands here twice.
  const std::vector<Stage>& stages() const { return stages_; }
  /// Extensions that are on in every cell, and extensions that are varied.
  const std::vector<const Resolved*>& extensions() const { return extensions_; }
  /// A column of a table, or the metric of a hypothesis.
  struct Measure {
    const Resolved* claim;
    const Value* column;
  };
  /// The measures of all tables, then the measures of all hypotheses.
  std::vector<Measure> measures() const;
  const Resolved* evaluation() const;
  /// The evaluation after each round; null where the experiment has none.
  const Resolved* dev() const;
  const Resolved* model() const;
  const Resolved* adapter() const;
  /// The machine that the experiment is meant to run on; null where it names none.
  const Resolved* machine() const;
  /// The shape of the model's weights, as far as it is known.
  const std::optional<Architecture>& architecture();

  /// Whether one of the subjects, or the experiment, allows the rule; the `allow` then counts as used.
  bool allowed(std::string_view rule, std::vector<const Resolved*> subjects);
  /// The same for an `allow` of a task or of its suite.
  bool allowed(const SuiteTask& task, std::string_view rule);

  /// Reports a finding, unless one of the subjects (or the experiment) allows the rule.
  void report(Diagnostic diagnostic, std::vector<const Resolved*> subjects);

  /// Results of check/verdicts.hpp for each stage's reward, computed once for all rules.
  std::map<const Stage*, std::shared_ptr<const RewardFacts>> reward_facts;

  std::vector<Diagnostic> diagnostics;
  /// The `allow`s that silenced something, and the declarations in which they did.
  std::vector<const ast::Allow*> used;
  AllowsInUse used_in;

 private:
  const Resolved* declaration(const char* field) const;

  std::optional<std::optional<Architecture>> architecture_;
  std::vector<Stage> stages_;
  std::vector<const Resolved*> extensions_;
};

/// The ranges of a formula's parameters by the schema's record; a key is `c.credit`.
formulas::Ranges ranges_of(const Value& formula, const Schema& schema);

/// The tasks that a call of type `corpus` names. With `any`, it may also sample any other task whose overlap
/// key isn't among `excluded`.
struct CorpusTasks {
  std::vector<const SuiteTask*> tasks;
  bool any = false;
  std::set<std::string> excluded;
};
CorpusTasks corpus_tasks(const Value& corpus, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The tasks of `asked` that are among `seen` in some sizes and spelling, by their overlap key.
std::vector<const SuiteTask*> overlapping(const std::vector<const SuiteTask*>& asked,
                                          const std::vector<const SuiteTask*>& seen);

/// How many samples a call of type `corpus` asks for; nothing where it doesn't say.
std::optional<double> corpus_samples(const Value& corpus,
                                     const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The `patterns` of an adapter; none where it has no such field.
std::vector<ModulePattern> patterns_of(const Resolved& adapter);

/// Whether a field's value is the schema's default, or the field has no value. A default that is written
/// down, as `trl show` does, changes nothing.
bool is_default(const Inspection& inspection, const Resolved& of, const std::string& field);

/// The name of a column or a row of a table: `fast` for `fast(1.0)`, `controls`; empty for values that are
/// neither a name nor a call.
std::string called(const Value& part);

/// The column of tables that a part names; null if it is none.
const contract::ColumnFacts* column_of(const Value& part);
bool asks_for(const Value& part, contract::ColumnName column);
bool needs(const Value& part, contract::ColumnNeeds what);

/// An integer as a program would write it: `16`.
std::string count_text(double value);

/// "`level2/61` gemm_bias_gelu, `level2/62` …", at most `most` of them.
std::string task_list(const std::vector<const SuiteTask*>& tasks, std::size_t most = 4);

}  // namespace trl::language
