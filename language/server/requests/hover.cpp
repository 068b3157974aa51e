#include <algorithm>
#include <cmath>

#include "base/contract/columns.hpp"
#include "base/formulas/evaluate.hpp"
#include "language/check/inspection.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/elaboration/designs.hpp"
#include "language/server/feature.hpp"
#include "language/server/meaning.hpp"
#include "language/server/place.hpp"

#include <fmt/format.h>

namespace trl::language_server {
namespace {

using language::Value;
using nlohmann::json;
namespace ast = language::ast;

std::string code(const std::string& text) { return "```trl\n" + text + "\n```"; }

void paragraph(std::string& text, const std::string& more) {
  if (more.empty()) return;
  if (!text.empty()) text += "\n\n";
  text += more;
}

std::string tasks_text(const Value& value) {
  constexpr std::size_t most = 6;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, value.tasks.size()); ++i)
    names += (i == 0 ? "" : ", ") + fmt::format("`{}` {}", value.tasks[i]->text(), value.tasks[i]->name);
  if (value.tasks.size() > most) names += ", …";
  return fmt::format("{} task{}: {}", value.tasks.size(), value.tasks.size() == 1 ? "" : "s", names);
}

/// Describes an experiment's cells: their number, the names of the varied factors, and the labels of the
/// first cells. Empty if `vary` has an error.
std::string design_text(Analysis& analysis, const language::Resolved& experiment) {
  if (!experiment.sound("vary")) return "";
  std::vector<language::Diagnostic> ignored;
  const auto design =
      language::design_of(experiment.field("vary"), analysis.program->checked.sources, ignored);
  if (design.factors.empty()) return "One cell: nothing is varied.";
  constexpr std::size_t most = 8;
  std::string text = fmt::format("{} cells, varying", design.cells.size());
  for (std::size_t i = 0; i < design.factors.size(); ++i)
    text += fmt::format("{} `{}`", i == 0 ? "" : ",", design.factors[i].name);
  text += ":";
  for (std::size_t i = 0; i < std::min(most, design.cells.size()); ++i)
    text += "\n- " + design.label(design.cells[i]);
  if (design.cells.size() > most) text += "\n- …";
  return text;
}

/// Values of an unknown at which a formula is shown.
std::vector<formulas::Value> samples(const formulas::Domain& domain) {
  if (domain.boolean) return {false, true};
  std::vector<formulas::Value> out;
  for (const double one : {domain.interval.low, 0.5, 1.0, 2.0, domain.interval.high})
    if (std::isfinite(one) && domain.interval.contains(one) &&
        std::find(out.begin(), out.end(), formulas::Value(one)) == out.end())
      out.push_back(one);
  std::sort(out.begin(), out.end());
  return out;
}

double as_number(const formulas::Value& value) {
  const auto* truth = std::get_if<bool>(&value);
  return truth != nullptr ? *truth : std::get<double>(value);
}

/// Returns a number or a truth value as text: `1.0`, `true`.
std::string shown(const formulas::Value& value) {
  return std::holds_alternative<bool>(value) ? value_text(value) : json(as_number(value)).dump();
}

/// A formula's values at a few places, as rows of a table; empty if it has too many unknowns.
std::string value_table(const Value& value, const formulas::Ranges& ranges) {
  constexpr std::size_t most_unknowns = 3, most_rows = 12;
  const std::string written = formula_text(value.formula);
  std::vector<std::pair<std::string, std::vector<formulas::Value>>> unknowns;
  for (const auto& [name, domain] : ranges.values)
    if (written.find(name) != std::string::npos) unknowns.emplace_back(name, samples(domain));
  if (unknowns.empty() || unknowns.size() > most_unknowns) return "";
  std::string text = "|";
  for (const auto& [name, at] : unknowns) text += " " + name + " |";
  text += " value |\n|";
  for (std::size_t i = 0; i <= unknowns.size(); ++i) text += "---|";
  std::vector<std::size_t> index(unknowns.size());
  for (std::size_t rows = 0; rows < most_rows;) {
    formulas::Bindings bindings;
    formulas::Record at;
    std::string row = "\n|";
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      const auto& [name, values] = unknowns[i];
      at[name] = values[index[i]];
      const std::size_t dot = name.find('.');
      bindings.records[name.substr(0, dot)][name.substr(dot + 1)] = values[index[i]];
      row += " " + shown(values[index[i]]) + " |";
    }
    const bool possible =
        std::none_of(ranges.implications.begin(), ranges.implications.end(), [&](const auto& i) {
          const auto condition = at.find(i.condition), then = at.find(i.then);
          return condition != at.end() && then != at.end() && condition->second == formulas::Value(i.value) &&
                 !i.domain.contains(as_number(then->second));
        });
    if (possible) {
      try {
        text += row + fmt::format(" {:.4g} |", evaluate_number(value.formula, bindings));
        ++rows;
      } catch (const formulas::EvaluationError&) {
        text += row + " none |";
      }
    }
    std::size_t next = 0;
    while (next < index.size() && ++index[next] == unknowns[next].second.size()) index[next++] = 0;
    if (next == index.size()) break;
  }
  return text;
}

