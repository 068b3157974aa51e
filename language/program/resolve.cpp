#include "language/program/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "language/check/inspection.hpp"
#include "language/check/memory_question.hpp"
#include "language/check/program_inspection.hpp"
#include "language/check/steps.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/designs.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

/// Whether declarations of this kind are claims about an experiment: hypotheses, tables or plots.
bool is_claim(const std::string& kind) { return kind == "hypothesis" || kind == "table" || kind == "plot"; }

/// Resolves one program: from its names to its document.
class Resolver : public Resolution {
 public:
  Resolver(const Loaded& loaded, const Module& schema_module, const Schema& schema,
           const CheckOptions& options, const Sources& sources, std::vector<Diagnostic>& diagnostics)
      : loaded_(loaded),
        schema_(schema),
        options_(options),
        sources_(sources),
        diagnostics_(diagnostics),
        meaning_(schema, schema_module, loaded, diagnostics) {
    const std::filesystem::path program(sources[loaded.modules.front()->file].path());
    meaning_.read_foreign_by(options.read_foreign, program.parent_path().string());
  }

  json run(const std::vector<ast::Item>& settings, const ProgramCallback& callback) override {
    const Module& program = *loaded_.modules.front();
    for (const ast::Item& item : settings)
      if (auto o = meaning_.find_override(item, program, true)) {
        o->from_command_line = true;
        if (is_claim(o->target.declaration->kind)) plain_.overrides.push_back(*o);
        settings_.push_back(std::move(*o));
      }
    meaning_.read_suites(settings_);
    applied_ = meaning_.applied_to_suites();
    known_rules();
    // Hypotheses are compared with the documents of their experiments.
    documented_ =
        options_.document || std::any_of(program.ast.declarations.begin(), program.ast.declarations.end(),
                                         [](const ast::Declaration& d) { return d.kind == "hypothesis"; });
    repeated_settings();
    claims(program);
    json document = {{"file", sources_[program.file].path()}, {"doc", program.ast.doc}};
    for (const char* part : {"tasks", "experiments", "tables", "plots", "hypotheses"})
      document[part] = json::object();
    for (const auto& module : loaded_.modules) declarations(*module, module.get() == &program, document);
    hypotheses(document);
    if (options_.document) tasks(document["tasks"]);
    applied_.insert(plain_.applied.begin(), plain_.applied.end());
    for (const Override& o : settings_)
      if (!incomplete_ && !applied_.contains(o.item)) unused(o, "no experiment uses it");
    varied_settings();
    whole_program(program);
    answers_ = {};
    unused_allows();
    if (callback && !has_errors(diagnostics_)) {
      const std::vector<Diagnostic> found = diagnostics_;
      callback({meaning_, loaded_, schema_, sources_, settings_, options_, allows_in_use_});
      diagnostics_ = found;  // the callback may resolve declarations again; its findings are dropped
    }
    return document;
  }

  Elaborator& meaning() override { return meaning_; }
  Context& plain() override { return plain_; }
  const std::vector<Override>& overrides() const override { return settings_; }

 private:
  /// Reports settings of the command line that a later one replaces.
  void repeated_settings() {
    for (std::size_t i = 0; i < settings_.size(); ++i) {
      const auto same = [&](const Override& o) {
        return o.target == settings_[i].target && o.path == settings_[i].path;
      };
      const auto later =
          std::find_if(settings_.begin() + static_cast<std::ptrdiff_t>(i) + 1, settings_.end(), same);
      if (later == settings_.end()) continue;
      const ast::Path& path = settings_[i].item->path;
      diagnostics_.push_back(
          found(rules::unused_override, path.range, "`" + path.text() + "` changes nothing: it is set again")
              .note("the last setting counts", later->item->path.range)
              .helped("set it once"));
    }
  }

  /// Collects the hypotheses, tables and plots of each experiment, for rules that check what is claimed of
  /// it.
  void claims(const Module& program) {
    prefixes_ = {{program.file, ""}};
    for (const auto& [name, import] : program.imports)
      if (import.module != nullptr) {
        prefixes_.emplace(import.module->file, name + ".");
        if (import.module->embedded.ends_with("example.trl")) example_file_ = import.module->file;
      }
    for (const ast::Declaration& d : program.ast.declarations) {
      const auto own = program.symbols.find(d.name);
      names_.insert(d.name);
      if (own->second.declaration == &d && d.kind == "evaluation")
        if (auto evaluation = meaning_.resolve(own->second, plain_))
          declared_evaluations_.push_back(std::move(evaluation));
      if (!is_claim(d.kind) || own->second.declaration != &d) continue;
      const auto claim = meaning_.resolve(own->second, plain_);
      const Value* of = claim ? claim->field("of") : nullptr;
      claims_known_ = claims_known_ && of != nullptr;
      if (of == nullptr) continue;
      const std::string name = of->string();
      const std::size_t dot = name.find('.');
      const Module* module = &program;
      if (dot != std::string::npos) {
        const auto import = program.imports.find(name.substr(0, dot));
        module = import == program.imports.end() ? nullptr : import->second.module;
      }
      if (module == nullptr) continue;
      const auto experiment = module->symbols.find(dot == std::string::npos ? name : name.substr(dot + 1));
      if (experiment == module->symbols.end()) continue;
      claims_[experiment->second.declaration].push_back(claim);
      if (module != &program) claimed_as_.emplace(experiment->second.declaration, name);
    }
  }

