// The elaborator computes the values of declarations. It applies derivation, overrides and defaults, checks
// types, and evaluates task sets and formulas.
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
  std::vector<std::string>
      path;  ///< a field's path within the target; empty to replace the target's own value
  std::vector<Range> ranges;
  const ast::Item* item = nullptr;
  const Module* module = nullptr;
  bool from_command_line = false;
  const ast::Declaration* by = nullptr;  ///< the experiment that contains the override
  Origin origin() const;
};

/// The state while one experiment is resolved: its overrides, and the declarations that were already resolved
/// with these overrides.
struct Context {
  std::vector<Override> overrides;
  std::set<const ast::Item*> applied;
  std::map<const ast::Declaration*, std::shared_ptr<const Resolved>> done;
  std::map<const ast::Declaration*, Value> values;
  std::vector<const ast::Declaration*> active;
};

/// A number with a unit, as the exponents of the unit's dimensions: usd per second has usd = 1 and seconds =
/// -1.
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

  /// Sets the function that reads tasks from another program's files (KernelBench). The paths of the files
  /// are relative to `folder`.
  void read_foreign_by(ReadForeignTasks read, std::string folder) {
    read_foreign_ = std::move(read);
    folder_ = std::move(folder);
  }
  /// Checks and lowers the tasks of every suite of every file. `settings` are the command line's overrides.
  /// They apply to the declarations to which a suite's `source` refers; overrides of experiments don't, since
  /// suites are the same for all experiments.
  void read_suites(const std::vector<Override>& settings);
  /// The settings of the command line that were applied when suites were read.
  const std::set<const ast::Item*>& applied_to_suites() const { return suite_context_.applied; }
  /// Returns the name of a suite in messages, in groups and in the document: its own name or, if that name
  /// means another file's suite or several suites, `windtunnel.level1`. Empty for a suite if another one
  /// already has the name.
  std::string name_of_suite(const ast::Declaration& suite) const {
    const auto name = suite_names_.find(&suite);
    return name == suite_names_.end() ? std::string() : name->second;
  }
  /// Returns a declaration with all its fields; null if its kind is unknown.
  std::shared_ptr<const Resolved> resolve(const Symbol& symbol, Context& context);
  /// Returns the value of a declaration such as `split a = …`.
  Value value_of(const Symbol& symbol, Context& context);
  /// Checks that a `let` has the right form and, if it has parameters, checks its body. The body of a `let`
  /// without parameters is checked where the `let` is used.
  void read_let(const Symbol& let, Context& context);
  /// Returns the overrides of an experiment, including those of the experiments from which it derives.
  std::vector<Override> overrides_of(const Symbol& experiment);
  /// Finds the declaration and the field that the path of an override names in a file. Reports a diagnostic
  /// and returns nothing if the path is unknown. With `anywhere`, the path may also begin with the name of a
  /// module that only an imported file imports.
  std::optional<Override> find_override(const ast::Item& item, const Module& module, bool anywhere = false);

  /// Looks up a name in a file: `adam`, or `windtunnel.level1` with the name of an imported module. The
  /// result is empty if the name is unknown.
  Symbol lookup(const std::vector<std::string>& parts, const Module& module) const;
  /// The schema's entry for a field of a declaration, such as `failing.full`; null if there is none.
  const Spec* spec_at(const Symbol& symbol, const std::vector<std::string>& path);

  /// A use of a name: its range in the text, and the declaration to which it refers.
  struct Use {
    Range range;
    Symbol symbol;
  };
  /// From now on, adds every name that refers to a declaration to `uses`.
  void note_uses(std::vector<Use>* uses) { uses_ = uses; }
  /// From now on, diagnostics are added to this list instead of the constructor's.
  void report_to(std::vector<Diagnostic>& diagnostics) { sink_ = &diagnostics; }

  const std::map<std::string, std::vector<SuiteTask>>& suites() const { return suites_; }
  const Schema& schema() const { return schema_; }

 private:
  /// A field that the program sets, after derivation: a value, or a block of further fields.
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
    Origin writer;        ///< the origin of the fields that are merged next
    bool broken = false;  ///< parts of the declaration could not be parsed
    bool faulty = false;
    std::set<std::string> unsound;  ///< the names of fields whose values are uncertain
    std::string inside;             ///< the field whose block is being merged
  };
  /// The file and the experiment's context in which an expression is evaluated.
  struct Scope {
    const Module* module;
    Context* context;
    std::optional<Range> field = {};  ///< the name of the field whose value is read, where it is written
  };

  // blocks.cpp: derivation.
  Merged merge(const Symbol& symbol, Context& context);
  void merge_block(std::vector<Slot>& into, const ast::Block& block, const Module& module, Merged& merged);
  void put(std::vector<Slot>& into, const std::vector<std::string>& path, const std::vector<Range>& ranges,
           std::size_t at, const ast::Item& item, const Module& module, Merged& merged);
  bool report_cycle(const Symbol& symbol, Context& context);
  /// Returns the values of the fields `specs`, from `slots` or from defaults. Adds the names of fields with
  /// an error to `unsound`.
  std::vector<std::pair<std::string, Value>> fill(const std::vector<Spec>& specs,
                                                  const std::vector<Slot>& slots, const std::string& owner,
                                                  Range owner_range, bool broken, Context& context,
                                                  std::set<std::string>& unsound);
  /// The declaration from which a declaration of a known kind derives; empty if it derives from a variant or
  /// from nothing.
  Symbol base_of(const Symbol& symbol) const;
  /// Whether a declaration's kind, or the variant from which it derives, has a field. Reports nothing.
  bool may_have(Symbol symbol, const std::string& field) const;
  /// Adds advice to `d` about a field that an experiment lacks but that a declaration named by the experiment
  /// has: "`override { reinforce.rounds = 12 }`". Returns whether there is such a declaration.
  bool help_with_override(Diagnostic& d, const Slot& slot, const std::vector<Slot>& slots);
  Value fill_one(const Spec& spec, const Slot& slot, Context& context);
  /// Adds an entry to the value of a map. `import` is the slot of the module in whose namespace the key is,
  /// or null.
  void map_entry(const Spec& spec, const Slot* import, const Slot& child, const Scope& scope, Value& map);
  std::optional<Value> default_of(const Spec& spec, Range owner_range, Context& context);

  // names.cpp: lookup.
  /// The declaration to which a name refers; empty if there is none.
  Symbol find_declaration(const ast::Expr& name, const Scope& scope) const;
  /// Like `find_declaration`, but reports an unknown name. `kinds` are the kinds of declarations that the
  /// context allows.
  Symbol lookup(const ast::Expr& name, const Scope& scope, const std::vector<std::string>& kinds);
  /// Advice for an unknown `name` where a declaration of one of these kinds is needed. `known` are the names
  /// of such declarations.
  std::string help_with_name(const std::string& name, const std::vector<std::string>& known,
                             const std::vector<std::string>& kinds, const Module& module) const;
  std::vector<std::string> names_of_kind(const Module& module, const std::string& kind) const;
  const Function* function(const ast::Expr& callee, const Module& module) const;

  // typed.cpp: expressions by expected type.
  Value evaluate(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value choice(const ast::Expr& e, const Type& type);
  Value either(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value list(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  /// Reports each element of a list that is equal to an earlier element.
  void refuse_repeated(const Value& list);
  Value pipeline(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value sum(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  Value reference(const ast::Expr& e, const Type& type, const Scope& scope);
  Value group(const ast::Expr& e, const Scope& scope);
  Value factor(const ast::Expr& e, const Scope& scope);
  /// If a name in place of a factor is a training stage of a control, reports that and returns true;
  /// otherwise returns false.
  bool means_control(const ast::Expr& e, const std::string& stage, const Scope& scope);
  /// If several extensions stand in place of a factor, reports that, with the cells that may be meant, and
  /// returns true; otherwise returns false.
  bool means_cells(const ast::Expr& e, const Scope& scope);
  Value call(const ast::Expr& e, const Type& type, const Scope& scope);
  /// Warns of names and paths that contain a variable of a shell, such as `$HOME`: it isn't replaced by its
  /// value.
  void unfilled(const Value& call);
  Value axes_argument(const ast::Argument& argument, const Scope& scope);
  Value share(const ast::Expr& e, const Scope& scope);
  Value formula(const std::vector<ast::Parameter>& parameters, const ast::Expr& body, const Spec& spec,
                const Scope& scope);
  Value named_formula(const ast::Expr& e, const Spec& spec, const Scope& scope);
  /// Whether an expression is a call of a function with this result type, or such a function's name.
  bool gives(const ast::Expr& e, const std::string& result, const Module& module) const;

  // quantity.cpp: numbers with units.
  Value number(const ast::Expr& e, const Type& type, const Spec& spec, const Scope& scope);
  std::optional<Quantity> quantity(const ast::Expr& e, const std::string& wanted, const Scope& scope);

  // constants.cpp: the expressions of `let`s, fields of other declarations, conditions.
  struct Body {
    const ast::Expr* expr = nullptr;
    const Module* module = nullptr;
  };
  /// The value and the type of a field that an expression names, such as `reinforce.max_tokens`.
  struct FieldValue {
    std::optional<Type> type;  ///< absent if the field has no value; the reason was then reported
    Value value;
  };
  /// The `let` to which a name refers; empty if it refers to none.
  Symbol let(const ast::Expr& e, const Scope& scope) const;
  Body body_of(const Symbol& let, Context& context);
  /// Calls `with` with the body of a `let` and the scope of the file that declares it. Diagnostics about the
  /// body get a note that points to `use`.
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
  /// Finds the suites that the program's files and settings name.
  void find_mentioned_suites();
  /// Chooses the name of each suite. Reports suites with the same name that can't be told apart.
  void name_suites();
  void read_suite(const Symbol& suite);
  /// Adds the tasks of a suite whose tasks aren't written in the file to `out`: `source =
  /// "KernelBench/level2", tasks = 100`.
  void external_tasks(const Symbol& suite, std::vector<SuiteTask>& out);

  // foreign.cpp: suites whose tasks another program reads.
  /// The place of a suite's tasks, as the arguments of `kernelbench(…)` state it.
  struct TasksPlace {
    std::string path;  ///< as it is written; empty if only the number of tasks is known
    Range range;       ///< where the path is written
    std::int64_t level = 0;
    Range level_range;
    std::optional<std::int64_t> largest;
  };
  /// Reads the call in a suite's `source`. `tasks` is the field with the number of tasks, or null. The path
  /// stays empty, so that only the number of tasks counts, if the call names no path, or if the suite is an
  /// imported one that nothing uses and `tasks` is given. Reports errors, and returns nothing after one that
  /// leaves the place unknown.
  std::optional<TasksPlace> place_of_tasks(const Symbol& suite, const ast::Expr& source,
                                           const ast::Item* tasks);
  /// Adds the tasks of a suite with `source = kernelbench(path("…"), level = 1)` to `out`.
  void foreign_tasks(const Symbol& suite, const ast::Expr& source, const TasksPlace& place,
                     std::vector<SuiteTask>& out);

  // selection.cpp: sets of tasks.
  Value tasks(const ast::Expr& e, const Scope& scope);
  struct TaskSet {
    std::vector<const SuiteTask*> tasks;
    bool known = false;  ///< false after an error
    std::string name;    ///< the suite's name, if the set is a whole suite
    bool reliable = true;
  };
  TaskSet task_set(const ast::Expr& e, const Scope& scope);
  TaskSet named_set(const ast::Expr& e, const Scope& scope);
  TaskSet combined_set(const ast::Expr& e, const Scope& scope, bool repeats);
  TaskSet indexed_set(const ast::Expr& e, const Scope& scope);
  TaskSet selected_set(const ast::Expr& e, const Scope& scope);

  // formulas.cpp: formulas.
  enum class FormulaType { number, boolean, group, record, unknown };
  struct Formula {
    formulas::Expression body;
    FormulaType type = FormulaType::unknown;
    std::string record;
  };
  /// The type of a formula in words: "a group of tasks".
  static std::string said(const Formula& formula);
  using Parameters = std::map<std::string, const Type*>;
  Formula lower(const ast::Expr& e, const Parameters& parameters, const Scope& scope, int depth);
  Formula lower_let(const Symbol& let, const ast::Expr& use, const Parameters& parameters, const Scope& scope,
                    int depth);
  Parameters parameter_types(const std::vector<ast::Parameter>& parameters,
                             const std::vector<ast::Parameter>& defaults);
  /// Reports a formula that is no number. A boolean becomes the number 1 where it is true, else 0.
  void want_number(Formula& f, const ast::Expr& e);
  void require_boolean(const Formula& f, const ast::Expr& e);
  /// Reports that operator `i` of the chain `e`, `==` or `!=`, compares values of different types.
  void report_unlike(const ast::Expr& e, std::size_t i, const Formula& left, const Formula& right);

  void report(Diagnostic d) {
    faulty_ = faulty_ || d.severity == Severity::error;
    sink_->push_back(std::move(d));
  }
  /// Reports an error in what is read as if it were written as the report says, so that rules see the rest.
  void report_mended(Diagnostic d) { sink_->push_back(std::move(d)); }
  /// Returns an absent value for a wrong expression, without a report: the mistake was reported before or
  /// needs no report.
  Value wrong(const ast::Expr& e);
  /// Reports `none` as the value of a field that always has one.
  Value never_none(const ast::Expr& e, const Spec& spec);
  Value wrong_type(const ast::Expr& e, const std::string& wanted, const std::string& help = "");
  static std::string describe(const ast::Expr& e);
  /// Returns advice if a value is the word of another tool, such as `None`; otherwise an empty text. If the
  /// language's equivalent is among `choices`, adds it to the diagnostic `d` as a fix.
  static std::string instead_of(const ast::Expr& e, const std::string& wanted,
                                const std::vector<std::string>& choices, Diagnostic& d);
  /// Adds advice to the diagnostic `d` about the unknown field `name`: the field of `known` that was probably
  /// meant, or another kind of declaration that has the field.
  void help_with_field(Diagnostic& d, const std::string& name, const std::vector<std::string>& known,
                       Range where) const;
  /// The block among the fields `known` that has a field of this name; empty if there is none.
  std::string block_with(const std::string& field, const std::vector<std::string>& known) const;
  /// Returns the calls that take `argument` and can be the value of a field, as advice lists them: "`weights
  /// = huggingface(…, revision = …)`". With `own`, the field is one of `fields`, otherwise a field of another
  /// declaration. Empty if there is no such call.
  std::string call_with(const std::string& argument, const std::vector<std::string>& fields, bool own) const;
  /// Lets the diagnostic `d` say that a function's name stands in place of a declaration of one of `kinds`,
  /// and advise the declaration that has the function's value, or how to write such a declaration.
  void help_with_function(Diagnostic& d, const Function& given, const ast::Expr& e,
                          const std::vector<std::string>& kinds, const Module& module) const;
  /// The field of `known` that the author surely or probably meant by the unknown field `name`; empty if
  /// there is none.
  static std::string meant_field(const std::string& name, const std::vector<std::string>& known);
  /// Whether the unknown field `name` certainly means the field `meant` of `known`: it is another tool's word
  /// for the field, or differs from its name by one typing error.
  static bool surely_field(const std::string& name, const std::string& meant,
                           const std::vector<std::string>& known);

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
  std::set<const ast::Declaration*> mentioned_suites_;
  Context suite_context_;  ///< the settings of the command line, under which suites are read
  std::map<std::string, Type> parameter_types_;  ///< the types of formulas' parameters, by the name of the
                                                 ///< record that describes the parameter
  ReadForeignTasks read_foreign_;
  std::string folder_;
  /// Whether the value that is being read has an error so far.
  bool faulty_ = false;
  /// Whether the union that is read next may have a task twice.
  bool repeats_allowed_ = false;
  /// Whether the declaration that is being read refers to another declaration that has an error.
  bool refers_to_faulty_ = false;
};

/// Converts the body of a task or of a constant to an EXPR of docs/interfaces.md. Every node has its byte
/// range under "at"; the labelled arguments of a call are under "named".
nlohmann::json plain_expression(const ast::Expr& e, std::vector<Diagnostic>& diagnostics, int depth = 0);

}  // namespace trl::language
