// Finds the declaration, the field and the expression around a position in a file.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "language/server/session.hpp"

namespace trl::language_server {

struct Place {
  enum class Part {
    nothing,   ///< blanks, punctuation, comments
    import_,   ///< the path of an import
    kind,      ///< the keyword of a declaration
    declared,  ///< the name that a declaration declares
    base,      ///< the base from which a declaration derives
    field,     ///< the name of a field; `path` ends with the part of the name at the position
    value,     ///< an expression
    allow,     ///< the rule of an `allow`
    label,     ///< the name of an argument
  };
  Part part = Part::nothing;
  const language::Module* module = nullptr;
  const language::ast::Import* import = nullptr;
  std::vector<const language::ast::Declaration*>
      declarations;                               ///< the declarations around the position, outermost first
  std::vector<const language::ast::Item*> items;  ///< the fields around the position, outermost first
  std::vector<const language::ast::Expr*>
      expressions;  ///< the expressions around the position, outermost first
  const language::ast::Allow* allow = nullptr;
  std::vector<std::string>
      path;               ///< the path of the field within the declaration, up to the part at the position
  language::Range range;  ///< the range of the name at the position

  const language::ast::Declaration* declaration() const {
    return declarations.empty() ? nullptr : declarations.back();
  }
  /// The innermost declaration, as a symbol of its module.
  language::Symbol symbol() const { return {declaration(), module}; }
};

/// Finds the syntax at an offset of a module. The offset directly behind a name belongs to the name.
Place place_at(const language::Module& module, std::size_t offset);

/// A name that refers to a declaration. In `windtunnel.level1`, the whole name refers to the declaration
/// `level1`, and its last part is the declaration's own name.
struct Mention {
  language::Symbol symbol;
  language::Range range;  ///< the range of the whole name
  language::Range name;   ///< the range of the part that is the declaration's own name
};

/// The fields that follow the declaration in a dotted name, up to the field at an offset: [max_tokens] in
/// `reinforce.max_tokens`.
std::vector<std::string> fields_until(const Analysis& analysis, const Mention& mention, std::size_t offset);

/// All names in a program that refer to declarations, including the names in the declarations themselves.
/// Each range occurs once. The list is computed once for each analysis.
const std::vector<Mention>& mentions(const Analysis& analysis);
/// The shortest mention that contains an offset; nothing if there is none.
std::optional<Mention> mention_at(const Analysis& analysis, language::FileId file, std::size_t offset);

}  // namespace trl::language_server
