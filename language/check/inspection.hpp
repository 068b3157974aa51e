// What a protocol rule sees: one resolved experiment, and where to say what is wrong with it.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/diagnostics/rule.hpp"
#include "language/elaboration/designs.hpp"
#include "language/elaboration/value.hpp"
#include "language/estimate/architecture.hpp"
#include "language/formulas/interval.hpp"
#include "language/modules/options.hpp"

namespace trl::language {

/// In which declaration an `allow` silences something: its own, or one that derives from that.
using AllowsInUse = std::set<std::pair<const ast::Declaration*, const ast::Allow*>>;

struct RewardFacts;

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
  /// Of the program's file: paths in it are relative to this.
  const std::string folder;
  /// The program's hypotheses and tables that are `of` this experiment.
  std::vector<const Resolved*> hypotheses, tables;
  /// What it varies.
  const Design* design = nullptr;

  Inspection(const Resolved& e, const Schema& s,
             const std::map<std::string, std::vector<SuiteTask>>& all_suites, const CheckOptions& o,
             std::string program_folder);

  /// Every stage of `train` and `controls`, each declaration once for itself and once as a control.
  const std::vector<Stage>& stages() const { return stages_; }
  /// Extensions that are on in every cell, and those that are varied.
  const std::vector<const Resolved*>& extensions() const { return extensions_; }
  const Resolved* evaluation() const;
  const Resolved* model() const;
  const Resolved* adapter() const;
  /// What it is meant to run on; null where it doesn't say.
  const Resolved* machine() const;
  /// The shape of the model's weights, as far as it is known.
  const std::optional<Architecture>& architecture();

  /// Whether one of the subjects, or the experiment, allows the rule; the `allow` then counts as used.
  bool allowed(std::string_view rule, std::vector<const Resolved*> subjects);
  /// The same of a task and its suite.
  bool allowed(const SuiteTask& task, std::string_view rule);

  /// Says what is wrong, unless one of the subjects (or the experiment) allows the rule.
  void report(Diagnostic diagnostic, std::vector<const Resolved*> subjects);

  /// What check/verdicts.hpp has found of a stage's reward, for every rule that asks.
  std::map<const Stage*, std::shared_ptr<const RewardFacts>> reward_facts;

  std::vector<Diagnostic> diagnostics;
  /// The `allow`s that silenced something, and where they held.
  std::vector<const ast::Allow*> used;
  AllowsInUse used_in;

 private:
  const Resolved* declaration(const char* field) const;

  std::optional<std::optional<Architecture>> architecture_;
  std::vector<Stage> stages_;
  std::vector<const Resolved*> extensions_;
};

/// What a formula's parameters can be, by the schema's record: keys `c.credit`.
Ranges ranges_of(const Value& formula, const Schema& schema);

/// The tasks that a call of type `corpus` may hold, and those that it may draw by chance: `any` but
/// `excluded` keys.
struct CorpusTasks {
  std::vector<const SuiteTask*> tasks;
  bool any = false;
  std::vector<std::string> excluded;
};
CorpusTasks corpus_tasks(const Value& corpus, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// How many samples a call of type `corpus` asks for; nothing where it doesn't say.
std::optional<double> corpus_samples(const Value& corpus,
                                     const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The words that would stand for a whole number in a program: `16`.
std::string count_text(double value);

/// "`level2/61` gemm_bias_gelu, `level2/62` …", cut after a few.
std::string task_list(const std::vector<const SuiteTask*>& tasks, std::size_t most = 4);

}  // namespace trl::language