  /// Applies the rules about the file as a whole.
  void whole_program(const Module& program) {
    ProgramInspection inspection(program, meaning_.suites(), options_);
    inspection.references_known = !incomplete_ && program.doubtful.empty();
    for (const Rule* rule : all_rules())
      if (rule->check_program != nullptr) rule->check_program(inspection);
    diagnostics_.insert(diagnostics_.end(), inspection.diagnostics.begin(), inspection.diagnostics.end());
    used_allows_.insert(inspection.used.begin(), inspection.used.end());
  }

  void declarations(const Module& module, bool in_program, json& document) {
    for (const ast::Declaration& d : module.ast.declarations) {
      const KindSpec* kind = schema_.kind(d.kind);
      const auto own = module.symbols.find(d.name);
      incomplete_ = incomplete_ || kind == nullptr || own->second.declaration != &d;
      if (kind == nullptr || own->second.declaration != &d || d.kind == "suite" || d.kind == "task") continue;
      const Symbol symbol = own->second;
      if (kind->value && kind->value->is(Type::Kind::expression)) {
        meaning_.read_let(symbol, plain_);
      } else if (kind->value) {
        incomplete_ = meaning_.value_of(symbol, plain_).absent() || incomplete_;
      } else if (d.kind == "experiment") {
        experiment(symbol, in_program, document);
      } else {
        const auto resolved = meaning_.resolve(symbol, plain_);
        incomplete_ = incomplete_ || !resolved || resolved->lost_references;
        static const std::map<std::string, const char*> shown = {
            {"table", "tables"}, {"plot", "plots"}, {"hypothesis", "hypotheses"}};
        const auto part = shown.find(d.kind);
        if (in_program && part != shown.end() && resolved) {
          document[part->second][d.name] = to_json(*resolved);
          if (d.kind == "hypothesis") hypotheses_.push_back(resolved);
        }
      }
    }
  }

  /// The name of a pipeline: "imitate -> reinforce".
  static std::string pipeline_name(const json& pipeline) {
    std::string text;
    for (const json& train : pipeline) text += (text.empty() ? "" : " -> ") + train.value("name", "");
    return text;
  }

  /// Checks that each hypothesis is about something that its experiment compares.
  void hypotheses(json& document) {
    for (const auto& hypothesis : hypotheses_) {
      const auto sound = [&](const char* field) { return hypothesis->sound(field); };
      if (!sound("of") || !sound("contrast") || !sound("against") || !sound("cell")) continue;
      const auto given = [&](const char* field) {
        const Value* value = hypothesis->field(field);
        return value == nullptr || value->absent() ? nullptr : value;
      };
      const Value *contrast = given("contrast"), *against = given("against"), *cell = given("cell");
      if ((contrast != nullptr) == (against != nullptr)) {
        diagnostics_.push_back(
            contrast != nullptr
                ? found(rules::contrast_not_varied, against->range,
                        "`contrast` and `against` are two comparisons")
                      .note("the other is here", contrast->range)
                      .helped("keep one of them, and make a second hypothesis of the other")
                : found(rules::contrast_not_varied, hypothesis->range,
                        "`" + hypothesis->name + "` names nothing to compare")
                      .helped(cell != nullptr
                                  ? "add `against = …`, what the cell is compared with"
                                  : "add `contrast = …`, an extension or a path that is varied, or "
                                    "`against = …`, a control"));
        continue;
      }
      if (cell != nullptr && against == nullptr) {
        diagnostics_.push_back(found(rules::contrast_not_varied, cell->range,
                                     "`contrast` is about all cells, and `cell` names one")
                                   .note("the contrast is here", contrast->range)
                                   .helped("leave `cell` out, or write `against = …` instead of `contrast`"));
        continue;
      }
      const Value* of = hypothesis->field("of");
      const auto experiment = experiments_.find(of == nullptr ? "" : of->string());
      if (experiment == experiments_.end()) continue;  // the experiment could not be resolved
      const json& about = experiment->second.document;
      const bool control = contrast == nullptr && !is_cell(*against);
      if (!experiment->second.resolved->sound(control ? "controls" : "vary")) continue;
      // A design that couldn't be built was reported.
      const Value* vary = experiment->second.resolved->field("vary");
      const bool unbuilt = vary != nullptr && !vary->absent() && about.at("design").at("factors").empty();
      if (unbuilt && !control) continue;
      if (cell != nullptr && !experiment->second.resolved->sound("vary")) continue;
      if (contrast != nullptr)
        compares_factor(of->string(), about, *contrast);
      else if (!control)
        compares_cells(of->string(), about, *against, cell);
      else
        compares_control(*hypothesis, about, *against, document);
      if (cell != nullptr) names_cell(of->string(), about, *cell);
    }
  }

