// Prints values as text of the language.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/program/resolve.hpp"

namespace trl::language {

/// Chooses the names of declarations, suites and functions in a printed file. Declarations of imported files
/// are printed in that file, too. Modules are imported under the names that they have in the program.
class FileNames {
 public:
  explicit FileNames(const InMemory& program) : program_(program) {}
  /// From now on, declarations keep the names by which the program refers to them. Names of imported
  /// declarations have two parts, such as `windtunnel.level1`.
  void as_in_program() { as_in_program_ = true; }
  /// Chooses a declaration's name in the printed file: its own name, or a name with a number if an earlier
  /// call has used that name.
  void declare(const ast::Declaration& declaration);
  std::string of(const ast::Declaration& declaration) const;
  /// Whether `of` has returned the declaration's name since the last call of `forget_uses`.
  bool used(const ast::Declaration& declaration) const { return used_.contains(&declaration); }
  void forget_uses() { used_.clear(); }
  bool declares(const ast::Declaration& declaration) const {
    return as_in_program_ || names_.contains(&declaration);
  }
  /// The name of a task's suite: "windtunnel.level1", or `level1` for a suite of the program itself. Imports
  /// the suite's file.
  std::string suite(const SuiteTask& task);
  /// The name of a function, such as "windtunnel.corpus". Imports the function's module.
  std::string function(const std::string& full);
  /// Adds an import of a module's file and returns the module's name in the printed file.
  std::string import(const Module& module);
  /// The imported modules, such as "windtunnel", and their names in the printed file.
  const std::map<std::string, std::string>& imports() const { return imports_; }

 private:
  std::string import(const std::string& path, const Module* module);
  std::string free(const std::string& wanted) const;
  std::string path_of(const Module& module) const;

  const InMemory& program_;
  bool as_in_program_ = false;
  std::map<const ast::Declaration*, std::string> names_;
  std::map<std::string, std::string> imports_;
  std::set<std::string> taken_;
  mutable std::set<const ast::Declaration*> used_;
};

/// The fields that designs vary. A value that depends on such a field must be printed as an expression that
/// still depends on it.
struct Varied {
  /// The varied fields, as declaration and path. The path of a `let` is empty.
  std::set<std::pair<const ast::Declaration*, std::string>> paths;
  /// The `let`s that values which depend on varied fields refer to.
  std::set<const ast::Declaration*> lets;
};

/// Prints values as text. The text parses and resolves to the same value.
class Printer {
 public:
  /// If `defaults` is false, arguments of calls that the program leaves out are left out.
  Printer(const InMemory& program, FileNames& names, Varied& varied, Context& context, bool defaults)
      : program_(program), names_(names), varied_(varied), context_(context), defaults_(defaults) {}
  /// Prints a value. If the value is a default, `default_value` is the default's range in the schema.
  std::string value(const Value& value, const Type& type, const std::optional<Range>& default_value = {});
  /// The program's own text for a value, if the text depends on a varied field; otherwise nothing.
  std::optional<std::string> following(const Value& value);
  /// Adds the fields that a design varies to `varied`.
  void vary(const Value& design);
  /// The program's own text for a value, if it differs from the printed text because it uses a `let`, a field
  /// or arithmetic; otherwise nothing.
  std::optional<std::string> written(const Value& value, const std::string& printed) const;

 private:
  const Module* module_of(const Range& range) const;
  std::optional<std::string> literal(const Value& value, const Range& range) const;
  std::string number(const Value& value, const Type& type, const Range& range) const;
  std::string list(const Value& value, const Type& element);
  std::string tasks(const Value& value);
  const ast::Declaration* split_named(const Value& value) const;
  std::string formula(const Value& value, const Range& range) const;
  std::string call(const Value& value);
  struct Place {
    Symbol symbol;
    std::string path;  ///< the field's path within the declaration, such as `failing.full`
  };
  /// The declaration and the field to which a path in a design's axis or in a contrast refers.
  Place place(const std::string& dotted, const Range& written) const;
  std::string place_text(const Place& place) const;
  bool follows(const ast::Expr& e, const Module& module, int depth);
  void keep_lets(const ast::Expr& e, const Module& module, int depth);

  const InMemory& program_;
  FileNames& names_;
  Varied& varied_;
  Context& context_;
  bool defaults_;
};

/// Puts a text in double quotes and escapes it.
std::string quoted(const std::string& text);

}  // namespace trl::language
