#include "language/check/inspection.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "language/diagnostics/suggest.hpp"

namespace trl::language {
namespace {

void collect(const Value& value, const std::string& kind, std::vector<const Resolved*>& out) {
  if (value.declaration && value.declaration->kind == kind) out.push_back(value.declaration.get());
  for (const Value& item : value.items) collect(item, kind, out);
  for (const auto& [name, entry] : value.entries) collect(entry, kind, out);
}

}  // namespace

Inspection::Inspection(const Resolved& e, const Schema& s,
                       const std::map<std::string, std::vector<SuiteTask>>& all_suites, const CheckOptions& o,
                       std::string program_folder, Answers& so_far)
    : experiment(e),
      schema(s),
      suites(all_suites),
      options(o),
      folder(std::move(program_folder)),
      answers(so_far) {
  for (const char* field : {"extensions", "vary"})
    if (const Value* v = e.field(field)) collect(*v, "extension", extensions_);
  std::set<std::pair<const Resolved*, bool>> seen;
  for (const char* field : {"train", "controls"}) {
    const bool control = std::string_view(field) == "controls";
    std::vector<const Resolved*> stages;
    if (const Value* v = e.field(field)) collect(*v, "train", stages);
    for (const Resolved* stage : stages)
      if (seen.emplace(stage, control).second)
        stages_.push_back({stage, control, control ? std::vector<const Resolved*>{} : extensions_});
  }
}

void Inspection::leave_out_controls() {
  std::erase_if(stages_, [](const Stage& stage) { return stage.control; });
}

const Resolved* Inspection::declaration(const char* field) const {
  const Value* v = experiment.field(field);
  return v == nullptr ? nullptr : v->declaration.get();
}

const Resolved* Inspection::evaluation() const { return declaration("evaluate"); }
const Resolved* Inspection::dev() const { return declaration("dev"); }
std::vector<const Resolved*> Inspection::evaluations() const {
  std::vector<const Resolved*> both = {evaluation(), dev()};
  std::erase(both, nullptr);
  return both;
}
const Resolved* Inspection::model() const { return declaration("model"); }
const Resolved* Inspection::adapter() const { return declaration("adapter"); }
const Resolved* Inspection::machine() const { return declaration("machine"); }

std::vector<Inspection::Measure> Inspection::measures() const {
  std::vector<Measure> all;
  for (const Resolved* table : tables)
    if (const Value* columns = table->field("columns"))
      for (const Value& column : columns->items) all.push_back({table, &untitled(column)});
  for (const Resolved* hypothesis : hypotheses)
    if (const Value* metric = hypothesis->field("metric")) all.push_back({hypothesis, metric});
  return all;
}

const std::optional<Architecture>& Inspection::architecture() {
  if (!architecture_) {
    const Value* weights = model() == nullptr ? nullptr : model()->field("weights");
    architecture_ = weights == nullptr ? std::nullopt : architecture_of(*weights, schema, options, folder);
  }
  return *architecture_;
}

bool Inspection::allowed(std::string_view rule, std::vector<const Resolved*> subjects) {
  subjects.push_back(&experiment);
  bool found = false;
  for (const Resolved* subject : subjects)
    for (const ast::Allow* allow : subject->allows)
      if (allow->rule == rule ||
          (find_rule(allow->rule) == nullptr && closest(allow->rule, {std::string(rule)}))) {
        used.push_back(allow);
        used_in.emplace(subject->declared, allow);
        found = true;
      }
  return found;
}

bool Inspection::allowed(const SuiteTask& task, std::string_view rule) {
  bool found = false;
  for (const ast::Allow* allow : task.allows)
    if (allow->rule == rule) {
      used.push_back(allow);
      found = true;
    }
  return found;
}

bool Inspection::told_of_base(const Diagnostic& diagnostic, const std::vector<const Resolved*>& subjects) {
  std::string message = diagnostic.message;
  for (const Resolved* subject : subjects) {
    if (subject == nullptr || subject->kind != "train") continue;
    const std::string name = "`" + subject->name + "`";
    for (std::size_t at = 0; (at = message.find(name, at)) != message.npos;)
      message.replace(at, name.size(), "``");
  }
  std::string places;
  const auto add = [&](const Range& range) {
    places += std::to_string(range.file) + ":" + std::to_string(range.begin) + "-" +
              std::to_string(range.end) + " ";
  };
  add(diagnostic.range);
  for (const Note& note : diagnostic.notes) add(note.range);
  return !told_.insert(diagnostic.rule + " " + places + message).second;
}

void Inspection::report(Diagnostic diagnostic, std::vector<const Resolved*> subjects) {
  if (allowed(diagnostic.rule, subjects) || told_of_base(diagnostic, subjects)) return;
  constexpr FileId program = 0;
  if (diagnostic.range.file != experiment.range.file && diagnostic.range.file != program) {
    // The finding is placed at this experiment, since an imported declaration may be correct by itself.
    const Range there = std::exchange(diagnostic.range, experiment.range);
    diagnostic.notes.insert(diagnostic.notes.begin(), Note{"it is written here", there, true});
    diagnostic.message = "in `" + experiment.name + "`, " + diagnostic.message;
    diagnostic.fixes.clear();
  }
  diagnostics.push_back(std::move(diagnostic));
}

namespace {

/// Returns the limit of a record's field; the schema writes it as a number with or without %.
double limit(const ast::Expr& written) {
  if (written.is(ast::Expr::Kind::negative)) return -limit(written.args[0]);
  return written.unit == "%" ? written.number / 100 : written.number;
}

}  // namespace

formulas::Ranges ranges_of(const Value& formula, const Schema& schema) {
  formulas::Ranges out;
  for (const std::string& parameter : formula.parameters) {
    const auto record = schema.records.find("verdict");
    if (record == schema.records.end()) continue;
    for (const Spec& field : record->second.fields) {
      const std::string name = parameter + "." + field.name;
      if (field.type.is(Type::Kind::boolean))
        out.values[name] = formulas::Domain::truth_values();
      else if (field.low && field.high)
        out.values[name] = formulas::Domain::number(limit(*field.low), limit(*field.high));
      else if (field.type.is(Type::Kind::fraction))
        out.values[name] = formulas::Domain::number(0, 1);
    }
    const formulas::Interval zero = {0, 0, false, false};
    out.implications.push_back({parameter + ".correct", false, parameter + ".speedup", zero});
    out.implications.push_back({parameter + ".correct", false, parameter + ".time", zero});
    out.implications.push_back({parameter + ".valid", false, parameter + ".launches", zero});
    for (const auto& [field, least] : least_when_correct) {
      const std::string name = parameter + field;
      out.implications.push_back(
          {parameter + ".correct", true, name, formulas::closed(least, out.values[name].interval.high)});
    }
  }
  for (const auto& [name, f] : schema.functions)
    if (f.formula && f.result == "fraction") out.functions[name] = formulas::Domain::number(0, 1);
  return out;
}

formulas::Ranges ranges_of(const Value& formula, const Schema& schema, const Resolved& train) {
  formulas::Ranges out = ranges_of(formula, schema);
  const Value* most = train.field("max_tokens");
  if (most != nullptr && train.sound("max_tokens"))
    for (const std::string& parameter : formula.parameters)
      if (const auto tokens = out.values.find(parameter + ".tokens"); tokens != out.values.end())
        tokens->second.interval.high = std::min(tokens->second.interval.high, most->number());
  return out;
}

std::vector<ModulePattern> patterns_of(const Resolved& adapter) {
  std::vector<ModulePattern> patterns;
  const Value* field = adapter.field("patterns");
  if (field == nullptr) return patterns;
  for (const Value& call : field->items) {
    if (call.items.empty()) continue;
    ModulePattern one{call.items[0].string(), {}, {}};
    if (const Value* rank = call.entry("rank"); rank != nullptr && !rank->absent())
      one.rank = static_cast<std::int64_t>(rank->number());
    if (const Value* alpha = call.entry("alpha"); alpha != nullptr && !alpha->absent())
      one.alpha = alpha->number();
    patterns.push_back(std::move(one));
  }
  return patterns;
}

const Spec* spec_of(const Inspection& inspection, const Resolved& of, const std::string& field) {
  const Spec* spec = of.variant == nullptr ? nullptr : find(of.variant->fields, field);
  if (spec != nullptr) return spec;
  const KindSpec* kind = inspection.schema.kind(of.kind);
  return kind == nullptr ? nullptr : find(kind->fields, field);
}

bool is_default(const Inspection& inspection, const Resolved& of, const std::string& field) {
  const Value* value = of.field(field);
  if (value == nullptr || value->absent()) return true;
  const auto& fields = of.variant != nullptr ? of.variant->fields : inspection.schema.kind(of.kind)->fields;
  const Spec* spec = find(fields, field);
  if (spec == nullptr || !spec->default_value) return false;
  const auto& written = *spec->default_value;
  if (value->plain.is_boolean()) return written.text == (value->plain.get<bool>() ? "true" : "false");
  return value->plain.is_number()
             ? value->number() == (written.unit == "%" ? written.number / 100 : written.number)
             : written.text == value->string();
}

bool is_varied(const Inspection& inspection, const std::string& path) {
  if (inspection.design == nullptr) return false;
  return std::any_of(
      inspection.design->factors.begin(), inspection.design->factors.end(), [&](const Factor& factor) {
        return std::any_of(factor.paths.begin(), factor.paths.end(),
                           [&](const std::string& one) { return one == path || one.ends_with("." + path); });
      });
}

CorpusTasks corpus_tasks(const Value& corpus, const std::map<std::string, std::vector<SuiteTask>>& suites) {
  CorpusTasks out;
  if (const Value* exclude = corpus.entry("exclude"))
    for (const SuiteTask* t : exclude->tasks) out.excluded.insert(t->overlap);
  out.any = corpus.entry("samples") != nullptr;
  if (corpus.name == "kernelbook") return out;  // kernelbook's levels are no suites
  for (const auto& [name, value] : corpus.entries) {
    const auto* suite = labelled_suite(corpus, name, suites);
    if (suite == nullptr || value.number() <= 0) continue;
    for (const SuiteTask& t : *suite)
      if (!out.excluded.contains(t.overlap)) out.tasks.push_back(&t);
  }
  return out;
}

std::vector<const SuiteTask*> overlapping(const std::vector<const SuiteTask*>& asked,
                                          const std::vector<const SuiteTask*>& seen) {
  std::set<std::string> keys;
  for (const SuiteTask* task : seen) keys.insert(task->overlap);
  std::vector<const SuiteTask*> same;
  for (const SuiteTask* task : asked)
    if (keys.contains(task->overlap)) same.push_back(task);
  return same;
}

const std::vector<SuiteTask>* labelled_suite(const Value& call, const std::string& label,
                                             const std::map<std::string, std::vector<SuiteTask>>& suites) {
  // If two suites have the label as their name, each is stored with the name of its module.
  auto suite = suites.find(call.name.substr(0, call.name.find('.')) + "." + label);
  if (suite == suites.end()) suite = suites.find(label);
  return suite == suites.end() ? nullptr : &suite->second;
}

std::optional<double> corpus_samples(const Value& corpus,
                                     const std::map<std::string, std::vector<SuiteTask>>& suites) {
  if (corpus.name == "kernelbook") {
    double sum = 0;
    for (const char* level : {"level1", "level2", "samples"})
      if (const Value* count = corpus.entry(level)) sum += count->number();
    return sum;
  }
  if (const Value* samples = corpus.entry("samples")) return samples->number();
  std::optional<double> sum;
  for (const auto& [name, value] : corpus.entries)
    if (labelled_suite(corpus, name, suites) != nullptr) sum = sum.value_or(0) + value.number();
  return sum;
}

std::string called(const Value& part) {
  if (part.is(Value::Kind::call)) return part.name;
  return part.is(Value::Kind::plain) && part.plain.is_string() ? part.string() : "";
}

const Value& untitled(const Value& column) {
  return called(column) == "titled" && !column.items.empty() ? column.items.front() : column;
}

const contract::ColumnFacts* column_of(const Value& part) { return contract::find_column(called(part)); }

bool asks_for(const Value& part, contract::ColumnName column) {
  const auto* facts = column_of(part);
  return facts != nullptr && facts->which == column;
}

bool needs(const Value& part, contract::ColumnNeeds what) {
  const auto* facts = column_of(part);
  return facts != nullptr && facts->needs == what;
}

std::string count_text(double value) { return std::to_string(static_cast<std::int64_t>(value)); }

std::string task_list(const std::vector<const SuiteTask*>& tasks, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < tasks.size() && i < most; ++i)
    out += (i ? ", " : "") + ("`" + tasks[i]->text() + "` (" + tasks[i]->name + ")");
  if (tasks.size() > most) out += " and " + std::to_string(tasks.size() - most) + " more";
  return out;
}

}  // namespace trl::language
