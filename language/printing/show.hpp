// Shows a file in resolved form: every field with its value and the origin of the value.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct ShowOptions {
  /// The name of the declaration to show. An experiment is shown with the declarations that it uses, under
  /// its overrides; any other declaration is shown alone. If the name is empty, all experiments are shown,
  /// with `override` blocks for the fields that their overrides change.
  std::string name;
  /// Whether to leave out defaults.
  bool changed = false;
};

struct ShownOrigin {
  std::string kind;     ///< one of default, here, derived, override and set
  std::string of;       ///< the base from which the value is derived, or the experiment that overrides it
  std::string where;    ///< `path:line:column`
  std::string place;    ///< `file.trl:9`
  std::string written;  ///< the program's own text for the value, if it uses a `let`, a field or arithmetic
};

struct ShownField {
  std::string name, parameters;  ///< "reward", "(c)"
  std::string text;              ///< the value as text; empty for a block
  nlohmann::json value;          ///< as in the resolved document, but declarations by name
  ShownOrigin origin;
  bool block = false;
  bool inherited = false;  ///< the field takes its value from the field of the same name in the base
  std::vector<ShownField> fields;
};

struct ShownAllow {
  std::string rule, reason;
  ShownOrigin origin;
};

struct ShownDeclaration {
  std::string kind, name, doc;
  /// The base from which the declaration derives, if any: a variant, or a declaration with fields that a
  /// design varies.
  std::string base;
  std::vector<ShownAllow> allows;
  std::vector<ShownField> fields;
  bool by_value = false;  ///< the declaration has the form `split a = …`; its only field then has no name
  std::string source;     ///< the program's own text, for suites and `let`s
  ShownOrigin origin;
};

struct Shown {
  Checked checked;
  std::string doc;
  std::vector<std::string> imports;  ///< "import windtunnel as w"
  std::vector<ShownDeclaration> declarations;
  std::vector<std::string> known;  ///< the names of all declarations, for suggestions
  bool found = false;              ///< whether the declaration `ShowOptions::name` exists
};

/// Checks a file and returns its resolved form. If the file has errors, no declarations are returned.
Shown show_file(const std::string& path, const CheckOptions& check, const ShowOptions& options = {});

/// Prints the shown declarations as a file of the language that resolves to the same document. Origins are
/// printed as comments.
std::string show_text(const Shown& shown);

/// Returns the shown fields as JSON: `[{"path", "text", "value", "origin": {"kind", "of", "where",
/// "written"}}]`.
nlohmann::json show_json(const Shown& shown);

}  // namespace trl::language
