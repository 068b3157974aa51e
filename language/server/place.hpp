// The syntax at a place of a file: the declaration, the field and the expression around it.
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
    base,      ///< the base from which it derives
    field,     ///< the name of a field; `path` ends with the part at the place
    value,     ///< within an expression
    allow,     ///< the rule of an `allow`
    label,     ///< the name of an argument
  };
  Part part = Part::nothing;
  const language::Module* module = nullptr;
  const language::ast::Import* import = nullptr;
  std::vector<const language::ast::Declaration*> declarations;  ///< around the place, outermost first
  std::vector<const language::ast::Item*> items;                ///< the fields around it, outermost first
  std::vector<const language::ast::Expr*> expressions;          ///< around it, outermost first
  const language::ast::Allow* allow = nullptr;
  std::vector<std::string> path;  ///< of the field within the declaration, up to the part at the place
  language::Range range;          ///< of the name at the place

  const language::ast::Declaration* declaration() const {
    return declarations.empty() ? nullptr : declarations.back();
  }
  /// The declaration as a symbol of its module.
  language::Symbol symbol() const { return {declaration(), module}; }
};

/// The syntax at an offset of a module. The end of a name belongs to the name.
Place place_at(const language::Module& module, std::size_t offset);

/// A name that stands for a declaration, and the place of the declaration's own name within it: for
/// `windtunnel.level1` that of `level1`.
struct Mention {
  language::Symbol symbol;
  language::Range range;  ///< of the whole name
  language::Range name;   ///< of the part that names the declaration
};

/// The fields that are named behind the declaration, up to the one at an offset: [max_tokens] of
/// `reinforce.max_tokens`.
std::vector<std::string> fields_until(const Analysis& analysis, const Mention& mention, std::size_t offset);

/// Every name in a program that stands for a declaration, each place once, the declarations' own names
/// included. They are gathered once an analysis.
const std::vector<Mention>& mentions(const Analysis& analysis);
/// The innermost of them at an offset.
std::optional<Mention> mention_at(const Analysis& analysis, language::FileId file, std::size_t offset);

}  // namespace trl::language_server
