// The elaborator computes values from names: derivation, overrides, defaults, types, task sets, formulas.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "language/diagnostics/rule.hpp"
#include "language/elaboration/value.hpp"
#include "language/modules/foreign_tasks.hpp"
#include "language/modules/module.hpp"

namespace trl::language {

/// One `path = value` of an `override` block or of the command line.
struct Override {
  Symbol target;
  std::vector<std::string> path;  ///< within the target; empty where the target's value is replaced
  std::vector<Range> ranges;
  const ast::Item* item = nullptr;
  const Module* module = nullptr;
  bool from_command_line = false;
  const ast::Declaration* by = nullptr;  ///< the experiment that contains it
  Origin origin() const;
};

/// The state while one experiment is resolved: its overrides, and the declarations that were already resolved
/// under them.
struct Context {
  std::vector<Override> overrides;
  std::set<const ast::Item*> applied;
  std::map<const ast::Declaration*, std::shared_ptr<const Resolved>> done;
  std::map<const ast::Declaration*, Value> values;
  std::vector<const ast::Declaration*> active;
};

/// A number and the exponents of its unit's dimensions.
struct Quantity {
  double value = 0;
  int seconds = 0, bytes = 0, usd = 0, tokens = 0;
  bool percent = false;
  bool plain() const { return seconds == 0 && bytes == 0 && usd == 0 && tokens == 0; }
  bool same_unit(const Quantity& other) const {
    return seconds == other.seconds && bytes == other.bytes && usd == other.usd && tokens == other.tokens;
  }
};

class Elaborator {
 public:
  Elaborator(const Schema& schema, const Module& schema_module, const Loaded& loaded,
             std::vector<Diagnostic>& diagnostics);

  /// From now on, tasks that are kept elsewhere are read by `read`, their paths relative to `folder`.
  void read_foreign_by(ReadForeignTasks read, std::string folder) {
    read_foreign_ = std::move(read);
    folder_ = std::move(folder);
  }
  /// Checks and lowers the tasks of every suite of every file.
  void read_suites();
  /// A declaration with all its fields; null when its kind is unknown.
  std::shared_ptr<const Resolved> resolve(const Symbol& symbol, Context& context);
  /// The value of a declaration such as `split a = …`.
  Value value_of(const Symbol& symbol, Context& context);
  /// Checks the body of a `let` with parameters. Other `let`s are only checked where they are used.
  void read_let(const Symbol& let, Context& context);
  /// The overrides of an experiment, with inherited ones.
  std::vector<Override> overrides_of(const Symbol& experiment);
  /// Looks an override's path up in a file. Reports a diagnostic and returns nothing when the path is
  /// unknown.
  std::optional<Override> find_override(const ast::Item& item, const Module& module);

  /// Looks up a name of one or two parts in a file; empty when it is unknown.
  Symbol lookup(const std::vector<std::string>& parts, const Module& module) const;
  /// The schema's entry for a field of a declaration, `failing.full`; null when there is none.
  const Spec* spec_at(const Symbol& symbol, const std::vector<std::string>& path);

  /// A name's place and the declaration that it stands for.
  struct Use {
    Range range;
    Symbol symbol;
  };
  /// From now on, records every name that is looked up.
  void note_uses(std::vector<Use>* uses) { uses_ = uses; }
  /// From now on, diagnostics are added to another list.
  void report_to(std::vector<Diagnostic>& diagnostics) { sink_ = &diagnostics; }

  const std::map<std::string, std::vector<SuiteTask>>& suites() const { return suites_; }
  const Schema& schema() const { return schema_; }

 private:
  /// A written field after derivation: a value, or a block of further slots.
  struct Slot {
    std::string name;
    Range name_range;
    const ast::Item* item = nullptr;
    const Module* module = nullptr;
    bool is_block = false;
    std::vector<Slot> children;
    Origin origin = {};
  };
  struct Merged {
    std::vector<Slot> slots;
    std::vector<const ast::Allow*> allows;
    const Variant* variant = nullptr;
    std::string doc;
    Origin writer;        ///< of the fields that are merged next
    bool broken = false;  ///< parts could not be parsed
    bool faulty = false;
    std::set<std::string> unsound;  ///< fields whose values are uncertain
    std::string inside;             ///< the field whose block is being merged
  };
  /// The file and the experiment's context in which an expression is evaluated.
  struct Scope {
    const Module* module;
    Context* context;
  };

