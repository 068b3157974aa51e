#include "language/printing/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "language/printing/printer.hpp"
#include "language/program/resolve.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

/// A value as JSON in which declarations are names. The document inlines them, but here each is shown once.
json named(const Value& value, const FileNames& names) {
  if (value.is(Value::Kind::declaration)) return names.of(*value.declaration->declared);
  if (value.items.empty() && value.entries.empty()) return to_json(value);
  json out = to_json(value);
  json items = json::array();
  for (const Value& item : value.items) items.push_back(named(item, names));
  if (out.is_array()) return items;
  if (out.is_object() && out.contains("args")) out["args"] = items;
  return out;
}

class Show {
 public:
  Show(const InMemory& program, const ShowOptions& options, Shown& out)
      : program_(program), options_(options), names_(program), out_(out) {
    plain_.overrides = program.settings;
  }

  void run() {
    const Module& file = *program_.loaded.modules.front();
    for (const ast::Declaration& d : file.ast.declarations) out_.known.push_back(d.name);
    if (options_.name.empty()) {
      whole_file();
    } else if (const Symbol symbol = asked_for()) {
      out_.found = true;
      if (symbol.declaration->kind == "experiment")
        experiment(symbol);
      else
        alone(symbol);
    }
  }

 private:
  Symbol asked_for() const {
    const std::size_t dot = options_.name.find('.');
    std::vector<std::string> parts = {options_.name.substr(0, dot)};
    if (dot != std::string::npos) parts.push_back(options_.name.substr(dot + 1));
    return program_.meaning.lookup(parts, *program_.loaded.modules.front());
  }

  /// Declarations in the order in which they are shown: declarations of imported files first.
  std::vector<Symbol> in_order(const std::set<const ast::Declaration*>& reached) const {
    std::vector<Symbol> out;
    const auto add = [&](const Module& module) {
      for (const ast::Declaration& d : module.ast.declarations)
        if (reached.contains(&d)) out.push_back({&d, &module});
    };
    for (std::size_t i = 1; i < program_.loaded.modules.size(); ++i) add(*program_.loaded.modules[i]);
    add(*program_.loaded.modules.front());
    return out;
  }

  void reach(const Symbol& symbol, Context& context, std::set<const ast::Declaration*>& reached) {
    (void)program_.meaning.resolve(symbol, context);
    for (const auto& [d, resolved] : context.done) reached.insert(d);
    for (const auto& [d, value] : context.values) reached.insert(d);
  }

  /// Tables, plots and hypotheses of an experiment; all of them when it is null.
  void reach_reports(const Symbol& of, Context& context, std::set<const ast::Declaration*>& reached) {
    const Module& file = *program_.loaded.modules.front();
    for (const ast::Declaration& d : file.ast.declarations) {
      if (d.kind != "table" && d.kind != "plot" && d.kind != "hypothesis") continue;
      const auto resolved = program_.meaning.resolve({&d, &file}, context);
      const Value* experiment = resolved ? resolved->field("of") : nullptr;
      if (experiment == nullptr || (of && experiment->string() != of.declaration->name)) continue;
      reached.insert(&d);
      if (const Value* against = resolved->field("against"))
        for (const Value& stage : against->items)
          if (stage.declaration) reached.insert(stage.declaration->declared);
      if (const Value* cell = resolved->field("cell"))
        for (const Value& extension : cell->items)
          if (extension.declaration) reached.insert(extension.declaration->declared);
      if (const Value* contrast = resolved->field("contrast"))
        if (const Symbol s = program_.meaning.lookup({contrast->string()}, file);
            s && s.declaration->kind == "extension")
          reach(s, context, reached);
    }
  }

  /// Chooses names for the declarations that are shown; the program's own keep theirs.
  void name_all(const std::vector<Symbol>& symbols) {
    const FileId own = program_.loaded.modules.front()->file;
    for (const bool mine : {true, false})
      for (const Symbol& s : symbols)
        if ((s.module->file == own) == mine) names_.declare(*s.declaration);
  }

