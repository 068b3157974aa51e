#include <algorithm>

#include "base/formulas/formula_functions.hpp"
#include "base/operators/operator.hpp"
#include "language/printing/reference.hpp"
#include "language/server/context.hpp"
#include "language/server/feature.hpp"
#include "language/server/meaning.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

struct Signature {
  std::string label, doc;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name and documentation
};

std::vector<Signature> signatures(const Analysis& analysis, const std::string& written) {
  std::vector<Signature> out;
  const std::string name = analysis.module() == nullptr ? written : full_name(*analysis.module(), written);
  const auto& functions = analysis.program->library->schema.functions;
  if (const auto at = functions.find(name); at != functions.end()) {
    Signature one{language::signature(at->second), at->second.doc, {}};
    for (const auto& field : at->second.fields) one.parameters.emplace_back(field.name, field.doc);
    out.push_back(std::move(one));
  }
  if (const auto* function = formulas::function(name))
    out.push_back({function->signature, function->doc, {}});
  if (const auto op = operators::operator_called(name)) {
    const operators::Row& row = operators::row(*op);
    Signature one{row.signature(), row.doc, {}};
    for (const auto& parameter : row.parameters) one.parameters.emplace_back(parameter.name, "");
    out.push_back(std::move(one));
  }
  return out;
}

json help_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  const Context context = context_at(document.text(), session.offset(params));
  Analysis& analysis = session.analysis(document);
  if (analysis.program->library == nullptr || context.comment) return nullptr;
  for (auto bracket = context.open.rbegin(); bracket != context.open.rend(); ++bracket) {
    if (bracket->bracket != '(') continue;
    const auto words = words_in(bracket->head);
    if (words.empty()) return nullptr;
    const auto all = signatures(analysis, words.back());
    if (all.empty()) return nullptr;
    json list = json::array();
    for (const Signature& one : all) {
      json parameters = json::array();
      std::size_t active = bracket->commas;
      for (std::size_t i = 0; i < one.parameters.size(); ++i) {
        const auto& [name, doc] = one.parameters[i];
        parameters.push_back({{"label", name}});
        if (!doc.empty()) parameters.back()["documentation"] = doc;
        if (!bracket->label.empty() && bracket->label == name) active = i;
      }
      list.push_back({{"label", one.label},
                      {"documentation", {{"kind", "markdown"}, {"value", one.doc}}},
                      {"parameters", parameters},
                      {"activeParameter", active}});
    }
    return {{"signatures", list}, {"activeSignature", 0}, {"activeParameter", list[0]["activeParameter"]}};
  }
  return nullptr;
}

json help_options() { return {{"triggerCharacters", {"(", ","}}}; }

}  // namespace

const Feature features::signature_help{"textDocument/signatureHelp", help_of, "signatureHelpProvider",
                                       help_options};

}  // namespace trl::language_server