  static bool is_among(const std::string& name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void compares_factor(const std::string& of, const json& experiment, const Value& contrast) {
    std::vector<std::string> known;
    for (const json& factor : experiment["design"]["factors"]) {
      const std::string names = factor["name"];
      for (std::size_t at = 0; at < names.size();) {
        const std::size_t comma = std::min(names.find(", ", at), names.size());
        known.push_back(names.substr(at, comma - at));
        at = comma + 2;
      }
    }
    if (is_among(contrast.string(), known)) return;
    auto d = found(rules::contrast_not_varied, contrast.range,
                   "`" + of + "` does not vary `" + contrast.string() + "`");
    const Value* on = experiments_.at(of).resolved->field("extensions");
    const bool always =
        on != nullptr && std::any_of(on->items.begin(), on->items.end(), [&](const Value& one) {
          return one.declaration != nullptr && one.declaration->name == contrast.string();
        });
    if (always) {
      d.note("it is on in all cells", on->range);
      d.helped("to study it, move it from `extensions` to what is varied, `vary = subsets(" +
               contrast.string() + ")`" +
               (known.empty() ? "" : "; what is varied now is " + enumeration(known)));
      diagnostics_.push_back(std::move(d));
      return;
    }
    d.helped(known.empty() ? std::string("it varies nothing: add `vary = …`")
                           : "it varies " + enumeration(known));
    respell(d, contrast.string(), known, contrast.range, Names::of_anything);
    diagnostics_.push_back(std::move(d));
  }

  void compares_control(const Resolved& hypothesis, const json& experiment, const Value& against,
                        json& document) {
    // Controls are compared by name: overrides may have changed the experiment's, but not this value.
    const std::string wanted = pipeline_name(to_json(against));
    std::vector<std::string> known;
    for (const json& control : experiment["controls"]) {
      known.push_back(pipeline_name(control));
      if (known.back() == wanted) document["hypotheses"][hypothesis.name]["against"] = control;
    }
    if (is_among(wanted, known)) return;
    auto d = found(rules::contrast_not_varied, against.range,
                   "`" + hypothesis.field("of")->string() + "` does not have this control");
    d.helped(known.empty() ? std::string("it has no controls") : "its controls are " + enumeration(known));
    // `unfiltered` for the one control that ends so, `imitate -> unfiltered`.
    std::vector<std::string> ending;
    for (const std::string& one : known)
      if (one.ends_with(" -> " + wanted)) ending.push_back(one);
    if (ending.size() == 1) {
      d.helped("a control is named with all of its stages: `" + ending.front() + "`");
      d.suggest("write `" + ending.front() + "`", against.range, ending.front());
    } else if (known.empty()) {
      d.helped("it has no controls: write `controls = [" + wanted + "]` in it");
    }
    diagnostics_.push_back(std::move(d));
  }

  static std::set<std::string> names_in(const Value& extensions) {
    std::set<std::string> names;
    for (const json& extension : to_json(extensions)) names.insert(extension.value("name", ""));
    return names;
  }

  void compares_cells(const std::string& of, const json& experiment, const Value& against,
                      const Value* cell) {
    if (cell == nullptr) {
      diagnostics_.push_back(found(rules::contrast_not_varied, against.range,
                                   "`against` names a cell, but nothing says which cell is compared with it")
                                 .helped("add `cell = […]`, the extensions that are on in that one"));
    } else if (names_in(against) == names_in(*cell)) {
      diagnostics_.push_back(
          found(rules::contrast_not_varied, against.range, "a cell is compared with itself")
              .note("the cell", cell->range)
              .helped("name two cells that differ in an extension"));
    } else {
      names_cell(of, experiment, against);
    }
  }

  /// Whether the design has a cell in which just these extensions are on.
  void names_cell(const std::string& of, const json& experiment, const Value& cell) {
    std::vector<std::string> known;
    bool all = true;
    for (const json& factor : experiment["design"]["factors"]) {
      all &= factor.value("extension", false);
      known.push_back(factor.value("name", ""));
    }
    if (!all || known.empty()) {
      const auto at = experiments_.find(of);
      if (known.empty() && at != experiments_.end() && at->second.resolved &&
          !at->second.resolved->sound("vary"))
        return;  // `vary` has an error
      diagnostics_.push_back(
          found(rules::contrast_not_varied, cell.range,
                known.empty()
                    ? "`" + of + "` has one cell, since it varies nothing"
                    : "a cell of `" + of + "` has settings beside its extensions, and can't be named by them")
              .helped(known.empty() ? "leave `cell` out"
                                    : "compare in an experiment that varies extensions alone: `experiment "
                                      "NAME : " +
                                          of + " { vary = subsets(…) }` and `of = NAME`"));
      return;
    }
    const auto names = names_in(cell);
    for (const auto& name : names) {
      if (is_among(name, known)) continue;
      auto d = found(rules::contrast_not_varied, cell.range, "`" + of + "` does not vary `" + name + "`");
      d.helped("a cell names those of the varied extensions that are on in it: " + enumeration(known));
      diagnostics_.push_back(std::move(d));
      return;
    }
    for (const json& one : experiment["cells"]) {
      std::set<std::string> on;
      for (std::size_t i = 0; i < known.size(); ++i)
        if (one["levels"][i] == 1) on.insert(known[i]);
      if (on == names) return;
    }
    diagnostics_.push_back(
        found(rules::contrast_not_varied, cell.range, "this fraction of the design doesn't have the cell")
            .helped("`trl plan` lists the cells that it has"));
  }

  void experiment(const Symbol& symbol, bool in_program, json& document) {
    Context overridden;
    const std::size_t said = diagnostics_.size();
    overridden.overrides = meaning_.overrides_of(symbol);
    const bool misread_overrides = diagnostics_.size() > said;
    overridden.overrides.insert(overridden.overrides.end(), settings_.begin(), settings_.end());
    Context& context = overridden.overrides.empty() ? plain_ : overridden;
    const auto resolved = meaning_.resolve(symbol, context);
    applied_.insert(context.applied.begin(), context.applied.end());
    incomplete_ = incomplete_ || !resolved || misread_overrides;
    if (!resolved) return;
    std::set<const Resolved*> reached;
    reach(*resolved, reached);
    // The declarations that an experiment uses are known only if nothing that may refer to some has an error.
    const bool complete =
        std::none_of(reached.begin(), reached.end(), [](const Resolved* of) { return of->lost_references; });
    incomplete_ = incomplete_ || !complete;
    for (const Override& o : context.overrides)
      if (complete && !o.from_command_line && !context.applied.contains(o.item))
        unused(o, "`" + symbol.declaration->name + "` does not use it");
    std::vector<const ast::Allow*> used;
    json out = documented_ ? to_json(*resolved) : json::object();
    if (documented_) say_places(*resolved, out);
    const std::size_t before = diagnostics_.size();
    const Design design = design_of(resolved->field("vary"), sources_, diagnostics_);
    varied(context, design, *resolved);
    Inspection inspection = inspection_of(*resolved);
    const std::vector<Cell> under = resolved_cells(symbol, context, resolved, design);
    for (const Cell& cell : under) inspection.cells.push_back(cell.resolved.get());
    inspect(inspection, design, claims_[symbol.declaration], used);
    if (documented_)
      if (json modelled = estimate(inspection); !modelled.is_null()) out["estimate"] = std::move(modelled);
    cells(under, *resolved, design, out, used);
    const bool found_errors =
        has_errors({diagnostics_.begin() + static_cast<std::ptrdiff_t>(before), diagnostics_.end()});
    // After an error, some rules are only applied in part, or find things that they would not find otherwise.
    // So an `allow` may have nothing to silence.
    if (resolved->faulty || found_errors)
      for (const Resolved* of : reached) unsettled_allows_.insert(of->allows.begin(), of->allows.end());
    out["allowed"] = json::array();
    std::sort(used.begin(), used.end(), [](const auto* a, const auto* b) {
      return std::pair(a->range.file, a->range.begin) < std::pair(b->range.file, b->range.begin);
    });
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const ast::Allow* allow : used) {
      used_allows_.insert(allow);
      out["allowed"].push_back(
          {{"rule", allow->rule}, {"reason", allow->reason}, {"where", sources_.where(allow->range)}});
    }
    // This program reports on the experiments of other files only if its claims name them: `lab.study`.
    const auto claimed = claimed_as_.find(symbol.declaration);
    if (!in_program && claimed == claimed_as_.end()) return;
    const std::string& name = in_program ? symbol.declaration->name : claimed->second;
    if (documented_ && !resolved->faulty) document["experiments"][name] = out;
    experiments_[name] = {resolved, std::move(out)};
  }

