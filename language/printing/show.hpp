// The resolved file: every field with its value as it would be written, and who said so.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct ShowOptions {
  /// An experiment, with what it reaches under its overrides; or another declaration, alone. Empty for all
  /// experiments: what their overrides change stands in `override` blocks.
  std::string name;
  /// Leave out what nobody wrote.
  bool changed = false;
};

struct ShownOrigin {
  std::string kind;     ///< default, here, derived, override, set
  std::string of;       ///< the declaration that is derived from, or the experiment that overrides
  std::string where;    ///< `path:line:column`
  std::string place;    ///< `file.trl:9`
  std::string written;  ///< what stands there when it says the value by other names
};

struct ShownField {
  std::string name, parameters;  ///< "reward", "(c)"
  std::string text;              ///< as written; empty for a block
  nlohmann::json value;          ///< as in the document; declarations by name
  ShownOrigin origin;
  bool block = false;
  bool inherited = false;  ///< follows the field of that name of what its declaration derives from
  std::vector<ShownField> fields;
};

struct ShownAllow {
  std::string rule, reason;
  ShownOrigin origin;
};

struct ShownDeclaration {
  std::string kind, name, doc;
  /// What it derives from, if anything: a variant; or a declaration, some fields of which a design varies.
  std::string base;
  std::vector<ShownAllow> allows;
  std::vector<ShownField> fields;
  bool by_value = false;  ///< `split a = …`: its one field has no name
  std::string source;     ///< of suites and of `let`s, as they are written
  ShownOrigin origin;
};

struct Shown {
  Checked checked;
  std::string doc;
  std::vector<std::string> imports;  ///< "import windtunnel as w"
  std::vector<ShownDeclaration> declarations;
  std::vector<std::string> known;  ///< names that could be asked for
  bool found = false;              ///< whether there is what was asked for
};

/// Checks a file and shows it; nothing is shown when it has errors.
Shown show_file(const std::string& path, const CheckOptions& check, const ShowOptions& options = {});

/// As a file of the language that comes to the same document: origins are comments.
std::string show_text(const Shown& shown);

/// `[{"path", "text", "value", "origin": {"kind", "of", "where", "written"}}]`.
nlohmann::json show_json(const Shown& shown);

}  // namespace trl::language