  // blocks.cpp: derivation.
  Merged merge(const Symbol& symbol, Context& context);
  void merge_block(std::vector<Slot>& into, const ast::Block& block, const Module& module, Merged& merged);
  void put(std::vector<Slot>& into, const std::vector<std::string>& path, const std::vector<Range>& ranges,
           std::size_t at, const ast::Item& item, const Module& module, Merged& merged);
  bool report_cycle(const Symbol& symbol, Context& context);
  /// The values of fields. Fields with an error are left out, and their names are added to `unsound`.
  std::vector<std::pair<std::string, Value>> fill(const std::vector<Spec>& specs,
                                                  const std::vector<Slot>& slots, const std::string& owner,
                                                  Range owner_range, bool broken, Context& context,
                                                  std::set<std::string>& unsound);
  Value fill_one(const Spec& spec, const Slot& slot, Context& context);
  std::optional<Value> default_of(const Spec& spec, Range owner_range, Context& context);

  // names.cpp: lookup.
  /// The declaration that a name stands for, if there is one.
  Symbol find_declaration(const ast::Expr& name, const Scope& scope) const;
  /// The same where a declaration of one of these kinds is wanted. Reports a name that stands for none.
  Symbol lookup(const ast::Expr& name, const Scope& scope, const std::vector<std::string>& kinds);
  /// The remedy where `name` is unknown and a declaration of one of these kinds is wanted.
  std::string help_with_name(const std::string& name, const std::vector<std::string>& known,
                             const std::vector<std::string>& kinds, const Module& module) const;
  std::vector<std::string> names_of_kind(const Module& module, const std::string& kind) const;
  const Function* function(const ast::Expr& callee, const Module& module) const;