  /// Adds where the file names a server, to each way to train of a pipeline, or of several.
  void say_places(const Value& trains, json& out) const {
    if (out.is_array() && out.size() == trains.items.size())
      for (std::size_t i = 0; i < out.size(); ++i) say_places(trains.items[i], out[i]);
    if (trains.items.size() == 1 && out.is_object()) return say_places(trains.items.front(), out);
    if (trains.declaration == nullptr || !out.is_object()) return;
    const Value* rollout = trains.declaration->field("rollout");
    if (rollout != nullptr && rollout->is(Value::Kind::call))
      out["rollout_place"] = sources_.where(rollout->range);
  }

  /// Adds where the file names the servers of an experiment, which messages during a run repeat.
  void say_places(const Resolved& experiment, json& out) const {
    for (const char* name : {"train", "controls"})
      if (const Value* trains = experiment.field(name); trains != nullptr && out.contains(name))
        say_places(*trains, out[name]);
    const Value* model = experiment.field("model");
    if (model == nullptr || model->declaration == nullptr || !out.contains("model")) return;
    const Value* weights = model->declaration->field("weights");
    if (weights != nullptr && weights->is(Value::Kind::call) && weights->name == "endpoint")
      out["model"]["place"] = sources_.where(weights->range);
  }

  /// Reports overrides of settings that the cells of an experiment state themselves. A setting of the command
  /// line may still act on another experiment of the file; see `varied_settings`.
  void varied(const Context& context, const Design& design, const Resolved& experiment) {
    for (const Override& o : context.overrides) {
      const Range* by = nullptr;
      for (const Factor& factor : design.factors)
        for (const Level& level : factor.levels)
          for (const auto& setting : level.settings)
            if (const auto axis = meaning_.find_override(setting->item, *setting->module);
                axis && axis->target == o.target && axis->path == o.path && by == nullptr)
              by = &setting->item.path.range;
      if (by == nullptr) {
        if (o.from_command_line && context.applied.contains(o.item)) taken_.insert(o.item);
        continue;
      }
      auto d = found(rules::unused_override, o.item->path.range,
                     "`" + o.item->path.text() + "` changes nothing: `" + experiment.name +
                         "` varies it, so that each of its cells has a value of its own");
      d.note("it is varied here", *by).helped("change the values in `vary`, or take it out of there");
      if (o.from_command_line)
        varied_settings_.emplace_back(o.item, std::move(d));
      else
        diagnostics_.push_back(std::move(d));
    }
  }