  void finish() {
    // Files with suites are imported even if nothing uses them, since the document holds every task.
    const auto& modules = program_.loaded.modules;
    for (std::size_t i = 1; i < modules.size(); ++i)
      if (std::any_of(modules[i]->ast.declarations.begin(), modules[i]->ast.declarations.end(),
                      [](const auto& d) { return d.kind == "suite"; }))
        names_.import(*modules[i]);
    for (const auto& [module, alias] : names_.imports()) {
      const bool own_name = module == alias || module.ends_with("." + alias);
      out_.imports.push_back("import " + module + (own_name ? "" : " as " + alias));
    }
    out_.doc = modules.front()->ast.doc;
  }

  void suites(const std::vector<Symbol>&) {
    const Module& file = *program_.loaded.modules.front();
    for (const ast::Declaration& d : file.ast.declarations)
      if (d.kind == "suite") out_.declarations.push_back(verbatim({&d, &file}));
  }

  Printer printer_in(Context& context) {
    return Printer(program_, names_, varied_, context, !options_.changed);
  }

  /// Records the fields and the `let`s that an experiment's design varies.
  void note_design(const Symbol& experiment, Context& context) {
    const auto resolved = program_.meaning.resolve(experiment, context);
    const Value* design = resolved ? resolved->field("vary") : nullptr;
    if (design != nullptr && design->is(Value::Kind::call)) printer_in(context).vary(*design);
    for (const auto& [declaration, path] : varied_.paths)
      if (path.empty() && declaration->kind == "let")
        varied_.lets.insert(declaration);
      else if (!path.empty())
        (void)program_.meaning.resolve(symbol_of(declaration), context);  // this marks it as reached
  }

  Symbol symbol_of(const ast::Declaration* declaration) const {
    for (const auto& module : program_.loaded.modules)
      if (module->file == declaration->name_range.file) return {declaration, module.get()};
    return {};
  }

  /// If a design varies a field of a base and a declaration inherits it, the declaration is shown as deriving
  /// from that base, so that it still follows the field.
  void derive(const Symbol& symbol, const Resolved& resolved, ShownDeclaration& out) {
    std::set<const ast::Declaration*> nearer;
    for (Symbol at = symbol; at && nearer.insert(at.declaration).second;) {
      const ast::Path& base = at.declaration->base;
      at = base.empty() ? Symbol{} : program_.meaning.lookup(base.parts, *at.module);
      if (!at) return;
      bool follows = false;
      for (const auto& [declaration, path] : varied_.paths) {
        if (declaration != at.declaration || path.empty()) continue;
        const std::size_t dot = path.find('.');
        const Value* value = resolved.field(path.substr(0, dot));
        if (value != nullptr && dot != std::string::npos) value = value->entry(path.substr(dot + 1));
        if (value == nullptr ||
            (value->origin.kind == Origin::Kind::written && nearer.contains(value->origin.by)))
          continue;
        follows = inherit(out.fields, path) || follows;
      }
      if (follows &&
          (out.base.empty() || (resolved.variant != nullptr && out.base == resolved.variant->name)))
        out.base = names_.of(*at.declaration);
    }
  }

  static bool inherit(std::vector<ShownField>& fields, const std::string& path) {
    const std::size_t dot = path.find('.');
    for (ShownField& field : fields) {
      if (field.name != path.substr(0, dot)) continue;
      if (dot != std::string::npos) return inherit(field.fields, path.substr(dot + 1));
      field.inherited = true;
      return true;
    }
    return true;  // a default that is not shown
  }

  /// Shows `let`s that the shown declarations still name.
  void lets() {
    const Module& file = *program_.loaded.modules.front();
    for (const ast::Declaration& d : file.ast.declarations)
      if (d.kind == "let" && varied_.lets.contains(&d)) out_.declarations.push_back(verbatim({&d, &file}));
  }

