#include <algorithm>

#include "language_server/diagnostics.hpp"
#include "language_server/feature.hpp"
#include "language_server/protocol.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

bool touches(const json& a, const json& b) {
  const auto key = [](const json& p) {
    return std::pair(p["line"].get<std::size_t>(), p["character"].get<std::size_t>());
  };
  return key(a["start"]) <= key(b["end"]) && key(b["start"]) <= key(a["end"]);
}

/// Whether the client asks for actions of a kind, `quickfix`, or for all.
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
  const auto range = params.find("range");
  if (range == params.end() || !range->is_object() || !range->contains("start") || !range->contains("end"))
    throw InvalidParams("`range` is missing");
  const Document& document = session.document(params);
  // An invalid position is refused here.
  const std::size_t from = document.offset((*range)["start"], session.encoding);
  const std::size_t to = document.offset((*range)["end"], session.encoding);
  const json asked = document.range(std::min(from, to), std::max(from, to), session.encoding);
  Analysis& analysis = session.analysis(document);
  json out = json::array();
  std::vector<const language::Fix*> certain;
  for (const language::Diagnostic& d : analysis.program->checked.diagnostics) {
    if (analysis.source(d.range.file).path() != document.path()) continue;
    const json where = session.range(analysis, d.range);
    for (const language::Fix& fix : d.fixes) {
      if (analysis.source(fix.range.file).path() != document.path()) continue;
      const bool free = std::none_of(certain.begin(), certain.end(),
                                     [&](const auto* other) { return overlap(other->range, fix.range); });
      if (fix.certain && free && &fix == &d.fixes.front()) certain.push_back(&fix);
      if (!touches(where, asked) || !wanted(params, "quickfix")) continue;
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
