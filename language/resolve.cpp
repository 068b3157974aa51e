#include "language/resolve.hpp"

#include <algorithm>
#include <filesystem>

#include "language/suggest.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

/// One program from names to its document, top to bottom.
class Resolver {
 public:
  Resolver(const Loaded& loaded, const Unit& schema_unit, const Schema& schema, const CheckOptions& options,
           const Sources& sources, std::vector<Diagnostic>& diagnostics)
      : loaded_(loaded),
        schema_(schema),
        options_(options),
        sources_(sources),
        diagnostics_(diagnostics),
        meaning_(schema, schema_unit, loaded, diagnostics) {}

  json run(const std::vector<ast::Item>& settings, const Witness& witness) {
    const Unit& program = *loaded_.units.front();
    meaning_.read_suites();
    known_rules();
    for (const ast::Item& item : settings)
      if (auto o = meaning_.find_override(item, program)) {
        o->from_command_line = true;
        settings_.push_back(std::move(*o));
      }
    json document = {{"file", sources_[program.file].path()}, {"doc", program.ast.doc}};
    for (const char* part : {"tasks", "experiments", "tables", "plots", "hypotheses"})
      document[part] = json::object();
    for (const auto& unit : loaded_.units) declarations(*unit, unit.get() == &program, document);
    tasks(document["tasks"]);
    for (const Override& o : settings_)
      if (!applied_.contains(o.item)) unused(o, "no experiment uses it");
    unused_allows();
    if (witness && !has_errors(diagnostics_)) {
      const std::vector<Diagnostic> found = diagnostics_;
      witness({meaning_, loaded_, schema_, sources_, settings_, options_, allows_in_use_});
      diagnostics_ = found;  // what is resolved once more, or otherwise than it is used, is no news
    }
    return document;
  }

 private:
  void declarations(const Unit& unit, bool in_program, json& document) {
    Context plain;
    for (const ast::Declaration& d : unit.ast.declarations) {
      const KindSpec* kind = schema_.kind(d.kind);
      const auto own = unit.symbols.find(d.name);
      if (kind == nullptr || own->second.declaration != &d || d.kind == "suite" || d.kind == "task") continue;
      const Symbol symbol = own->second;
      if (kind->value && kind->value->is(Type::Kind::expression)) {
        meaning_.read_let(symbol, plain);
      } else if (kind->value) {
        (void)meaning_.value_of(symbol, plain);
      } else if (d.kind == "experiment") {
        experiment(symbol, in_program, document);
      } else {
        const auto resolved = meaning_.resolve(symbol, plain);
        static const std::map<std::string, const char*> shown = {
            {"table", "tables"}, {"plot", "plots"}, {"hypothesis", "hypotheses"}};
        const auto part = shown.find(d.kind);
        if (in_program && part != shown.end() && resolved)
          document[part->second][d.name] = to_json(*resolved);
      }
    }
  }