  void whole_file() {
    const Module& file = *program_.loaded.modules.front();
    std::set<const ast::Declaration*> reached;
    std::vector<Symbol> experiments;
    std::map<const ast::Declaration*, Context> contexts;
    for (const ast::Declaration& d : file.ast.declarations) {
      if (d.kind != "experiment") continue;
      experiments.push_back({&d, &file});
      Context& context = contexts[&d];
      context.overrides = overrides(experiments.back());
      note_design(experiments.back(), context);
      reach(experiments.back(), context, reached);
    }
    reach_reports({}, plain_, reached);
    out_.found = true;
    const std::vector<Symbol> symbols = in_order(reached);
    name_all(symbols);
    suites(symbols);
    for (const Symbol& s : symbols)
      if (!varied_.lets.contains(s.declaration)) out_.declarations.push_back(declaration(s, plain_));
    for (ShownDeclaration& d : out_.declarations)
      for (const Symbol& e : experiments)
        if (d.kind == "experiment" && d.name == e.declaration->name)
          overridden(d, contexts.at(e.declaration));
    lets();
    finish();
  }

  void experiment(const Symbol& symbol) {
    Context context;
    context.overrides = overrides(symbol);
    std::set<const ast::Declaration*> reached;
    note_design(symbol, context);
    reach(symbol, context, reached);
    reach_reports(symbol, context, reached);
    const std::vector<Symbol> symbols = in_order(reached);
    name_all(symbols);
    suites(symbols);
    for (const Symbol& s : symbols)
      if ((s.declaration->kind != "experiment" || s == symbol) && !varied_.lets.contains(s.declaration))
        out_.declarations.push_back(declaration(s, context));
    lets();
    finish();
  }

  void alone(const Symbol& symbol) {
    names_.as_in_program();
    out_.declarations.push_back(declaration(symbol, plain_));
    if (symbol.declaration->kind == "suite")
      out_.declarations.back().source += read_tasks(*symbol.declaration);
  }

  std::vector<Override> overrides(const Symbol& experiment) {
    std::vector<Override> all = program_.meaning.overrides_of(experiment);
    all.insert(all.end(), program_.settings.begin(), program_.settings.end());
    return all;
  }

  ShownOrigin origin(const Origin& of, const ast::Declaration* shown) const {
    ShownOrigin out;
    out.where = program_.sources.where(of.range);
    const Source& source = program_.sources[of.range.file];
    const std::size_t slash = source.path().find_last_of("/:");
    out.place = source.path().substr(slash == std::string::npos ? 0 : slash + 1) + ":" +
                std::to_string(program_.sources.position(of.range).line);
    switch (of.kind) {
      case Origin::Kind::defaulted:
        out.kind = "default";
        break;
      case Origin::Kind::written:
        out.kind = of.by == shown ? "here" : "derived";
        if (of.by != shown) out.of = of.by->name;
        break;
      case Origin::Kind::override:
        out.kind = "override";
        out.of = of.by->name;
        break;
      case Origin::Kind::setting:
        out.kind = "set";
        break;
    }
    return out;
  }

  static bool holds(const ast::Block& block, const ast::Allow* allow) {
    const auto same = [&](const ast::Allow& a) { return &a == allow; };
    return std::any_of(block.allows.begin(), block.allows.end(), same) ||
           std::any_of(block.items.begin(), block.items.end(),
                       [&](const ast::Item& item) { return item.block && holds(*item.block, allow); });
  }

  const ast::Declaration* owner_of(const ast::Allow* allow) const {
    for (const auto& module : program_.loaded.modules)
      for (const ast::Declaration& d : module->ast.declarations)
        if (std::any_of(d.allows.begin(), d.allows.end(), [&](const auto& a) { return &a == allow; }) ||
            (d.block && holds(*d.block, allow)))
          return &d;
    return nullptr;
  }

