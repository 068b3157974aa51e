#include "language/server/occurrences.hpp"
#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

json references_of(Session& session, const json& params) {
  const json context = params.value("context", json::object());
  const bool with_declaration = !context.is_object() || context.value("includeDeclaration", true);
  json out = json::array();
  for (const Occurrence& one : occurrences(session, subject_of(session, params)))
    if (with_declaration || !one.declaration)
      out.push_back({{"uri", uri_of(one.path)}, {"range", one.range}});
  return out;
}

json highlights_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  const Subject subject = subject_of(session, params);
  constexpr int read = 2, write = 3;
  json out = json::array();
  for (const Occurrence& one : occurrences_in(session, subject, document.path()))
    if (one.path == document.path())
      out.push_back({{"range", one.range}, {"kind", one.declaration ? write : read}});
  return out;
}

json rename_to(Session& session, const json& params) {
  const auto name = params.find("newName");
  if (name == params.end() || !name->is_string()) throw InvalidParams("`newName` is missing");
  const Subject subject = subject_of(session, params);
  refuse_rename(session, subject, name->get<std::string>());
  json changes = json::object();
  for (const Occurrence& one : occurrences(session, subject))
    changes[uri_of(one.path)].push_back({{"range", one.range}, {"newText", *name}});
  return {{"changes", changes}};
}

json can_rename(Session& session, const json& params) {
  const Document& document = session.document(params);
  const std::size_t offset = session.offset(params);
  const Subject subject = subject_of(session, params);
  if (!subject) return nullptr;
  refuse_rename(session, subject, subject.name);
  for (const Occurrence& one : occurrences_in(session, subject, document.path()))
    if (one.path == document.path() && one.begin <= offset && offset <= one.end)
      return {{"range", one.range}, {"placeholder", subject.name}};
  return nullptr;
}

json rename_options() { return {{"prepareProvider", true}}; }

}  // namespace

const Feature features::references{"textDocument/references", references_of, "referencesProvider"};
const Feature features::document_highlight{"textDocument/documentHighlight", highlights_of,
                                           "documentHighlightProvider"};
const Feature features::rename{"textDocument/rename", rename_to, "renameProvider", rename_options};
const Feature features::prepare_rename{"textDocument/prepareRename", can_rename, ""};

}  // namespace trl::language_server
