#include <optional>
#include <string>
#include <vector>

#include "language/server/feature.hpp"
#include "language/server/meaning.hpp"
#include "language/server/place.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

namespace ast = language::ast;
using language::Range;

/// Returns the library's function to which a call or a name refers; null if it refers to none.
const language::Function* function_of(const Analysis& analysis, const Place& place, const ast::Expr& e) {
  const auto dotted = (e.is(ast::Expr::Kind::call) ? e.args[0] : e).dotted();
  if (!dotted) return nullptr;
  const auto& functions = analysis.program->library->schema.functions;
  const auto at = functions.find(full_name(*place.module, *dotted));
  return at == functions.end() ? nullptr : &at->second;
}

/// Returns the range in which a name of a formula or a task is declared: `c` in `reward(c) = c.credit`, `x`
/// and `N` in a task. For the part of `c.credit` behind the dot, this is a place in the schema.
std::optional<Range> own_name(Analysis& analysis, const Place& place, const ast::Expr& e,
                              std::size_t offset) {
  const auto dotted = e.dotted();
  if (!dotted) return std::nullopt;
  const std::size_t dot = dotted->find('.');
  const std::string name = dotted->substr(0, dot);
  const bool part = dot != dotted->npos && offset > e.range.begin + dot;
  const auto parameter = [&](const std::vector<ast::Parameter>& written,
                             const std::vector<ast::Parameter>& typed) -> std::optional<Range> {
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i].name != name) continue;
      if (!part) return written[i].name_range;
      if (i >= typed.size() || !typed[i].type) return std::nullopt;
      const auto& records = analysis.program->library->schema.records;
      const auto record = records.find(typed[i].type->dotted().value_or(""));
      const language::Spec* field =
          record == records.end() ? nullptr : find(record->second.fields, dotted->substr(dot + 1));
      return field == nullptr ? std::nullopt : std::optional(field->range);
    }
    return std::nullopt;
  };
  if (!place.items.empty())
    if (const language::Spec* spec = spec_of(analysis, place.symbol(), place.path))
      if (const auto found = parameter(place.items.back()->parameters, spec->parameters)) return found;
  const ast::Declaration* d = place.declaration();
  if (d == nullptr) return std::nullopt;
  if (const auto found = parameter(d->parameters, d->parameters)) return found;
  for (const ast::Dimension& dimension : d->dimensions)
    if (dimension.name == name) return dimension.name_range;
  return std::nullopt;
}

/// Finds where the library defines a kind, a variant, a function, an argument, or a name of the formula.
std::optional<Range> in_library(Analysis& analysis, const Place& place, std::size_t offset) {
  const language::Schema& schema = analysis.program->library->schema;
  const ast::Declaration* d = place.declaration();
  const language::KindSpec* kind = d == nullptr ? nullptr : schema.kind(d->kind);
  if (place.part == Place::Part::kind && kind != nullptr) return kind->range;
  if (place.part == Place::Part::base && kind != nullptr)
    if (const auto variant = kind->variants.find(d->base.text()); variant != kind->variants.end())
      return variant->second.range;
  for (auto e = place.expressions.rbegin(); e != place.expressions.rend(); ++e) {
    if (place.part == Place::Part::label) {
      const bool call = (*e)->is(ast::Expr::Kind::call);
      const language::Function* of = call ? function_of(analysis, place, **e) : nullptr;
      for (const ast::Argument& argument : call ? (*e)->arguments : std::vector<ast::Argument>())
        if (of != nullptr && argument.label_range.begin <= offset && offset <= argument.label_range.end)
          if (const language::Spec* spec = find(of->fields, argument.label)) return spec->range;
      continue;
    }
    if (const auto own = own_name(analysis, place, **e, offset)) return own;
    if (!(*e)->is(ast::Expr::Kind::call))
      if (const language::Function* of = function_of(analysis, place, **e)) return of->range;
  }
  return std::nullopt;
}

json definition_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  const std::size_t offset = session.offset(params);
  Analysis& analysis = session.analysis(document);
  const language::Module* module = analysis.module();
  if (module == nullptr) return nullptr;
  const Place place = place_at(*module, offset);
  if (place.part == Place::Part::import_ && place.import != nullptr) {
    const auto import = module->imports.find(place.import->alias);
    if (import == module->imports.end() || import->second.module == nullptr) return nullptr;
    return session.location(analysis, {import->second.module->file, 0, 0});
  }
  const auto mention = mention_at(analysis, module->file, offset);
  // In `windtunnel.level1` the cursor may be on the module, in `reinforce.max_tokens` on the field.
  if (mention && offset < mention->name.begin && mention->symbol.module != module)
    return session.location(analysis, {mention->symbol.module->file, 0, 0});
  if (mention && offset <= mention->name.end)
    return session.location(analysis, mention->symbol.declaration->name_range);
  if (mention) {
    const std::vector<std::string> path = fields_until(analysis, *mention, offset);
    if (const auto of = resolved(analysis, mention->symbol))
      if (const language::Value* value = value_at(*of, path); value != nullptr && value->origin.range.end > 0)
        return session.location(analysis, value->origin.range);
    if (const language::Spec* spec = spec_of(analysis, mention->symbol, path))
      return session.location(analysis, spec->range);
    return nullptr;
  }
  // A field leads to the schema.
  if (place.part == Place::Part::field)
    if (const language::Spec* spec = spec_of(analysis, place.symbol(), place.path))
      return session.location(analysis, spec->range);
  if (const auto range = in_library(analysis, place, offset)) return session.location(analysis, *range);
  return nullptr;
}

}  // namespace

const Feature features::definition{"textDocument/definition", definition_of, "definitionProvider"};

}  // namespace trl::language_server