  /// Reports settings of the command line that experiments vary: an error where no other experiment takes
  /// them.
  void varied_settings() {
    for (auto& [item, d] : varied_settings_) {
      if (!taken_.contains(item)) d.severity = Severity::error;
      diagnostics_.push_back(std::move(d));
    }
  }

  /// Collects the `allow`s of everything that an experiment uses.
  void reach(const Resolved& resolved, std::set<const Resolved*>& reached) {
    if (!reached.insert(&resolved).second) return;
    reached_allows_.insert(resolved.allows.begin(), resolved.allows.end());
    for (const auto& [name, value] : resolved.fields) reach(value, reached);
  }
  void reach(const Value& value, std::set<const Resolved*>& reached) {
    if (value.declaration) reach(*value.declaration, reached);
    for (const Value& item : value.items) reach(item, reached);
    for (const auto& [name, entry] : value.entries) reach(entry, reached);
  }

  Inspection inspection_of(const Resolved& resolved) {
    const std::filesystem::path program = sources_[0].path();
    Inspection out(resolved, schema_, meaning_.suites(), options_, program.parent_path().string(), answers_);
    out.prefixes = prefixes_;
    out.names = &names_;
    out.declared_evaluations = &declared_evaluations_;
    out.example_file = example_file_;
    return out;
  }

  /// The figures of the model that a cost plan and `trl doctor` need, from shapes alone; null if the
  /// architecture is unknown, or nothing is trained or sampled here.
  static json estimate(Inspection& inspection) {
    const auto& architecture = inspection.architecture();
    if (!architecture || !architecture->complete()) return nullptr;
    json out = {{"weights", architecture->matrix_weights() + architecture->embedding_weights()},
                {"trained", 0.0},
                {"peak_bytes", 0.0}};
    const auto count = [&](const MemoryQuestion& question, bool trains) {
      Memory memory = modelled_memory(question);
      if (!trains) memory.optimiser = memory.recomputed = memory.logits = 0;
      out["weight_bytes"] = memory.weights;
      out["trained"] = std::max(out["trained"].get<double>(), memory.trained());
      out["cache_bytes_per_token"] = 2 * architecture->layers * architecture->kv_heads *
                                     architecture->head_width * (question.precision == "f32" ? 4 : 2);
      out["peak_bytes"] =
          std::max({out["peak_bytes"].get<double>(), memory.least_training(), memory.sampling()});
    };
    for (const auto& stage : inspection.stages()) {
      if (!memory_known(inspection, stage)) return nullptr;
      count(memory_question(inspection, stage), true);
    }
    if (inspection.stages().empty()) {
      const Resolved* exam = inspection.evaluation();
      const auto question = exam == nullptr ? std::nullopt : exam_question(inspection, *exam);
      if (!question) return nullptr;
      count(*question, false);
    }
    if (const auto least = least_need(inspection, declared_storage(inspection)))
      out["least_bytes"] = least->memory.all();
    auto smaller = json::object();
    for (const auto& [storage, bytes] : smaller_storages(inspection)) smaller[storage] = bytes;
    if (!smaller.empty()) out["least_bytes_stored"] = std::move(smaller);
    return out;
  }

