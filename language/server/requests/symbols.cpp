#include <algorithm>
#include <cctype>

#include "language/server/feature.hpp"
#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;
namespace ast = language::ast;

/// The icon that an editor draws beside a declaration: `SymbolKind` of the protocol.
int symbol_kind(const std::string& kind) {
  constexpr int module = 2, class_ = 5, method = 6, field = 8, function = 12, constant = 14, array = 18,
                object = 19, event = 24, operator_ = 25;
  static const std::map<std::string, int> kinds = {
      {"suite", module},      {"task", function},    {"split", array},        {"let", constant},
      {"experiment", class_}, {"train", method},     {"evaluation", method},  {"table", field},
      {"plot", field},        {"hypothesis", event}, {"extension", operator_}};
  const auto at = kinds.find(kind);
  return at == kinds.end() ? object : at->second;
}

/// After a syntax error, a declaration's name may lie behind the end of the declaration.
language::Range around(const language::Range& outer, const language::Range& inner) {
  return {outer.file, std::min(outer.begin, inner.begin), std::max(outer.end, inner.end)};
}

json symbols_in(Session& session, Analysis& analysis, const std::vector<ast::Declaration>& declarations) {
  json out = json::array();
  for (const ast::Declaration& d : declarations) {
    if (d.name.empty()) continue;
    json one = {{"name", d.name},
                {"detail", d.kind + (d.base.empty() ? "" : " : " + d.base.text())},
                {"kind", symbol_kind(d.kind)},
                {"range", session.range(analysis, around(d.range, d.name_range))},
                {"selectionRange", session.range(analysis, d.name_range)}};
    if (d.block && !d.block->declarations.empty())
      one["children"] = symbols_in(session, analysis, d.block->declarations);
    out.push_back(std::move(one));
  }
  return out;
}

json document_symbols(Session& session, const json& params) {
  Analysis& analysis = session.analysis(session.document(params));
  if (analysis.module() == nullptr) return json::array();
  return symbols_in(session, analysis, analysis.module()->ast.declarations);
}

/// Whether the letters of `query` occur in `name` in their order, in whatever case.
bool matches(const std::string& query, const std::string& name) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::size_t at = 0;
  for (const char c : name)
    if (at < query.size() && lower(c) == lower(query[at])) ++at;
  return at == query.size();
}

json workspace_symbols(Session& session, const json& params) {
  const auto query = params.find("query");
  if (query == params.end() || !query->is_string()) throw InvalidParams("`query` is missing");
  json out = json::array();
  for (const std::string& path : session.programs()) {
    Analysis& analysis = session.analysis_of(path);
    if (analysis.module() == nullptr) continue;
    for (const ast::Declaration& d : analysis.module()->ast.declarations)
      if (!d.name.empty() && matches(query->get_ref<const std::string&>(), d.name))
        out.push_back({{"name", d.name},
                       {"kind", symbol_kind(d.kind)},
                       {"containerName", d.kind},
                       {"location", session.location(analysis, d.name_range)}});
  }
  return out;
}

}  // namespace

const Feature features::document_symbol{"textDocument/documentSymbol", document_symbols,
                                        "documentSymbolProvider"};
const Feature features::workspace_symbol{"workspace/symbol", workspace_symbols, "workspaceSymbolProvider"};

}  // namespace trl::language_server
