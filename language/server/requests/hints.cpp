// Shows facts that a reader of the file needs and that the file doesn't state: beside the text (inlay hints)
// and above it (code lenses).
#include <algorithm>

#include "language/elaboration/designs.hpp"
#include "language/server/feature.hpp"
#include "language/server/meaning.hpp"
#include "language/server/protocol.hpp"

#include <fmt/format.h>

namespace trl::language_server {
namespace {

using language::Value;
using nlohmann::json;
namespace ast = language::ast;

class Hints {
 public:
  Hints(Session& session, Analysis& analysis, const language::Module& module, std::size_t from,
        std::size_t to)
      : session_(session), analysis_(analysis), module_(module), from_(from), to_(to) {}

  json all() {
    for (const auto& [name, symbol] : module_.symbols) {
      const ast::Declaration& d = *symbol.declaration;
      if (d.range.end < from_ || d.range.begin > to_) continue;
      if (d.kind == "suite") tasks(d);
      const language::KindSpec* kind = analysis_.program->library->schema.kind(d.kind);
      if (kind == nullptr) continue;
      if (kind->value && !kind->value->is(language::Type::Kind::expression) && d.value) {
        language::Elaborator& meaning = analysis_.program->resolution->meaning();
        counted(d.value->range, meaning.value_of(symbol, analysis_.program->resolution->plain()));
      }
      if (const auto of = resolved(analysis_, symbol); of != nullptr && d.block)
        fields(symbol, *of, *d.block, {});
    }
    return std::move(out_);
  }

 private:
  void hint(std::size_t at, const std::string& text, const std::string& tip = "") {
    if (at < from_ || at > to_) return;
    json one = {{"position", session_.range(analysis_, {module_.file, at, at})["start"]},
                {"label", text},
                {"paddingLeft", true}};
    if (!tip.empty()) one["tooltip"] = tip;
    out_.push_back(std::move(one));
  }

  void counted(const language::Range& written, const Value& value) {
    if (value.is(Value::Kind::tasks))
      hint(written.end, fmt::format("{} task{}", value.tasks.size(), value.tasks.size() == 1 ? "" : "s"));
  }

  /// Adds the shape of each task's result.
  void tasks(const ast::Declaration& suite) {
    if (!suite.block) return;
    for (const ast::Declaration& d : suite.block->declarations) {
      const language::SuiteTask* task = task_of(analysis_, d);
      if (task == nullptr) continue;
      const std::string signature = signature_of(*task->typed());
      hint(d.range.end, signature.substr(signature.find(" -> ") + 1));
    }
  }

  void fields(const language::Symbol& symbol, const language::Resolved& of, const ast::Block& block,
              const std::vector<std::string>& path) {
    for (const ast::Item& item : block.items) {
      if (item.path.empty()) continue;
      std::vector<std::string> at = path;
      at.insert(at.end(), item.path.parts.begin(), item.path.parts.end());
      const Value* value = value_at(of, at);
      if (item.block) {
        fields(symbol, of, *item.block, at);
        continue;
      }
      if (value == nullptr || !item.value || value->origin.kind == language::Origin::Kind::override) continue;
      counted(item.value->range, *value);
      if (symbol.declaration->kind == "experiment" && at == std::vector<std::string>{"vary"})
        design(*item.value, *value);
      if (!value->is(Value::Kind::plain) || !value->plain.is_number()) continue;
      const language::Spec* spec = spec_of(analysis_, symbol, at);
      if (spec == nullptr) continue;
      // For a name or arithmetic, shows its value. For a duration that is written as a number without a unit,
      // shows it with its unit.
      const std::string shown = printed(analysis_, *value, *spec);
      const std::string_view written = analysis_.program->checked.sources.text(item.value->range);
      if (item.value->is(ast::Expr::Kind::number)
              ? spec->type.is(language::Type::Kind::duration) && item.value->unit.empty()
              : shown != written)
        hint(item.value->range.end, "= " + shown);
    }
  }

  void design(const ast::Expr& written, const Value& vary) {
    std::vector<language::Diagnostic> ignored;
    const auto design = language::design_of(&vary, analysis_.program->checked.sources, ignored);
    if (design.cells.size() > 1) hint(written.range.end, fmt::format("{} cells", design.cells.size()));
  }

  Session& session_;
  Analysis& analysis_;
  const language::Module& module_;
  std::size_t from_, to_;
  json out_ = json::array();
};

json hints_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  const auto [from, to] = session.offsets(params);
  Analysis& analysis = session.analysis(document);
  if (analysis.module() == nullptr) return json::array();
  return Hints(session, analysis, *analysis.module(), from, to).all();
}

json lens(Session& session, Analysis& analysis, const language::Range& at, const std::string& title,
          const std::string& command, const json& arguments) {
  return {{"range", session.range(analysis, at)},
          {"command", {{"title", title}, {"command", command}, {"arguments", arguments}}}};
}

json lenses_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  Analysis& analysis = session.analysis(document);
  json out = json::array();
  if (analysis.module() == nullptr || document.path().starts_with("stdlib:")) return out;
  for (const ast::Declaration& d : analysis.module()->ast.declarations) {
    const json arguments = {document.uri(), d.name};
    if (d.kind == "experiment") {
      out.push_back(lens(session, analysis, d.name_range, "Run", "trl.run", arguments));
      out.push_back(lens(session, analysis, d.name_range, "Plan", "trl.plan", arguments));
    }
    if (d.kind != "table") continue;
    const auto of = resolved(analysis, {&d, analysis.module()});
    const Value* experiment = of ? of->field("of") : nullptr;
    const std::string summary =
        experiment == nullptr ? "" : session.table_summary(experiment->string(), d.name);
    out.push_back(lens(session, analysis, d.name_range, summary.empty() ? "No result yet" : summary,
                       "trl.trace", arguments));
  }
  return out;
}

json lens_options() { return {{"resolveProvider", false}}; }

json links_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  Analysis& analysis = session.analysis(document);
  json out = json::array();
  if (analysis.module() == nullptr) return out;
  for (const ast::Import& import : analysis.module()->ast.imports) {
    const auto at = analysis.module()->imports.find(import.alias);
    if (at == analysis.module()->imports.end() || at->second.module == nullptr) continue;
    out.push_back({{"range", session.range(analysis, import.path.range)},
                   {"target", uri_of(analysis.source(at->second.module->file).path())}});
  }
  return out;
}

json link_options() { return {{"resolveProvider", false}}; }

json content_of(Session& session, const json& params) {
  const auto uri = params.find("uri");
  if (uri == params.end() || !uri->is_string()) throw InvalidParams("`uri` is missing");
  const auto path = path_of(uri->get_ref<const std::string&>());
  const auto text = path && path->starts_with("stdlib:") ? session.text_of(*path) : std::nullopt;
  if (!text) throw InvalidParams("there is no library file at " + uri->get<std::string>());
  return {{"text", *text}};
}

}  // namespace

const Feature features::inlay_hint{"textDocument/inlayHint", hints_of, "inlayHintProvider"};
const Feature features::code_lens{"textDocument/codeLens", lenses_of, "codeLensProvider", lens_options};
const Feature features::document_link{"textDocument/documentLink", links_of, "documentLinkProvider",
                                      link_options};
const Feature features::text_document_content{"workspace/textDocumentContent", content_of, ""};

}  // namespace trl::language_server