/// A formula's proven range, and its values at a few places.
std::string formula_about(Analysis& analysis, const Value& value) {
  if (!value.is(Value::Kind::formula)) return "";
  const auto ranges = language::ranges_of(value, analysis.program->library->schema);
  const auto enclosure = bound(value.formula, ranges);
  std::string text;
  if (std::isfinite(enclosure.low) && std::isfinite(enclosure.high))
    text = fmt::format("Proven to lie within {:.6g} and {:.6g}.", enclosure.low, enclosure.high);
  paragraph(text, value_table(value, ranges));
  return text;
}

std::string declaration_text(Analysis& analysis, const language::Symbol& symbol) {
  const ast::Declaration& d = *symbol.declaration;
  std::string head = d.kind + " " + d.name;
  if (!d.base.empty()) head += " : " + d.base.text();
  std::string text;
  if (d.kind == "task") {
    const language::SuiteTask* task = task_of(analysis, d);
    if (task != nullptr) head += signature_of(*task->typed());
    paragraph(text, code(head));
    if (task != nullptr) paragraph(text, fmt::format("Task `{}`.", task->text()));
    paragraph(text, d.doc);
    return text;
  }
  const language::KindSpec* kind = analysis.program->library->schema.kind(d.kind);
  if (kind != nullptr && kind->value) {
    if (d.value) head += " = " + std::string(analysis.program->checked.sources.text(d.value->range));
    paragraph(text, code(head));
    paragraph(text, d.doc);
    if (!kind->value->is(language::Type::Kind::expression)) {
      const Value value =
          analysis.program->resolution->meaning().value_of(symbol, analysis.program->resolution->plain());
      if (value.is(Value::Kind::tasks)) paragraph(text, tasks_text(value));
    }
    return text;
  }
  if (d.kind == "suite") {
    paragraph(text, code(head));
    paragraph(text, d.doc);
    const auto& meaning = analysis.program->resolution->meaning();
    const auto& suites = meaning.suites();
    if (const auto suite = suites.find(meaning.name_of_suite(d)); suite != suites.end())
      paragraph(text, fmt::format("{} tasks.", suite->second.size()));
    return text;
  }
  paragraph(text, code(head));
  paragraph(text, d.doc);
  const auto of = resolved(analysis, symbol);
  if (of == nullptr) return text;
  if (d.kind == "experiment") paragraph(text, design_text(analysis, *of));
  std::string fields;
  for (const auto& [name, value] : of->fields) {
    if (!value.given) continue;
    const language::Spec* spec = spec_of(analysis, symbol, {name});
    if (spec == nullptr || value.is(Value::Kind::block) || value.is(Value::Kind::map) ||
        value.is(Value::Kind::formula))
      continue;
    const std::string origin = origin_text(analysis, value.origin, d);
    fields += fmt::format("{} = {}{}\n", name, printed(analysis, value, *spec),
                          origin.empty() ? "" : "  # " + origin);
  }
  if (!fields.empty()) paragraph(text, "```trl\n" + fields + "```");
  return text;
}

/// Returns the text for a field: its documentation in the schema, and its value after derivation.
std::string field_text(Analysis& analysis, const language::Symbol& symbol,
                       const std::vector<std::string>& path) {
  const language::Spec* spec = spec_of(analysis, symbol, path);
  if (spec == nullptr) return "";
  std::string name;
  for (const std::string& part : path) name += (name.empty() ? "" : ".") + part;
  // A field is documented under its kind or its variant.
  std::string text;
  const auto of = resolved(analysis, symbol);
  for (const std::string& owner :
       {of && of->variant ? of->variant->name : std::string(), symbol.declaration->kind})
    if (text.empty() && !owner.empty()) text = documentation(owner + "." + name);
  if (text.empty()) {
    text = code(spec->name + ": " + spec->type.text());
    paragraph(text, spec->doc);
  }
  const Value* value = of ? value_at(*of, path) : nullptr;
  if (value == nullptr || value->absent() || value->is(Value::Kind::block) || value->is(Value::Kind::map))
    return text;
  if (value->is(Value::Kind::formula)) {
    paragraph(text, formula_about(analysis, *value));
    return text;
  }
  const std::string origin = origin_text(analysis, value->origin, *symbol.declaration);
  paragraph(text, fmt::format("Here `{}`{}.", printed(analysis, *value, *spec),
                              origin.empty() ? "" : ", " + origin));
  if (value->is(Value::Kind::tasks)) paragraph(text, tasks_text(*value));
  return text;
}

struct Hovered {
  std::string text;
  language::Range range;
};

bool is_choice(const language::Type& type, const std::string& word) {
  return std::find(type.choices.begin(), type.choices.end(), word) != type.choices.end() ||
         std::any_of(type.args.begin(), type.args.end(),
                     [&](const language::Type& part) { return is_choice(part, word); });
}

