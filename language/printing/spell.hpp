// Values as they would be written in the language.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/program/resolve.hpp"

namespace trl::language {

/// The names that declarations, suites and functions go by in a file of its own: declarations of imported
/// files stand in it beside the program's, and modules are imported as the program does.
class FileNames {
 public:
  explicit FileNames(const InMemory& program) : program_(program) {}
  /// From here on declarations go by the names that the program has for them, imported ones by two parts.
  void as_in_program() { as_in_program_ = true; }
  /// Gives the program's declarations their own names, others a free one; in this order.
  void declare(const ast::Declaration& declaration);
  std::string of(const ast::Declaration& declaration) const;
  /// Whether a name was asked for since `forget_uses`.
  bool used(const ast::Declaration& declaration) const { return used_.contains(&declaration); }
  void forget_uses() { used_.clear(); }
  bool declares(const ast::Declaration& declaration) const {
    return as_in_program_ || names_.contains(&declaration);
  }
  /// "windtunnel.level1", and `level1` of the program itself. Imports the file of the suite.
  std::string suite(const SuiteTask& task);
  /// "windtunnel.corpus". Imports the module.
  std::string function(const std::string& full);
  /// Imports a file.
  std::string import(const Unit& unit);
  /// "windtunnel", and the name that it goes by.
  const std::map<std::string, std::string>& imports() const { return imports_; }

 private:
  std::string import(const std::string& module, const Unit* unit);
  std::string free(const std::string& wanted) const;
  std::string path_of(const Unit& unit) const;

  const InMemory& program_;
  bool as_in_program_ = false;
  std::map<const ast::Declaration*, std::string> names_;
  std::map<std::string, std::string> imports_;
  std::set<std::string> taken_;
  mutable std::set<const ast::Declaration*> used_;
};

/// What designs vary: values that follow it must go on to say so.
struct Varied {
  /// Fields by their declaration and path, `lets` by an empty one.
  std::set<std::pair<const ast::Declaration*, std::string>> paths;
  /// The `let`s without which the values that follow can't be read.
  std::set<const ast::Declaration*> lets;
};

/// Spells values. What is spelt parses, and comes to the same value.
class Speller {
 public:
  /// Without `defaults`, arguments of calls that nobody gave are left out.
  Speller(const InMemory& program, FileNames& names, Varied& varied, Context& context, bool defaults)
      : program_(program), names_(names), varied_(varied), context_(context), defaults_(defaults) {}
  /// `standard` is the place in the schema of the default that the value is.
  std::string value(const Value& value, const Type& type, const std::optional<Range>& standard = {});
  /// The text that was written, when it depends on what is varied.
  std::optional<std::string> following(const Value& value);
  /// Notes what a design varies.
  void vary(const Value& design);
  /// The text that was written, when it says the value by other names: a `let`, a field, arithmetic.
  std::optional<std::string> written(const Value& value, const std::string& spelt) const;

 private:
  const Unit* unit_of(const Range& range) const;
  std::optional<std::string> literal(const Value& value, const Range& range) const;
  std::string number(const Value& value, const Type& type, const Range& range) const;
  std::string list(const Value& value, const Type& element);
  std::string tasks(const Value& value);
  const ast::Declaration* split_named(const Value& value) const;
  std::string formula(const Value& value, const Range& range) const;
  std::string call(const Value& value);
  struct Place {
    Symbol symbol;
    std::string path;  ///< within it, `failing.full`
  };
  /// What the path of an axis or of a contrast leads to.
  Place place(const std::string& dotted, const Range& written) const;
  std::string place_text(const Place& place) const;
  bool follows(const ast::Expr& e, const Unit& unit, int depth);
  void keep_lets(const ast::Expr& e, const Unit& unit, int depth);

  const InMemory& program_;
  FileNames& names_;
  Varied& varied_;
  Context& context_;
  bool defaults_;
};

/// A text in double quotes.
std::string quoted(const std::string& text);

}  // namespace trl::language