  using Claims = std::vector<std::shared_ptr<const Resolved>>;

  /// Applies every rule that checks a whole experiment and the claims about it.
  void inspect(Inspection& inspection, const Design& design, const Claims& claims,
               std::vector<const ast::Allow*>& used) {
    if (inspection.experiment.sound("vary")) inspection.design = &design;
    inspection.claims_known = claims_known_ && !loaded_.modules.front()->ast.broken;
    for (const auto& claim : claims)
      (claim->kind == "table"  ? inspection.tables
       : claim->kind == "plot" ? inspection.plots
                               : inspection.hypotheses)
          .push_back(claim.get());
    needs(inspection);
    warm_ups_in_steps(inspection);
    for (const Rule* rule : all_rules())
      if (rule->check != nullptr) rule->check(inspection);
    diagnostics_.insert(diagnostics_.end(), inspection.diagnostics.begin(), inspection.diagnostics.end());
    used.insert(used.end(), inspection.used.begin(), inspection.used.end());
    allows_in_use_.insert(inspection.used_in.begin(), inspection.used_in.end());
  }

  /// Says of a warm-up that is given as a number of steps which share of the stage's steps it is.
  void warm_ups_in_steps(Inspection& inspection) {
    for (const auto& stage : inspection.stages())
      for (const auto& [name, value] : stage.train->refused) {
        const double given = value.number(), steps = most_steps(*stage.train, inspection.suites);
        if (name != "warmup" || given != std::floor(given) || given <= 1 || given > steps) continue;
        for (Diagnostic& d : diagnostics_) {
          if (d.rule != rules::out_of_range.id || !(d.range == value.range)) continue;
          // Several experiments may use the stage. The share is only reported for the first.
          if (!warm_ups_.insert({value.range.file, value.range.begin}).second) continue;
          // Nobody warms up for most of the steps: the number is an optimiser's usual one.
          const bool usual = given / steps > longest_warm_up;
          const std::string share = usual ? "10%" : fmt::format("{:.3g}%", 100 * given / steps);
          d.fixes.clear();
          d.helped(fmt::format("`warmup` is a share of the steps: {} of {} {} steps are {:.3g}%{}", given,
                               stage.train->is_a("sft") ? "these" : "at most", steps, 100 * given / steps,
                               usual ? "; 5% to 10% are usual" : ""));
          d.suggest("write `" + share + "`", value.range, share);
        }
      }
  }

  static std::vector<std::string> names_of(const Value* extensions) {
    std::vector<std::string> names;
    if (extensions != nullptr)
      for (const Value& one : extensions->items)
        if (one.declaration) names.push_back(one.declaration->name);
    return names;
  }

  /// A cell of a design: the experiment, resolved under the cell's settings.
  struct Cell {
    std::shared_ptr<const Resolved> resolved;  ///< null if it could not be resolved
    std::vector<const Setting*> settings;
    std::set<const Setting*> applied;  ///< the settings that changed something
  };

  std::vector<Cell> resolved_cells(const Symbol& symbol, const Context& base,
                                   const std::shared_ptr<const Resolved>& experiment, const Design& design) {
    std::vector<Cell> out;
    for (const auto& levels : design.cells) {
      Cell cell;
      Context context;
      context.overrides = base.overrides;
      for (std::size_t i = 0; i < levels.size(); ++i)
        for (const auto& setting : design.factors[i].levels[levels[i]].settings) {
          cell.settings.push_back(setting.get());
          if (auto o = meaning_.find_override(setting->item, *setting->module))
            context.overrides.push_back(std::move(*o));
        }
      cell.resolved = cell.settings.empty() ? experiment : meaning_.resolve(symbol, context);
      for (const Setting* s : cell.settings)
        if (context.applied.contains(&s->item)) cell.applied.insert(s);
      out.push_back(std::move(cell));
    }
    return out;
  }