/// Explains a word as the value of the field at a place; empty if the word is no choice of that field.
std::string choice_text(Analysis& analysis, const Place& place, const std::string& word) {
  if (place.declaration() == nullptr || place.path.empty()) return "";
  const language::Spec* spec = spec_of(analysis, place.symbol(), place.path);
  if (spec == nullptr || !is_choice(spec->type, word)) return "";
  std::string text = code(word);
  if (spec->name == "columns" || spec->name == "metric" || spec->name == "y")
    if (const auto* column = contract::find_column(word)) {
      paragraph(text, fmt::format("A column of tables, of {}: {}.", column->counted, column->meaning));
      return text;
    }
  paragraph(text, fmt::format("A value of `{}`. {}", spec->name, spec->doc));
  return text;
}

/// Explains a part of a formula's parameter: `c.correct`, where `c` is a verdict.
std::string part_text(Analysis& analysis, const Place& place, const std::string& dotted) {
  const std::size_t dot = dotted.find('.');
  if (dot == std::string::npos || place.declaration() == nullptr) return "";
  const std::string name = dotted.substr(0, dot), part = dotted.substr(dot + 1);
  const auto records = [&](const std::vector<ast::Parameter>& written,
                           const std::vector<ast::Parameter>& typed) -> std::string {
    for (std::size_t i = 0; i < std::min(written.size(), typed.size()); ++i)
      if (written[i].name == name && typed[i].type)
        return documentation(typed[i].type->dotted().value_or("") + "." + part);
    return "";
  };
  if (!place.items.empty() && !place.path.empty())
    if (const language::Spec* spec = spec_of(analysis, place.symbol(), place.path))
      if (std::string text = records(place.items.back()->parameters, spec->parameters); !text.empty())
        return text;
  return records(place.declaration()->parameters, place.declaration()->parameters);
}

/// Explains the schema's word at a place: a part of a parameter, a choice of the field, a function, a unit, a
/// tensor function.
Hovered word_text(Analysis& analysis, const Place& place, std::size_t offset) {
  for (auto at = place.expressions.rbegin(); at != place.expressions.rend(); ++at) {
    const ast::Expr& e = **at;
    if (!e.unit.empty() && e.unit_range.begin <= offset && offset <= e.unit_range.end)
      return {documentation(e.unit), e.unit_range};
    const auto dotted = e.dotted();
    if (!dotted) continue;
    if (std::string text = part_text(analysis, place, *dotted); !text.empty())
      return {std::move(text), e.range};
    if (std::string text = choice_text(analysis, place, *dotted); !text.empty())
      return {std::move(text), e.range};
    const std::string name = full_name(*place.module, *dotted);
    for (const std::string& one : {name, e.text})
      if (std::string text = documentation(one); !text.empty()) return {std::move(text), e.range};
    if (at != place.expressions.rbegin() && !e.is(ast::Expr::Kind::member)) break;
  }
  return {};
}

Hovered hovered(Analysis& analysis, const language::Module& module, std::size_t offset) {
  const Place place = place_at(module, offset);
  switch (place.part) {
    case Place::Part::import_: {
      const auto import = module.imports.find(place.import->alias);
      if (import == module.imports.end() || import->second.module == nullptr) return {};
      std::string text = code("import " + place.import->path.text());
      paragraph(text, import->second.module->ast.doc);
      return {text, place.range};
    }
    case Place::Part::kind:
      return {documentation(place.declaration()->kind), place.range};
    case Place::Part::allow:
      if (const language::Rule* rule = language::find_rule(place.allow->rule))
        return {fmt::format("**{}**\n\n{}", rule->id, rule->reason), place.range};
      return {};
    default:
      break;
  }
  if (const auto mention = mention_at(analysis, module.file, offset)) {
    // `reinforce.max_tokens`: the field of another declaration.
    if (offset > mention->name.end) {
      const std::vector<std::string> path = fields_until(analysis, *mention, offset);
      if (std::string field = field_text(analysis, mention->symbol, path); !field.empty())
        return {std::move(field), mention->range};
    }
    return {declaration_text(analysis, mention->symbol), mention->name};
  }
  if (place.part == Place::Part::base) {
    const std::string base = place.declaration()->base.text();
    return {documentation(base), place.range};
  }
  if (place.part == Place::Part::declared && place.declaration() != nullptr)
    return {declaration_text(analysis, place.symbol()), place.range};
  if (place.part == Place::Part::field)
    return {field_text(analysis, place.symbol(), place.path), place.range};
  return word_text(analysis, place, offset);
}

json hover_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  const std::size_t offset = session.offset(params);
  Analysis& analysis = session.analysis(document);
  const language::Module* module = analysis.module();
  if (module == nullptr) return nullptr;
  const Hovered at = hovered(analysis, *module, offset);
  if (at.text.empty()) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", at.text}}},
          {"range", session.range(analysis, at.range)}};
}

}  // namespace

const Feature features::hover{"textDocument/hover", hover_of, "hoverProvider"};

}  // namespace trl::language_server
