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

/// The names of declarations, suites and functions in a printed file. Declarations of imported files are
/// printed beside the program's own, and modules are imported as the program imports them.
class FileNames {
 public:
  explicit FileNames(const InMemory& program) : program_(program) {}
  /// From here on, declarations have the names by which the program calls them; imported ones have two parts.
  void as_in_program() { as_in_program_ = true; }
  /// Chooses a declaration's name: its own for the program's declarations, a free one for others. Earlier
  /// calls are preferred.
  void declare(const ast::Declaration& declaration);
  std::string of(const ast::Declaration& declaration) const;
  /// Whether the name was used since `forget_uses`.
  bool used(const ast::Declaration& declaration) const { return used_.contains(&declaration); }
  void forget_uses() { used_.clear(); }
  bool declares(const ast::Declaration& declaration) const {
    return as_in_program_ || names_.contains(&declaration);
  }
  /// A suite's name: "windtunnel.level1", or `level1` for the program's own. Imports the suite's file.
  std::string suite(const SuiteTask& task);
  /// A function's name, "windtunnel.corpus". Imports its module.
  std::string function(const std::string& full);
  /// Imports a file and returns its name.
  std::string import(const Module& module);
  /// Imported modules ("windtunnel") and their names in the file.
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

/// The fields that designs vary. Values that depend on them must be printed so that they still do.
struct Varied {
  /// Fields by declaration and path; a `let` has an empty path.
  std::set<std::pair<const ast::Declaration*, std::string>> paths;
  /// The `let`s that such values need.
  std::set<const ast::Declaration*> lets;
};

/// Prints values. The printed text parses and resolves to the same value.
class Printer {
 public:
  /// Without `defaults`, arguments of calls that were not given are left out.
  Printer(const InMemory& program, FileNames& names, Varied& varied, Context& context, bool defaults)
      : program_(program), names_(names), varied_(varied), context_(context), defaults_(defaults) {}
  /// If the value is a default, `default_value` is the default's place in the schema.
  std::string value(const Value& value, const Type& type, const std::optional<Range>& default_value = {});
  /// The text that was written, if it depends on a varied field.
  std::optional<std::string> following(const Value& value);
  /// Records the fields that a design varies.
  void vary(const Value& design);
  /// The text that was written, if it gives the value by other names: a `let`, a field, arithmetic.
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
    std::string path;  ///< within the declaration, `failing.full`
  };
  /// The declaration and field that the path of an axis or of a contrast names.
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

/// A text in double quotes, escaped.
std::string quoted(const std::string& text);

}  // namespace trl::language
