// Prints the resolved file: every field with its value and where the value comes from.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct ShowOptions {
  /// The declaration to show. An experiment is shown with the declarations that it reaches under its
  /// overrides, any other declaration alone. If empty, all experiments are shown, with `override` blocks for
  /// the fields that their overrides change.
  std::string name;
  /// Leave out defaults.
  bool changed = false;
};

struct ShownOrigin {
  std::string kind;     ///< default, here, derived, override, set
  std::string of;       ///< the base from which the value is derived, or the experiment that overrides it
  std::string where;    ///< `path:line:column`
  std::string place;    ///< `file.trl:9`
  std::string written;  ///< the written text, if it gives the value by other names
};

struct ShownField {
  std::string name, parameters;  ///< "reward", "(c)"
  std::string text;              ///< the value as text; empty for a block
  nlohmann::json value;          ///< as in the document, but with declarations by name
  ShownOrigin origin;
  bool block = false;
  bool inherited = false;  ///< takes the value of the base's field of that name
  std::vector<ShownField> fields;
};

struct ShownAllow {
  std::string rule, reason;
  ShownOrigin origin;
};

struct ShownDeclaration {
  std::string kind, name, doc;
  /// The base from which it derives, if any: a variant, or a declaration of which a design varies some
  /// fields.
  std::string base;
  std::vector<ShownAllow> allows;
  std::vector<ShownField> fields;
  bool by_value = false;  ///< declared as `split a = …`; its only field has no name
  std::string source;     ///< the written text, for suites and `let`s
  ShownOrigin origin;
};

struct Shown {
  Checked checked;
  std::string doc;
  std::vector<std::string> imports;  ///< "import windtunnel as w"
  std::vector<ShownDeclaration> declarations;
  std::vector<std::string> known;  ///< names that could be asked for
  bool found = false;              ///< whether the declaration that was asked for exists
};

/// Checks a file and shows it. Nothing is shown if it has errors.
Shown show_file(const std::string& path, const CheckOptions& check, const ShowOptions& options = {});

/// A file of the language that resolves to the same document, with origins as comments.
std::string show_text(const Shown& shown);

/// `[{"path", "text", "value", "origin": {"kind", "of", "where", "written"}}]`.
nlohmann::json show_json(const Shown& shown);

}  // namespace trl::language
