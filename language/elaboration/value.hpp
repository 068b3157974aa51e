// Values: the results of derivation, overrides, defaults and typing of fields.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/formulas/expression.hpp"
#include "language/ast/ast.hpp"
#include "language/elaboration/prepared.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

/// A task of a suite.
struct SuiteTask {
  std::string suite;
  std::size_t id = 0;  ///< counted from 1 within the suite
  std::string name;
  Range range;      ///< where its name is written
  std::string key;  ///< a text that is equal for tasks that differ only in sizes and constants
  std::string
      overlap;  ///< a text that is equal for all spellings of one function (base/operators/overlap.hpp)
  std::vector<const ast::Allow*> allows;  ///< the `allow`s of the task and of its suite
  /// For a task of the embedded library: its lowered form, computed when the program was built. Null for
  /// other tasks.
  const PreparedTask* prepared = nullptr;
  nlohmann::json own;  ///< for a task that isn't prepared: its lowered form; null if the task has an error
  std::shared_ptr<const trl::tasks::Task>
      own_task;  ///< the task that `own` describes; null if only its PyTorch module is known
  /// For a task that was read from another program's file and is too large for quick tries: its lowered form
  /// at smaller sizes, at which trivial answers are tried. Null for other tasks.
  std::shared_ptr<const nlohmann::json> smaller;
  std::string text() const { return suite + "/" + std::to_string(id); }
  /// Whether the task has no error, so that it has a lowered form.
  bool is_lowered() const { return prepared != nullptr || !own.is_null(); }
  /// The lowered form (docs/interfaces.md, section 1); null if the task has an error. The address of the
  /// result stays the same.
  const nlohmann::json& lowered() const { return prepared != nullptr ? lowered_form(*prepared) : own; }
  /// The lowered task as an object. Null if the task has an error, or if it was read from another program's
  /// file and its forward function couldn't be translated to an expression.
  const trl::tasks::Task* typed() const {
    return prepared != nullptr ? &typed_form(*prepared) : own_task.get();
  }
  /// Sets `own`, `own_task`, `key` and `overlap` of a task that isn't prepared.
  void means(trl::tasks::Task task);
};

struct Resolved;
struct Module;

/// A level of a design's axis, as the override that it applies: `writer.rank = 16`.
struct Setting {
  ast::Item item;
  const Module* module = nullptr;
};

/// Where a field's value comes from.
struct Origin {
  enum class Kind { defaulted, written, override, setting };
  Kind kind = Kind::defaulted;
  const ast::Declaration* by =
      nullptr;  ///< the declaration that contains the value, or the experiment that overrides it
  Range range;  ///< the field's name in `by`; for a default, in the schema
};

struct Value {
  enum class Kind { absent, plain, list, map, tasks, declaration, formula, call, sum, block };
  Kind kind = Kind::absent;
  nlohmann::json plain;          ///< the JSON of a plain value
  formulas::Expression formula;  ///< the body of a formula, with byte ranges of the program
  std::vector<Value> items;      ///< the elements of a list or a sum, the unlabelled arguments of a call
  std::vector<std::pair<std::string, Value>>
      entries;                          ///< the entries of a map or a block, the labelled arguments of a call
  std::string name;                     ///< the name of the called function
  std::vector<std::string> parameters;  ///< the names of a formula's parameters
  std::vector<const SuiteTask*> tasks;
  std::shared_ptr<const Resolved> declaration;
  std::shared_ptr<const Setting>
      setting;  ///< for a level of a design's axis: the override that the level applies
  Range range;  ///< where the value is written; for a default, the declaration, block or call that leaves it
                ///< out
  bool given = false;  ///< the value is written in the program and is not a default
  Origin origin;       ///< set for fields, for entries of blocks and maps, and for the values of splits

  Value();  // out of line, since std::pair<…, Value> needs it while Value is incomplete
  bool is(Kind k) const { return kind == k; }
  bool absent() const { return kind == Kind::absent; }
  /// The entry of a map, block or call with this name; null if there is none.
  const Value* entry(const std::string& name) const;
  /// The value as a number, or `otherwise` if it isn't a number.
  double number(double otherwise = 0) const { return plain.is_number() ? plain.get<double>() : otherwise; }
  std::string string() const { return plain.is_string() ? plain.get<std::string>() : std::string(); }
};

/// A declaration with every field filled in.
struct Resolved {
  std::string kind, name, doc;
  const Variant* variant = nullptr;
  std::vector<std::pair<std::string, Value>> fields;
  /// The `allow`s of the declaration and of its bases.
  std::vector<const ast::Allow*> allows;
  const ast::Declaration* declared = nullptr;
  Range range;          ///< where its name is written
  bool faulty = false;  ///< this declaration, or another to which it refers, has an error
  /// The names of fields that have an error or could not be read; `fields` lacks them. The element `""`
  /// stands for every field: the declaration's base could not be resolved.
  std::set<std::string> unsound;
  /// Numbers outside the ranges of their fields that are written without a percent sign. These fields are
  /// unsound.
  std::vector<std::pair<std::string, Value>> refused;
  /// Whether an unsound field may have referred to other declarations, so that the references of this
  /// declaration are not all known.
  bool lost_references = false;

  /// The value of a field; null if the variant has no such field or the field is unsound.
  const Value* field(const std::string& name) const;
  /// Whether neither the field nor the declaration's base has an error. Where `field(name)` returns null, a
  /// sound field has no value, and the value of any other field is unknown.
  bool sound(const std::string& name) const { return !unsound.contains(name) && !unsound.contains(""); }
  bool is_a(const char* variant_name) const { return variant != nullptr && variant->name == variant_name; }
};

/// Whether the field `against` of a hypothesis names a cell of the design (a list of the extensions that are
/// on) and not a control.
bool is_cell(const Value& against);

/// The value as JSON, as docs/interfaces.md, section 2, defines it.
nlohmann::json to_json(const Value& value);
nlohmann::json to_json(const Resolved& declaration);

}  // namespace trl::language
