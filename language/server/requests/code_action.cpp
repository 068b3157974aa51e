#include <algorithm>

#include "language/program/tried_fixes.hpp"
#include "language/server/diagnostics.hpp"
#include "language/server/feature.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

/// Whether the client requests actions of this kind, such as `quickfix`, or of all kinds.
bool wanted(const json& params, std::string_view kind) {
  const json context = params.value("context", json::object());
  if (!context.is_object() || !context.contains("only") || !context["only"].is_array()) return true;
  return std::any_of(context["only"].begin(), context["only"].end(), [&](const json& only) {
    if (!only.is_string()) return false;
    const auto& text = only.get_ref<const std::string&>();
    return kind == text || kind.starts_with(text + ".");
  });
}

json edit_of(Session& session, Analysis& analysis, const std::vector<const language::Fix*>& fixes) {
  json changes = json::object();
  for (const language::Fix* fix : fixes)
    changes[uri_of(analysis.source(fix->range.file).path())].push_back(
        {{"range", session.range(analysis, fix->range)}, {"newText", fix->text}});
  return {{"changes", changes}};
}

bool overlap(const language::Range& a, const language::Range& b) {
  return a.file == b.file && a.begin <= b.end && b.begin <= a.end;
}

json actions_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  const auto [from, to] = session.offsets(params);
  Analysis& analysis = session.analysis(document);
  // The document is the first file of its program.
  const language::Range asked{0, std::min(from, to), std::max(from, to)};
  json out = json::array();
  std::vector<const language::Fix*> certain;
  // The fixes that are shown are tried first.
  std::vector<language::Diagnostic> tried = analysis.program->checked.diagnostics;
  language::try_fixes(tried, analysis.program->checked.sources, analysis.program->options,
                      [&](const language::Diagnostic& d) { return overlap(d.range, asked); });
  for (const language::Diagnostic& d : tried) {
    if (analysis.source(d.range.file).path() != document.path()) continue;
    for (const language::Fix& fix : d.fixes) {
      if (analysis.source(fix.range.file).path() != document.path()) continue;
      const bool free = std::none_of(certain.begin(), certain.end(),
                                     [&](const auto* other) { return overlap(other->range, fix.range); });
      if (fix.certain && free && &fix == &d.fixes.front()) certain.push_back(&fix);
      if (!overlap(d.range, asked) || !wanted(params, "quickfix")) continue;
      out.push_back({{"title", fix.title},
                     {"kind", "quickfix"},
                     {"isPreferred", fix.certain},
                     {"diagnostics", json::array({diagnostic_json(session, analysis, d)})},
                     {"edit", edit_of(session, analysis, {&fix})}});
    }
  }
  if (!certain.empty() && wanted(params, "source.fixAll.trl"))
    out.push_back({{"title", "Make all certain corrections of this file"},
                   {"kind", "source.fixAll.trl"},
                   {"edit", edit_of(session, analysis, certain)}});
  return out;
}

json action_options() { return {{"codeActionKinds", {"quickfix", "source.fixAll.trl"}}}; }

}  // namespace

const Feature features::code_action{"textDocument/codeAction", actions_of, "codeActionProvider",
                                    action_options};

}  // namespace trl::language_server