  // typed.cpp: expressions by expected type.
  Value evaluate(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value choice(const ast::Expr& e, const Type& type);
  Value either(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value list(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value pipeline(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value sum(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value reference(const ast::Expr& e, const Type& type, const Scope& scope);
  Value group(const ast::Expr& e);
  Value factor(const ast::Expr& e, const Scope& scope);
  Value call(const ast::Expr& e, const Type& type, const Scope& scope);
  Value axes_argument(const ast::Argument& argument, const Scope& scope);
  Value share(const ast::Expr& e, const Scope& scope);
  Value formula(const std::vector<ast::Parameter>& parameters, const ast::Expr& body, const Spec& spec,
                const Scope& scope);
  Value named_formula(const ast::Expr& e, const Spec& spec, const Scope& scope);
  std::string result_of(const ast::Expr& e, const Module& module) const;

  // quantity.cpp: numbers with units.
  Value number(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  std::optional<Quantity> quantity(const ast::Expr& e, const std::string& wanted, const Scope& scope);

  // constants.cpp: the expressions of `let`s, fields of other declarations, conditions.
  struct Body {
    const ast::Expr* expr = nullptr;
    const Module* module = nullptr;
  };
  /// The value of `reinforce.max_tokens` and its type.
  struct FieldValue {
    std::optional<Type> type;  ///< absent when there is no value; the reason was reported
    Value value;
  };
  /// The `let` that a name stands for, if it stands for one.
  Symbol let(const ast::Expr& e, const Scope& scope) const;
  Body body_of(const Symbol& let, Context& context);
  /// Calls `with` on the body of a `let`, in its own file. Diagnostics about the body get a note with the
  /// place of use.
  void inside(const Symbol& let, const ast::Expr& use, const Scope& scope,
              const std::function<void(const ast::Expr& body, const Scope& within)>& with);
  Value evaluate_let(const Symbol& let, const ast::Expr& use, const Type& type, const Spec& spec,
                     const Scope& scope);
  std::optional<Quantity> quantity_of_let(const Symbol& let, const ast::Expr& use, const std::string& wanted,
                                          const Scope& scope);
  std::optional<FieldValue> field_of(const ast::Expr& e, const Scope& scope);
  std::optional<Quantity> quantity_of_field(const FieldValue& field, const ast::Expr& use,
                                            const std::string& wanted);
  Value evaluate_field(const FieldValue& field, const ast::Expr& use, const Type& type);
  std::optional<bool> boolean(const ast::Expr& e, const Scope& scope);
  std::optional<std::string> name_of(const ast::Expr& e, const Scope& scope);
  Value conditional(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);

  // tasksets.cpp: suites.
  void read_suite(const Symbol& suite);
  /// Adds the tasks of a suite that is stored elsewhere: `source = "KernelBench/level2", tasks = 100`.
  void external_tasks(const Symbol& suite, std::vector<SuiteTask>& out);

  // foreign.cpp: suites whose tasks another program reads.
  /// Adds the tasks of `source = kernelbench(path("…"), level = 1)`.
  void foreign_tasks(const Symbol& suite, const ast::Expr& source, std::vector<SuiteTask>& out);

  // selection.cpp: sets of tasks.
  Value tasks(const ast::Expr& e, const Scope& scope);
  struct TaskSet {
    std::vector<const SuiteTask*> tasks;
    bool known = false;  ///< false after an error
    std::string name;    ///< the suite's, when the set is a suite
    bool reliable = true;
  };
  TaskSet task_set(const ast::Expr& e, const Scope& scope);
  TaskSet named_set(const ast::Expr& e, const Scope& scope);
  TaskSet combined_set(const ast::Expr& e, const Scope& scope);
  TaskSet indexed_set(const ast::Expr& e, const Scope& scope);
  TaskSet selected_set(const ast::Expr& e, const Scope& scope);

  // formulas.cpp: formulas.
  enum class FormulaType { number, boolean, group, record, unknown };
  struct Formula {
    formulas::Expression body;
    FormulaType type = FormulaType::unknown;
    std::string record;
  };
  /// Its type in words: "a group of tasks".
  static std::string said(const Formula& formula);
  using Parameters = std::map<std::string, const Type*>;
  Formula lower(const ast::Expr& e, const Parameters& parameters, const Scope& scope, int depth);
  Formula lower_let(const Symbol& let, const ast::Expr& use, const Parameters& parameters, const Scope& scope,
                    int depth);
  Parameters parameter_types(const std::vector<ast::Parameter>& parameters,
                             const std::vector<ast::Parameter>& defaults);
  void want_number(const Formula& f, const ast::Expr& e);
  void require_boolean(const Formula& f, const ast::Expr& e);

  void report(Diagnostic d) {
    faulty_ = faulty_ || d.severity == Severity::error;
    sink_->push_back(std::move(d));
  }
  /// The value of a wrong expression, whose mistake was reported or needs no report.
  Value wrong(const ast::Expr& e);
  Value wrong_type(const ast::Expr& e, const std::string& wanted, const std::string& help = "");
  static std::string describe(const ast::Expr& e);
  /// Advice on the equivalent of another tool's word for a value; empty if there is none. If the equivalent
  /// is among `choices`, the diagnostic gets it as a fix.
  static std::string instead_of(const ast::Expr& e, const std::string& wanted,
                                const std::vector<std::string>& choices, Diagnostic& d);
  /// Adds the probably meant field to a diagnostic about an unknown one: a field of `known`, or of another
  /// kind.
  void help_with_field(Diagnostic& d, const std::string& name, const std::vector<std::string>& known,
                       Range where) const;
  /// The field of `known` that an unknown one surely or probably means; empty if there is none.
  static std::string meant_field(const std::string& name, const std::vector<std::string>& known);

  Symbol note(const Range& range, const Symbol& symbol) const {
    if (uses_ != nullptr && symbol) uses_->push_back({range, symbol});
    return symbol;
  }
  void note_suite(const Range& range, const std::string& name) const {
    if (const auto suite = suite_symbols_.find(name); suite != suite_symbols_.end())
      note(range, suite->second);
  }

  std::vector<Use>* uses_ = nullptr;
  const Schema& schema_;
  const Module& schema_module_;
  const Loaded& loaded_;
  std::vector<Diagnostic>* sink_;
  std::map<std::string, std::vector<SuiteTask>> suites_;
  std::map<const ast::Declaration*, std::string> suite_names_;
  std::map<std::string, Symbol> suite_symbols_;
  std::set<std::string> unreliable_suites_;
  std::map<std::string, Range> suite_ranges_;
  std::map<std::string, Type>
      parameter_types_;  ///< types of formulas' parameters, by the name of their record
  ReadForeignTasks read_foreign_;
  std::string folder_;
  /// Whether the value that is being read has an error so far.
  bool faulty_ = false;
  /// Whether the declaration that is being read refers to one that has an error.
  bool refers_to_faulty_ = false;
};

/// The body of a task or a constant as an EXPR of docs/interfaces.md, with "at". Labelled arguments are in
/// "named".
nlohmann::json plain_expression(const ast::Expr& e, std::vector<Diagnostic>& diagnostics, int depth = 0);

}  // namespace trl::language
