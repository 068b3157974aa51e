#include "language_server/feature.hpp"
#include "language_server/meaning.hpp"
#include "language_server/place.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

/// The place of a module's first byte.
json beginning(Analysis& analysis, const language::Module& module) {
  return analysis.program->checked.sources.size() > module.file
             ? json{{"uri", uri_of(analysis.source(module.file).path())},
                    {"range",
                     {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}}}}
             : json();
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
    return beginning(analysis, *import->second.module);
  }
  const auto mention = mention_at(analysis, module->file, offset);
  // The module in `windtunnel.level1`, and the field in `reinforce.max_tokens`.
  if (mention && offset < mention->name.begin && mention->symbol.module != module)
    return beginning(analysis, *mention->symbol.module);
  if (mention && offset <= mention->name.end)
    return session.location(analysis, mention->symbol.declaration->name_range);
  if (mention) {
    const std::string_view text = analysis.program->checked.sources.text(mention->range);
    std::vector<std::string> path;
    for (std::size_t begin = mention->name.end - mention->range.begin + 1; begin < text.size();) {
      const std::size_t end = std::min(text.find('.', begin), text.size());
      path.emplace_back(text.substr(begin, end - begin));
      if (mention->range.begin + end >= offset) break;
      begin = end + 1;
    }
    if (const auto of = resolved(analysis, mention->symbol))
      if (const language::Value* value = value_at(*of, path); value != nullptr && value->origin.range.end > 0)
        return session.location(analysis, value->origin.range);
    if (const language::Spec* spec = spec_of(analysis, mention->symbol, path))
      return session.location(analysis, spec->range);
    return nullptr;
  }
  // A field leads to the schema, and so does a variant.
  if (place.part == Place::Part::field)
    if (const language::Spec* spec = spec_of(analysis, place.symbol(), place.path))
      return session.location(analysis, spec->range);
  return nullptr;
}

}  // namespace

const Feature features::definition{"textDocument/definition", definition_of, "definitionProvider"};

}  // namespace trl::language_server