  /// Lists the tasks that were read of a suite whose tasks are kept elsewhere, as comments: "# 1 ReLU_:
  /// relu". Empty for other suites.
  std::string read_tasks(const ast::Declaration& suite) const {
    constexpr std::size_t most = 12;
    const auto tasks = program_.meaning.suites().find(program_.meaning.name_of_suite(suite));
    if (tasks == program_.meaning.suites().end()) return {};
    std::string text;
    for (const SuiteTask& task : tasks->second) {
      if (!task.is_lowered() || !task.lowered().contains("module")) continue;
      const json& module = task.lowered()["module"];
      std::string operators;
      std::size_t shown = 0;
      for (const json& one : module.at("operators")) {
        if (shown++ == most) break;
        operators += (operators.empty() ? "" : ", ") + one.get<std::string>();
      }
      if (shown > most) operators += fmt::format(", … ({})", module["operators"].size());
      text += fmt::format("\n# {:>3} {}: {}", task.id, task.name,
                          operators.empty() ? "no operator is known" : operators);
      for (const auto& [fact, words] : {std::pair{"untyped", "not judged"},
                                        std::pair{"judged_by_module", "judged by its module, on a GPU"}})
        if (module.contains(fact)) text += fmt::format("  ({}: {})", words, module[fact].get<std::string>());
    }
    return text;
  }

  ShownDeclaration verbatim(const Symbol& symbol) {
    const ast::Declaration& d = *symbol.declaration;
    ShownDeclaration out;
    out.kind = d.kind;
    out.name = d.name;
    out.doc = d.doc;
    out.source = program_.sources.text(d.range);
    out.origin = origin({Origin::Kind::written, &d, d.name_range}, &d);
    return out;
  }

  ShownDeclaration declaration(const Symbol& symbol, Context& context) {
    const ast::Declaration& d = *symbol.declaration;
    const KindSpec& kind = *program_.schema.kind(d.kind);
    if (d.kind == "suite" || (kind.value && kind.value->is(Type::Kind::expression))) return verbatim(symbol);
    ShownDeclaration out;
    out.kind = d.kind;
    out.name = names_.of(d);
    out.doc = d.doc;
    Printer printer = printer_in(context);
    if (kind.value) {
      const Value value = program_.meaning.value_of(symbol, context);
      // Printed by its tasks: its own name would tell nothing.
      ShownField field = leaf({}, value, *kind.value, &d, printer);
      out.origin = field.origin;
      out.fields.push_back(std::move(field));
      out.by_value = true;
      return out;
    }
    const auto resolved = program_.meaning.resolve(symbol, context);
    if (resolved == nullptr) return out;
    if (resolved->variant != nullptr) out.base = resolved->variant->name;
    out.origin = origin({Origin::Kind::written, &d, d.name_range}, &d);
    for (const ast::Allow* allow : resolved->allows) {
      // An inherited `allow` that silences nothing here is left out, since it would be reported as unused.
      const ast::Declaration* owner = owner_of(allow);
      if (owner != &d && !program_.allows.contains({&d, allow})) continue;
      out.allows.push_back(
          {allow->rule, allow->reason, origin({Origin::Kind::written, owner, allow->range}, &d)});
    }
    std::vector<Spec> specs = kind.fields;
    if (resolved->variant != nullptr)
      specs.insert(specs.end(), resolved->variant->fields.begin(), resolved->variant->fields.end());
    out.fields = fields(specs, resolved->fields, &d, printer);
    if (d.kind != "experiment") derive(symbol, *resolved, out);
    return out;
  }

  ShownField leaf(const std::string& name, const Value& value, const Type& type, const ast::Declaration* of,
                  Printer& printer, const Spec* spec = nullptr) {
    ShownField out;
    out.name = name;
    const bool is_default = value.origin.kind == Origin::Kind::defaulted;
    out.text = printer.value(value, type,
                             is_default && spec != nullptr && spec->default_value
                                 ? std::optional(spec->default_value->range)
                                 : std::nullopt);
    out.value = named(value, names_);
    out.origin = origin(value.origin, of);
    // A design and the fields about it name what is varied, so they are not followed.
    const Type& meant = type.is(Type::Kind::optional) ? type.args.at(0) : type;
    const bool design =
        meant.is(Type::Kind::factor) || (meant.is(Type::Kind::result) && meant.name == "axes");
    if (const auto following = design ? std::nullopt : printer.following(value)) {
      out.text = *following;
      return out;
    }
    if (const auto written = printer.written(value, out.text)) out.origin.written = *written;
    return out;
  }

