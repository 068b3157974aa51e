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
  Range range;          ///< the place of its name
  std::string key;      ///< equal for tasks that differ only in sizes and constants
  std::string overlap;  ///< equal for all spellings of one function (base/operators/overlap.hpp)
  std::vector<const ast::Allow*> allows;  ///< of the task and of its suite
  /// The lowered task of the embedded library, which the build has computed; null for others.
  const PreparedTask* prepared = nullptr;
  nlohmann::json own;  ///< the document of another task; null when it has an error
  std::shared_ptr<const trl::tasks::Task> own_task;  ///< what that says, unless only its module is known
  /// A task that was read from a file of large sizes, at smaller ones, at which trivial answers are tried;
  /// null for others.
  std::shared_ptr<const nlohmann::json> smaller;
  std::string text() const { return suite + "/" + std::to_string(id); }
  /// Whether the task has no error, so that it has a lowered form.
  bool is_lowered() const { return prepared != nullptr || !own.is_null(); }
  /// docs/interfaces.md, section 1; null when the task has an error. Its address stays the same.
  const nlohmann::json& lowered() const { return prepared != nullptr ? lowered_form(*prepared) : own; }
  /// The task; null when it has an error, and for one that is kept elsewhere and whose forward isn't known as
  /// an expression.
  const trl::tasks::Task* typed() const {
    return prepared != nullptr ? &typed_form(*prepared) : own_task.get();
  }
  /// Takes what a task means that isn't prepared, and the keys that follow.
  void means(trl::tasks::Task task);
};

struct Resolved;
struct Module;

/// A level of an axis as the override that it means: `writer.rank = 16`.
struct Setting {
  ast::Item item;
  const Module* module = nullptr;
};

/// Where a field's value comes from.
struct Origin {
  enum class Kind { defaulted, written, override, setting };
  Kind kind = Kind::defaulted;
  const ast::Declaration* by = nullptr;  ///< the declaration, or the experiment that overrides
  Range range;                           ///< of the field's name there; in the schema for defaults
};

struct Value {
  enum class Kind { absent, plain, list, map, tasks, declaration, formula, call, sum, block };
  Kind kind = Kind::absent;
  nlohmann::json plain;                                ///< of a plain value
  formulas::Expression formula;                        ///< the body of a formula, with places
  std::vector<Value> items;                            ///< list, sum, arguments of a call
  std::vector<std::pair<std::string, Value>> entries;  ///< map, block, labelled arguments
  std::string name;                                    ///< of the called function
  std::vector<std::string> parameters;                 ///< of a formula
  std::vector<const SuiteTask*> tasks;
  std::shared_ptr<const Resolved> declaration;
  std::shared_ptr<const Setting> setting;  ///< for a level of an axis
  Range range;         ///< where it is written; the field's name in the schema for defaults
  bool given = false;  ///< it is written in the file and is not a default
  Origin origin;       ///< of a field, an entry of a block or map, and a split's value

  Value();  // out of line, since std::pair<…, Value> needs it while Value is incomplete
  bool is(Kind k) const { return kind == k; }
  bool absent() const { return kind == Kind::absent; }
  /// The entry of a map, block or call; null where there is none.
  const Value* entry(const std::string& name) const;
  /// The value as a number, or `otherwise` if it isn't one.
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
  Range range;          ///< the place of its name
  bool faulty = false;  ///< it, or a declaration to which it refers, has an error
  /// Fields whose values have an error or could not be read; they are not among `fields`. `""` stands for
  /// every field, since its base is unknown.
  std::set<std::string> unsound;
  /// An unsound field may have referred to other declarations, so that its references aren't known.
  bool lost_references = false;

  /// A field's value; null where the variant has no such field, or its value is unsound.
  const Value* field(const std::string& name) const;
  /// Whether a field has no error, so that a null of `field` means that the field has no value.
  bool sound(const std::string& name) const { return !unsound.contains(name) && !unsound.contains(""); }
  bool is_a(const char* variant_name) const { return variant != nullptr && variant->name == variant_name; }
};

/// Whether a hypothesis' `against` is a cell, a list of the extensions that are on, and not a control.
bool is_cell(const Value& against);

/// The value as JSON, as docs/interfaces.md, section 2, defines it.
nlohmann::json to_json(const Value& value);
nlohmann::json to_json(const Resolved& declaration);

}  // namespace trl::language
