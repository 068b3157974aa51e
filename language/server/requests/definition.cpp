#include "language/server/feature.hpp"
#include "language/server/meaning.hpp"
#include "language/server/place.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

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
  // The module in `windtunnel.level1`, and the field in `reinforce.max_tokens`.
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
  return nullptr;
}

}  // namespace

const Feature features::definition{"textDocument/definition", definition_of, "definitionProvider"};

}  // namespace trl::language_server