  std::vector<ShownField> fields(const std::vector<Spec>& specs,
                                 const std::vector<std::pair<std::string, Value>>& values,
                                 const ast::Declaration* of, Printer& printer) {
    std::vector<ShownField> out;
    for (const auto& [name, value] : values) {
      const Spec& spec = *find(specs, name);
      if (spec.type.is(Type::Kind::overrides)) continue;
      if (spec.type.is(Type::Kind::block) || spec.type.is(Type::Kind::map)) {
        ShownField field;
        field.name = name;
        field.block = true;
        field.origin = origin(value.origin, of);
        field.value = to_json(value);
        if (spec.type.is(Type::Kind::block))
          field.fields = fields(spec.fields, value.entries, of, printer);
        else
          for (const auto& [key, entry] : value.entries)
            field.fields.push_back(leaf(key, entry, spec.type.args.at(1), of, printer));
        if (!field.fields.empty()) out.push_back(std::move(field));
        continue;
      }
      if (options_.changed && value.origin.kind == Origin::Kind::defaulted) continue;
      ShownField field = leaf(name, value, spec.type, of, printer, &spec);
      // A field that is the name of a formula takes its parameters from the `let`.
      if (spec.has_parameters && !value.absent() &&
          !(value.given && field.text == program_.sources.text(value.range) &&
            field.text.find_first_of(" (") == std::string::npos && !varied_.lets.empty() &&
            printer.following(value))) {
        for (const std::string& p : value.parameters)
          field.parameters += (field.parameters.empty() ? "(" : ", ") + p;
        field.parameters += ")";
      }
      out.push_back(std::move(field));
    }
    return out;
  }

  /// Adds the `override` block with the fields that an experiment's overrides change.
  void overridden(ShownDeclaration& experiment, Context& context) {
    ShownField block;
    block.name = "override";
    block.block = true;
    names_.forget_uses();
    std::vector<std::pair<Symbol, ShownDeclaration>> after;
    for (const Symbol& s : in_order(reached_by(context)))
      if (s.declaration->kind != "suite") after.emplace_back(s, declaration(s, context));
    std::set<const ast::Declaration*> used;
    for (const auto& [s, d] : after)
      // A change to a split is only shown where a field names the split.
      if (!d.by_value || names_.used(*s.declaration)) used.insert(s.declaration);
    for (const auto& [s, d] : after)
      if (used.contains(s.declaration))
        changes(d.name, declaration(s, plain_).fields, d.fields, block.fields);
    if (!block.fields.empty()) experiment.fields.push_back(std::move(block));
  }

  static std::set<const ast::Declaration*> reached_by(const Context& context) {
    std::set<const ast::Declaration*> out;
    for (const auto& [d, resolved] : context.done) out.insert(d);
    for (const auto& [d, value] : context.values) out.insert(d);
    return out;
  }

  static void changes(const std::string& path, const std::vector<ShownField>& before,
                      const std::vector<ShownField>& after, std::vector<ShownField>& out) {
    for (const ShownField& field : after) {
      if (field.inherited) continue;
      const auto same = std::find_if(before.begin(), before.end(),
                                     [&](const ShownField& f) { return f.name == field.name; });
      const std::string full = field.name.empty() ? path : path + "." + field.name;
      if (field.block) {
        changes(full, same == before.end() ? std::vector<ShownField>{} : same->fields, field.fields, out);
      } else if (same == before.end() || same->text != field.text || same->parameters != field.parameters) {
        ShownField changed = field;
        changed.name = full;
        out.push_back(std::move(changed));
      }
    }
  }

  const InMemory& program_;
  const ShowOptions& options_;
  FileNames names_;
  Varied varied_;
  Shown& out_;
  Context plain_;
};

}  // namespace

Shown show_file(const std::string& path, const CheckOptions& check, const ShowOptions& options) {
  Shown shown;
  shown.checked =
      check_file(path, check, [&](const InMemory& program) { Show(program, options, shown).run(); });
  return shown;
}

}  // namespace trl::language
