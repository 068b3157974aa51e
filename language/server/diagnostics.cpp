#include "language/server/diagnostics.hpp"

namespace trl::language_server {

using nlohmann::json;

json diagnostic_json(Session& session, Analysis& analysis, const language::Diagnostic& diagnostic) {
  constexpr int error = 1, warning = 2, information = 3, unnecessary = 1;
  const int severity = diagnostic.severity == language::Severity::error     ? error
                       : diagnostic.severity == language::Severity::warning ? warning
                                                                            : information;
  std::string message = diagnostic.message;
  if (!diagnostic.help.empty()) message += "\nhelp: " + diagnostic.help;
  json related = json::array();
  for (const language::Note& note : diagnostic.notes) {
    if (note.has_range)
      related.push_back({{"location", session.location(analysis, note.range)}, {"message", note.message}});
    else
      message += "\nnote: " + note.message;
  }
  json out = {{"range", session.range(analysis, diagnostic.range)},
              {"severity", severity},
              {"code", diagnostic.rule},
              {"source", "trl"},
              {"message", message}};
  if (!related.empty()) out["relatedInformation"] = std::move(related);
  if (diagnostic.rule.starts_with("unused_")) out["tags"] = {unnecessary};
  return out;
}

std::map<std::string, json> diagnostics_of(Session& session, const Document& document) {
  std::map<std::string, json> out;
  out[document.uri()] = json::array();
  if (document.path().starts_with("stdlib:")) return out;
  Analysis& analysis = session.analysis(document);
  for (const language::Diagnostic& d : analysis.program->checked.diagnostics) {
    const std::string& path = analysis.source(d.range.file).path();
    if (path == document.path()) {
      out[document.uri()].push_back(diagnostic_json(session, analysis, d));
    } else if (!path.starts_with("stdlib:") && !session.documents().contains(uri_of(path))) {
      out[uri_of(path)].push_back(diagnostic_json(session, analysis, d));
    }
  }
  return out;
}

}  // namespace trl::language_server