  /// Inspects each cell of the design, and adds it to the document's "design" and "cells".
  void cells(const std::vector<Cell>& resolved, const Resolved& experiment, const Design& design, json& out,
             std::vector<const ast::Allow*>& used) {
    json& factors = out["design"]["factors"] = json::array();
    for (const Factor& f : design.factors) {
      factors.push_back({{"name", f.name}, {"extension", f.extension != nullptr}, {"levels", json::array()}});
      for (const Level& level : f.levels) factors.back()["levels"].push_back(level.text);
    }
    if (design.resolution > 0)
      out["design"]["fraction"] = {{"resolution", design.resolution}, {"aliases", design.aliases}};
    out["cells"] = json::array();
    std::map<const Setting*, std::size_t> uses;
    std::set<std::string> exams;
    for (std::size_t number = 0; number < resolved.size(); ++number) {
      const auto& [under, settings, applied] = resolved[number];
      json entry = {{"label", design.label(design.cells[number], names_of(experiment.field("extensions")))},
                    {"levels", design.cells[number]}};
      if (!settings.empty()) {
        for (const Setting* s : settings) uses[s] += applied.contains(s);
        if (!under) continue;
        Inspection inspection = inspection_of(*under);
        inspection.leave_out_controls();
        inspect(inspection, design, {}, used);
        if (documented_) {
          for (const char* field : {"model", "adapter", "train", "extensions", "vary", "evaluate", "dev"})
            if (const Value* value = under->field(field); value != nullptr && !value->absent())
              entry["with"][field] = to_json(*value);
          say_places(*under, entry["with"]);
          if (json modelled = estimate(inspection); !modelled.is_null())
            entry["with"]["estimate"] = std::move(modelled);
        }
        if (const Value* exam = under->field("evaluate")) exams.insert(to_json(*exam).dump());
      }
      out["cells"].push_back(std::move(entry));
    }
    // The kind of training or the model may be unknown after another mistake.
    const bool known = experiment.sound("train") && experiment.sound("model") && experiment.sound("adapter");
    for (const auto& [setting, used_in] : uses)
      if (used_in == 0 && known) {
        // The cells would be equal, so their comparison would show no difference.
        diagnostics_.push_back(found(rules::unused_override, setting->item.path.range,
                                     "`" + setting->item.path.text() + "` changes nothing: `" +
                                         experiment.name + "` does not use it")
                                   .helped("name what the experiment refers to"));
        diagnostics_.back().severity = Severity::error;
      }
    if (documented_ && known) varied_alone(resolved, experiment, design, out);
    if (exams.size() > 1) {
      const Value* vary = experiment.field("vary");
      const bool allowed =
          std::any_of(experiment.allows.begin(), experiment.allows.end(), [&](const auto* a) {
            if (a->rule != rules::varied_exam.id) return false;
            used.push_back(a);
            return true;
          });
      if (!allowed)
        diagnostics_.push_back(found(rules::varied_exam, vary->range,
                                     "the cells of `" + experiment.name + "` take different exams")
                                   .helped("vary how models are trained, and give them all one evaluation"));
    }
  }

  /// Reports factors of the design whose settings change no cell, because only controls use them. Controls
  /// are run once, not in each cell.
  void varied_alone(const std::vector<Cell>& resolved, const Resolved& experiment, const Design& design,
                    const json& out) {
    if (out["cells"].size() != design.cells.size()) return;  // a cell could not be resolved
    const bool applied = std::all_of(resolved.begin(), resolved.end(), [](const Cell& cell) {
      return cell.applied.size() == cell.settings.size();
    });
    if (!applied) return;  // which was reported
    for (std::size_t i = 0; i < design.factors.size(); ++i) {
      const Factor& factor = design.factors[i];
      if (factor.extension != nullptr || factor.levels.size() < 2 || factor.levels[0].settings.empty())
        continue;
      // Each cell is compared with the first cell that differs from it in this factor alone.
      std::map<std::vector<std::size_t>, const json*> first;
      const auto changes = [&](std::size_t cell) {
        auto others = design.cells[cell];
        others[i] = 0;
        const json& with = out["cells"][cell].at("with");
        const auto [known, fresh] = first.try_emplace(std::move(others), &with);
        return !fresh && *known->second != with;
      };
      bool changed = false;
      for (std::size_t cell = 0; cell < design.cells.size() && !changed; ++cell) changed = changes(cell);
      if (changed) continue;
      const Setting* setting = factor.levels[0].settings[0].get();
      diagnostics_.push_back(
          found(rules::unused_override, setting->item.path.range,
                "`" + factor.name + "` changes no cell of `" + experiment.name +
                    "`: what is trained and examined in its cells stays the same")
              .helped("cells differ in what is trained and examined, and controls are run once, not in "
                      "each cell: vary a stage of `train`, or write a control for each value"));
      diagnostics_.back().severity = Severity::error;
    }
  }