  void experiment(const Symbol& symbol, bool in_program, json& document) {
    Context context;
    context.overrides = meaning_.overrides_of(symbol);
    context.overrides.insert(context.overrides.end(), settings_.begin(), settings_.end());
    const auto resolved = meaning_.resolve(symbol, context);
    applied_.insert(context.applied.begin(), context.applied.end());
    if (!resolved || resolved->faulty) return;
    for (const Override& o : context.overrides)
      if (!o.from_command_line && !context.applied.contains(o.item))
        unused(o, "`" + symbol.declaration->name + "` does not use it");
    for (const auto& [declaration, reached] : context.done)
      for (const ast::Allow* allow : reached->allows) reached_allows_.insert(allow);

    const std::filesystem::path program = sources_[0].path();
    Inspection inspection(*resolved, schema_, meaning_.suites(), options_, program.parent_path().string());
    needs(inspection);
    for (const Rule* rule : all_rules())
      if (rule->check != nullptr) rule->check(inspection);
    diagnostics_.insert(diagnostics_.end(), inspection.diagnostics.begin(), inspection.diagnostics.end());

    allows_in_use_.insert(inspection.used_in.begin(), inspection.used_in.end());
    json out = to_json(*resolved);
    out["allowed"] = json::array();
    std::vector<const ast::Allow*> used = inspection.used;
    std::sort(used.begin(), used.end(), [](const auto* a, const auto* b) {
      return std::pair(a->range.file, a->range.begin) < std::pair(b->range.file, b->range.begin);
    });
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const ast::Allow* allow : used) {
      used_allows_.insert(allow);
      out["allowed"].push_back(
          {{"rule", allow->rule}, {"reason", allow->reason}, {"where", sources_.where(allow->range)}});
    }
    if (in_program) document["experiments"][symbol.declaration->name] = std::move(out);
  }

  /// What a stage's variant can't do without, the experiment must have.
  void needs(Inspection& inspection) {
    for (const auto& stage : inspection.stages()) {
      if (stage.train->variant == nullptr) continue;
      for (const std::string& need : stage.train->variant->needs) {
        const Value* field = inspection.experiment.field(need);
        if (field != nullptr && !field->absent()) continue;
        inspection.report(
            found(rules::missing_field, inspection.experiment.range,
                  "`" + inspection.experiment.name + "` needs the field `" + need + "`: `" +
                      stage.train->name + "` (" + stage.train->variant->name + ") cannot do without")
                .helped("add `" + need + " = …`"),
            {});
      }
    }
  }

  void unused(const Override& o, const std::string& why) {
    diagnostics_.push_back(found(rules::unused_override, o.item->path.range,
                                 "`" + o.item->path.text() + "` changes nothing: " + why)
                               .helped("name what the experiment refers to, or remove it"));
  }

  template <typename Visit>
  static void each_allow(const ast::Block& block, const Visit& visit) {
    for (const ast::Allow& a : block.allows) visit(a);
    for (const ast::Item& i : block.items)
      if (i.block) each_allow(*i.block, visit);
    for (const ast::Declaration& d : block.declarations) {
      for (const ast::Allow& a : d.allows) visit(a);
      if (d.block) each_allow(*d.block, visit);
    }
  }

  void known_rules() {
    std::vector<std::string> known;
    for (const Rule* rule : all_rules())
      if (rule->allowable) known.emplace_back(rule->id);
    const auto visit = [&](const ast::Allow& a) {
      const Rule* rule = find_rule(a.rule);
      if (rule != nullptr && rule->allowable) return;
      auto d = found(rules::allow_unknown_rule, a.rule_range,
                     rule == nullptr ? "there is no rule `" + a.rule + "`"
                                     : "`" + a.rule + "` cannot be allowed: what breaks it has no meaning");
      d.helped(suggestion(a.rule, known));
      if (const auto best = closest(a.rule, known)) d.fix("write `" + *best + "`", a.rule_range, *best);
      diagnostics_.push_back(std::move(d));
    };
    for (const auto& unit : loaded_.units)
      for (const ast::Declaration& d : unit->ast.declarations) {
        for (const ast::Allow& a : d.allows) visit(a);
        if (d.block) each_allow(*d.block, visit);
      }
  }

  void unused_allows() {
    if (has_errors(diagnostics_)) return;  // what would have been found wasn't looked for
    for (const ast::Allow* allow : reached_allows_) {
      const bool said = used_allows_.contains(allow) || find_rule(allow->rule) == nullptr;
      if (said || allow->range.file != loaded_.units.front()->file) continue;
      diagnostics_.push_back(
          found(rules::unused_allow, allow->range, "`" + allow->rule + "` was not found here")
              .helped("remove the `allow`"));
    }
  }

  void tasks(json& out) const {
    for (const auto& [name, suite] : meaning_.suites())
      for (const SuiteTask& t : suite)
        if (!t.lowered.is_null()) out[t.text()] = t.lowered;
  }

  const Loaded& loaded_;
  const Schema& schema_;
  const CheckOptions& options_;
  const Sources& sources_;
  std::vector<Diagnostic>& diagnostics_;
  Meaning meaning_;
  std::vector<Override> settings_;
  std::set<const ast::Item*> applied_;
  std::set<const ast::Allow*> reached_allows_, used_allows_;
  AllowsInUse allows_in_use_;
};

}  // namespace

json resolve(const Loaded& loaded, const Unit& schema_unit, const Schema& schema,
             const std::vector<ast::Item>& settings, const CheckOptions& options, const Sources& sources,
             std::vector<Diagnostic>& diagnostics, const Witness& witness) {
  return Resolver(loaded, schema_unit, schema, options, sources, diagnostics).run(settings, witness);
}

}  // namespace trl::language