  /// Reports fields that the variant of a training stage needs and the experiment doesn't have.
  void needs(Inspection& inspection) {
    std::map<std::string, std::vector<std::string>> stages;  // stages that need a field, by the field's name
    for (const auto& stage : inspection.stages()) {
      if (stage.train->variant == nullptr) continue;
      for (const std::string& need : stage.train->variant->needs) {
        const Value* field = inspection.experiment.field(need);
        if (!inspection.experiment.sound(need)) continue;
        if (field != nullptr && !field->absent()) continue;
        const std::string one = "`" + stage.train->name + "` (" + stage.train->variant->name + ")";
        auto& of = stages[need];
        if (std::find(of.begin(), of.end(), one) == of.end()) of.push_back(one);
      }
    }
    for (const auto& [need, of] : stages) {
      incomplete_ = true;
      std::string names;
      for (std::size_t i = 0; i < of.size(); ++i)
        names += (i == 0 ? "" : i + 1 == of.size() ? " and " : ", ") + of[i];
      auto d = found(rules::missing_field, inspection.experiment.range,
                     "`" + inspection.experiment.name + "` needs the field `" + need + "`: " + names +
                         (of.size() == 1 ? " requires it" : " require it"));
      // If only one declaration of the file fits, it is meant.
      std::vector<std::string> fitting;
      const Spec* spec = find(schema_.kind("experiment")->fields, need);
      const Type* type = spec == nullptr ? nullptr : &spec->type;
      while (type != nullptr && type->is(Type::Kind::optional)) type = &type->args[0];
      for (const ast::Declaration& declared : loaded_.modules.front()->ast.declarations)
        if (type != nullptr && type->is(Type::Kind::declaration) && declared.kind == type->name)
          fitting.push_back(declared.name);
      d.helped("add `" + need + " = " + (fitting.size() == 1 ? fitting[0] : "…") + "`");
      inspection.report(std::move(d), {});
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
                     rule == nullptr
                         ? "there is no rule `" + a.rule + "`"
                         : "`" + a.rule + "` cannot be allowed: a program that breaks it has no meaning");
      d.helped(suggestion(a.rule, known));
      respell(d, a.rule, known, a.rule_range, Names::of_schema);
      diagnostics_.push_back(std::move(d));
    };
    for (const auto& module : loaded_.modules)
      for (const ast::Declaration& d : module->ast.declarations) {
        for (const ast::Allow& a : d.allows) visit(a);
        if (d.block) each_allow(*d.block, visit);
      }
  }

  void unused_allows() {
    for (const ast::Allow* allow : reached_allows_) {
      const bool settled = used_allows_.contains(allow) || unsettled_allows_.contains(allow) ||
                           find_rule(allow->rule) == nullptr;
      if (settled || allow->range.file != loaded_.modules.front()->file) continue;
      diagnostics_.push_back(
          found(rules::unused_allow, allow->range, "`" + allow->rule + "` finds nothing here")
              .helped("remove the `allow`")
              .suggest("remove it", allow->range, ""));
    }
  }

  void tasks(json& out) const {
    for (const auto& [name, suite] : meaning_.suites())
      for (const SuiteTask& t : suite)
        if (t.is_lowered()) out[t.text()] = t.lowered();
  }

  const Loaded& loaded_;
  const Schema& schema_;
  const CheckOptions& options_;
  const Sources& sources_;
  std::vector<Diagnostic>& diagnostics_;
  Elaborator meaning_;
  /// The context of declarations that are resolved by themselves, and of experiments to which no override
  /// applies. Its only overrides are the command line's overrides of claims, to which no experiment refers.
  /// So all that use it share what is resolved in it.
  Context plain_;
  std::map<const ast::Declaration*, Claims> claims_;
  /// The names that claims use for experiments of imported files.
  std::map<const ast::Declaration*, std::string> claimed_as_;
  std::set<std::pair<FileId, std::size_t>> warm_ups_;  ///< the places of warm-ups whose share was reported
  std::vector<Override> settings_;
  std::set<const ast::Item*> applied_;
  std::vector<std::shared_ptr<const Resolved>> hypotheses_;
  std::set<const ast::Allow*> reached_allows_, used_allows_, unsettled_allows_;
  std::set<const ast::Item*> taken_;  ///< settings that some experiment takes
  std::vector<std::pair<const ast::Item*, Diagnostic>> varied_settings_;
  std::map<FileId, std::string> prefixes_;                             ///< `Inspection::prefixes`
  std::optional<FileId> example_file_;                                 ///< `Inspection::example_file`
  std::set<std::string> names_;                                        ///< `Inspection::names`
  std::vector<std::shared_ptr<const Resolved>> declared_evaluations_;  ///< also in `Inspection`
  bool claims_known_ = true;  ///< whether the subject of each hypothesis, table and plot is known
  bool documented_ = true;    ///< whether the parts of experiments' documents are made
  bool incomplete_ = false;   ///< whether an experiment may use a declaration that it doesn't seem to use
  /// An experiment of the program and its document. If the experiment has errors, parts of the document are
  /// missing.
  struct Experiment {
    std::shared_ptr<const Resolved> resolved;
    json document;
  };
  std::map<std::string, Experiment> experiments_;
  AllowsInUse allows_in_use_;
  Answers answers_;
};

}  // namespace

std::unique_ptr<Resolution> make_resolution(const Loaded& loaded, const Module& schema_module,
                                            const Schema& schema, const CheckOptions& options,
                                            const Sources& sources, std::vector<Diagnostic>& diagnostics) {
  return std::make_unique<Resolver>(loaded, schema_module, schema, options, sources, diagnostics);
}

}  // namespace trl::language
