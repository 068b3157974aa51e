// Derivation of declarations: a field or list replaces the base's, and blocks merge field by field. Then
// every field gets its value.
#include <fmt/format.h>

#include <algorithm>

#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"

namespace trl::language {

Elaborator::Elaborator(const Schema& schema, const Module& schema_module, const Loaded& loaded,
                       std::vector<Diagnostic>& diagnostics)
    : schema_(schema), schema_module_(schema_module), loaded_(loaded), sink_(&diagnostics) {
  for (const auto& [name, record] : schema.records) {
    Type type;
    type.kind = Type::Kind::record;
    type.name = name;
    parameter_types_[name] = type;
  }
  for (const auto& [name, kind] : {std::pair("number", Type::Kind::number),
                                   {"fraction", Type::Kind::fraction},
                                   {"count", Type::Kind::count},
                                   {"bool", Type::Kind::boolean}})
    parameter_types_[name].kind = kind;
}

namespace {

/// Whether a value of the type may name declarations.
bool may_refer(const Type& type) {
  using Kind = Type::Kind;
  constexpr Kind plain[] = {Kind::count,   Kind::number, Kind::fraction, Kind::duration,
                            Kind::bytes,   Kind::money,  Kind::price,    Kind::bandwidth,
                            Kind::boolean, Kind::text,   Kind::one_of};
  if (type.is(Kind::list) || type.is(Kind::optional)) return may_refer(type.args.at(0));
  return std::find(std::begin(plain), std::end(plain), type.kind) == std::end(plain);
}

}  // namespace

bool Elaborator::report_cycle(const Symbol& symbol, Context& context) {
  const auto at = std::find(context.active.begin(), context.active.end(), symbol.declaration);
  if (at == context.active.end()) return false;
  faulty_ = true;
  std::string way;
  // The cycle begins with the declaration that stands first in the file, so that the report is the same
  // wherever the cycle was entered.
  std::vector<const ast::Declaration*> cycle(at, context.active.end());
  std::rotate(cycle.begin(),
              std::min_element(cycle.begin(), cycle.end(),
                               [](const auto* a, const auto* b) {
                                 return std::pair(a->name_range.file, a->name_range.begin) <
                                        std::pair(b->name_range.file, b->name_range.begin);
                               }),
              cycle.end());
  for (const ast::Declaration* d : cycle) way += d->name + " → ";
  report(found(rules::reference_cycle, cycle.front()->name_range,
               "`" + cycle.front()->name + "` refers to itself: " + way + cycle.front()->name)
             .helped("break the cycle: one of them must not refer to the others"));
  return true;
}

void Elaborator::put(std::vector<Slot>& into, const std::vector<std::string>& path,
                     const std::vector<Range>& ranges, std::size_t at, const ast::Item& item,
                     const Module& module, Merged& merged) {
  auto slot = std::find_if(into.begin(), into.end(), [&](const Slot& s) { return s.name == path[at]; });
  if (slot == into.end()) {
    into.push_back({path[at], ranges[at], nullptr, &module, false, {}});
    slot = into.end() - 1;
  }
  slot->name_range = ranges[at];
  if (path.size() == 1 && merged.inside.empty() && !item.block) merged.unsound.erase(path[0]);
  if (at + 1 < path.size()) {
    slot->is_block = true;
    put(slot->children, path, ranges, at + 1, item, module, merged);
    return;
  }
  slot->item = &item;
  slot->module = &module;
  slot->origin = merged.writer;
  slot->origin.range = item.path.range;
  if (item.block) {
    slot->is_block = true;
    const std::string outer = merged.inside;
    if (outer.empty()) merged.inside = path[0];
    merge_block(slot->children, *item.block, module, merged);
    merged.inside = outer;
  } else {
    slot->is_block = false;
    slot->children.clear();
  }
}

void Elaborator::merge_block(std::vector<Slot>& into, const ast::Block& block, const Module& module,
                             Merged& merged) {
  merged.broken = merged.broken || block.broken;
  if (block.broken && !merged.inside.empty()) merged.unsound.insert(merged.inside);
  std::map<std::string, Range> seen;
  for (const ast::Item& item : block.items) {
    const auto [before, fresh] = seen.emplace(item.path.text(), item.path.range);
    if (!fresh) {
      const Range& last = (&item - 1)->range;  // a previous item exists, since the name is given twice
      auto d = found(rules::duplicate_name, item.path.range, "`" + item.path.text() + "` is given twice");
      d.note("first here", before->second);
      if (item.path.text() == "vary" && item.value) {
        d.helped("an experiment has one design: join the two by `*`, `vary = grid(…) * subsets(…)`");
        if ((&item - 1)->path.text() == "vary")
          d.suggest("join both", {item.range.file, last.end, item.value->range.begin}, " * ");
      } else {
        d.helped("remove one of them");
        d.suggest("remove this one", {item.range.file, last.end, item.range.end}, "");
      }
      report(std::move(d));
    }
    if (item.type || item.limits) {
      auto d = found(
          rules::misplaced, item.range,
          "only the schema gives types and ranges: write a field as `" + item.path.text() + " = value`");
      if (item.value)
        d.suggest("leave the type out", {item.range.file, item.path.range.end, item.value->range.begin},
                  " = ");
      else if (item.type && !item.limits && !item.has_parameters)
        d.fix("write `=`", {item.range.file, item.path.range.end, item.type->range.begin}, " = ");
      report(std::move(d));
    }
    put(into, item.path.parts, item.path.ranges, 0, item, module, merged);
    // Which of two values is meant isn't known, nor what stands in text that was corrected by a guess.
    if (!fresh || item.type || item.limits || module.doubts(item.range))
      merged.unsound.insert(merged.inside.empty() ? item.path.parts[0] : merged.inside);
  }
  for (const ast::Declaration& d : block.declarations)
    report(found(rules::misplaced, d.kind_range,
                 "`" + d.kind + " " + d.name + "` cannot be declared inside another declaration")
               .helped("move it out, and refer to it by its name"));
  for (const ast::Allow& a : block.allows) merged.allows.push_back(&a);
}

Symbol Elaborator::base_of(const Symbol& symbol) const {
  const ast::Declaration& d = *symbol.declaration;
  const Symbol of = d.base.empty() ? Symbol{} : lookup(d.base.parts, *symbol.module);
  // A declaration of the file is preferred to a variant of its name, so that new variants of the schema
  // don't break files.
  const bool variant = schema_.kind(d.kind)->variants.contains(d.base.text());
  return variant && (!of || of == symbol || of.declaration->kind != d.kind) ? Symbol{} : of;
}

Elaborator::Merged Elaborator::merge(const Symbol& symbol, Context& context) {
  const ast::Declaration& d = *symbol.declaration;
  const KindSpec& kind = *schema_.kind(d.kind);
  Merged merged;
  if (report_cycle(symbol, context)) {
    merged.faulty = merged.broken = true;
    return merged;
  }
  if (!d.base.empty()) {
    const std::string base = d.base.text();
    const Symbol of = base_of(symbol);
    const auto variant = kind.variants.find(base);
    if (variant != kind.variants.end() && !of) {
      merged.variant = &variant->second;
    } else if (of && of.declaration->kind == d.kind) {
      note(d.base.range, of);
      context.active.push_back(&d);
      merged = merge(of, context);
      context.active.pop_back();
      merged.doc.clear();
    } else if (of && schema_.kind(of.declaration->kind) == nullptr) {
      merged.faulty = merged.broken = true;  // the kind was reported
    } else if (of) {
      merged.faulty = merged.broken = true;
      report(found(rules::wrong_type, d.base.range,
                   "`" + base + "` is " + with_article(of.declaration->kind) + ", and `" + d.name + "` " +
                       with_article(d.kind))
                 .note("declared here", of.declaration->name_range)
                 .helped("a declaration derives from one of its own kind"));
    } else {
      merged.faulty = merged.broken = true;
      std::vector<std::string> known;
      for (const auto& [name, v] : kind.variants) known.push_back(name);
      for (const std::string& name : names_of_kind(*symbol.module, d.kind))
        if (name != d.name) known.push_back(name);
      if (!symbol.module->may_declare(d.base.parts[0])) {
        auto diagnostic = found(rules::unknown_name, d.base.range,
                                "there is no " + d.kind + " `" + base + "` to derive from");
        const auto words = foreign_words(Place::variant, base);
        diagnostic.helped(words.empty() ? suggestion(base, known) : help_for(*words.front()));
        if (words.empty()) respell(diagnostic, base, known, d.base.range, Names::of_file);
        report(std::move(diagnostic));
      }
    }
  } else if (!kind.variants.empty()) {
    merged.faulty = merged.broken = true;
    std::vector<std::string> known;
    for (const auto& [name, v] : kind.variants) known.push_back(name);
    report(
        found(rules::missing_field, d.name_range, "which " + d.kind + " is `" + d.name + "`?")
            .helped("write `" + d.kind + " " + d.name + " : …` with one of " + enumeration(known, 12, "or")));
  }
  if (!d.doc.empty()) merged.doc = d.doc;
  merged.writer = {Origin::Kind::written, &d, {}};
  const std::size_t head_end = d.block ? d.block->range.begin : d.range.end;
  if (symbol.module->doubts({d.range.file, d.range.begin, head_end}) ||
      symbol.module->doubts_structure(d.range))
    merged.faulty = merged.broken = true;
  if (d.block) merge_block(merged.slots, *d.block, *symbol.module, merged);
  if (d.block && d.block->broken) {
    // A field that isn't written here may be in text that could not be parsed.
    std::set<std::string> written;
    for (const ast::Item& item : d.block->items) written.insert(item.path.parts[0]);
    const auto lose = [&](const std::vector<Spec>& specs) {
      for (const Spec& spec : specs)
        if (!written.contains(spec.name) && symbol.module->may_declare(spec.name))
          merged.unsound.insert(spec.name);
    };
    lose(kind.fields);
    if (merged.variant != nullptr) lose(merged.variant->fields);
  }
  for (const ast::Allow& a : d.allows) merged.allows.push_back(&a);
  for (const Override& o : context.overrides) {
    if (!(o.target == symbol) || o.path.empty()) continue;
    merged.writer = o.origin();
    put(merged.slots, o.path, o.ranges, 0, *o.item, *o.module, merged);
    context.applied.insert(o.item);
  }
  faulty_ = faulty_ || merged.faulty;
  return merged;
}

std::shared_ptr<const Resolved> Elaborator::resolve(const Symbol& symbol, Context& context) {
  const ast::Declaration& d = *symbol.declaration;
  if (const auto done = context.done.find(&d); done != context.done.end()) {
    refers_to_faulty_ = refers_to_faulty_ || done->second->faulty;
    return done->second;
  }
  const KindSpec* kind = schema_.kind(d.kind);
  if (kind == nullptr) {
    faulty_ = true;
    return nullptr;
  }
  if (report_cycle(symbol, context)) return nullptr;
  const bool before = std::exchange(faulty_, false), referred = std::exchange(refers_to_faulty_, false);
  auto out = std::make_shared<Resolved>();
  out->kind = d.kind;
  out->name = d.name;
  out->declared = &d;
  out->range = d.name_range;
  if (!d.dimensions.empty() || d.has_parameters)
    report(
        found(rules::misplaced, d.name_range,
              "only tasks have dimensions and parameters, and `" + d.name + "` is " + with_article(d.kind)));
  if (d.value) {
    report(
        found(rules::wrong_type, d.value->range, with_article(d.kind) + " is a block of fields, not a value")
            .helped("write `" + d.kind + " " + d.name + " { … }`"));
    out->unsound.insert("");
  } else {
    Merged merged = merge(symbol, context);
    out->doc = merged.doc;
    out->variant = merged.variant;
    out->allows = merged.allows;
    std::vector<Spec> specs = kind->fields;
    if (merged.variant != nullptr)
      specs.insert(specs.end(), merged.variant->fields.begin(), merged.variant->fields.end());
    const std::string owner = merged.variant != nullptr ? merged.variant->name : d.kind;
    context.active.push_back(&d);
    // Without a variant, the fields that the declaration may have are unknown.
    if (merged.faulty) {
      out->unsound.insert("");
    } else {
      out->fields = fill(specs, merged.slots, owner, d.name_range, merged.broken, context, out->unsound);
      out->unsound.insert(merged.unsound.begin(), merged.unsound.end());
      std::erase_if(out->fields, [&](const auto& field) {
        const bool unsound = out->unsound.contains(field.first);
        if (unsound && field.second.plain.is_number()) out->refused.push_back(field);
        return unsound;
      });
    }
    out->lost_references = std::any_of(out->unsound.begin(), out->unsound.end(), [&](const auto& name) {
      const Spec* spec = find(specs, name);
      return spec == nullptr || may_refer(spec->type);
    });
    context.active.pop_back();
    if (merged.broken) faulty_ = true;
  }
  out->faulty = faulty_ || refers_to_faulty_ || !out->unsound.empty();
  faulty_ = before;
  refers_to_faulty_ = referred || out->faulty;
  context.done[&d] = out;
  return out;
}

std::optional<Value> Elaborator::default_of(const Spec& spec, Range owner_range, Context& context) {
  const Scope scope{&schema_module_, &context};
  Value value;
  if (spec.type.is(Type::Kind::block)) {
    value.kind = Value::Kind::block;
    std::set<std::string> unsound;
    value.entries = fill(spec.fields, {}, spec.name, owner_range, false, context, unsound);
  } else if (spec.default_value && spec.has_parameters) {
    value = formula(spec.parameters, *spec.default_value, spec, scope);
  } else if (spec.default_value) {
    value = evaluate(*spec.default_value, spec.type, spec, scope);
  } else if (!spec.type.is(Type::Kind::optional) && !spec.type.is(Type::Kind::overrides)) {
    return std::nullopt;
  }
  value.range = owner_range;
  value.given = false;
  value.origin = {Origin::Kind::defaulted, nullptr, spec.range};
  return value;
}

namespace {

/// Returns the meaning of another tool's field with its value, such as `loss_type = dr_grpo`.
const ForeignSetting* setting_meant(const std::string& field, const ast::Item* item) {
  if (item == nullptr || !item->value) return nullptr;
  const ast::Expr& value = *item->value;
  if (!value.is(ast::Expr::Kind::name) && !value.is(ast::Expr::Kind::text)) return nullptr;
  return foreign_setting(field, value.text);
}

/// For a field that names the source from which another way to train learns: `instead` is the source of this
/// way, `data` (answers that are given) or `tasks` (which the model answers itself). It is empty for other
/// fields. `given` says whether a field is written.
struct OtherSource {
  std::string instead;  ///< the field that this way to train has
  std::string help;
};
template <class Given>
OtherSource other_source(const std::string& owner, const std::string& field, const std::vector<Spec>& specs,
                         const Given& given) {
  const auto has = [&](const char* name) { return find(specs, name) != nullptr; };
  const auto words = foreign_words(Place::field, field);
  const bool data = field == "data" || std::any_of(words.begin(), words.end(), [](const ForeignWord* word) {
                      return word->meant == std::string_view("data");
                    });
  if (data && has("tasks") && has("candidates")) {
    return {
        "tasks",
        fmt::format("`{}` {} the model's own answers to `tasks`: leave `{}` out{}, or train on it before: "
                    "`train = imitate -> …` with `train imitate : sft {{ data = … }}`",
                    owner, has("pairs") ? "makes its pairs from" : "trains on", field,
                    given("tasks") ? "" : " and give `tasks = …`")};
  }
  if (field == "tasks" && has("data") && has("learning_rate")) {
    return {"data",
            fmt::format("`{}` trains on answers that are given, its `data`: {}, or train on the model's own "
                        "answers to `tasks` by `best_of_n`, `dpo`, `grpo` or `policy_gradient`",
                        owner,
                        given("data") ? "leave `tasks` out"
                                      : "write `data = windtunnel.corpus(…)` or another corpus")};
  }
  return {};
}

/// Adds the names of declarations in an expression, such as both names in `imitate -> example.reinforce`.
void add_names(const ast::Expr& e, std::vector<std::vector<std::string>>& names) {
  if (const auto dotted = e.dotted()) return names.push_back(ast::split_dotted(*dotted));
  for (const ast::Expr& part : e.args) add_names(part, names);
}

/// A number or a word as it is written; `…` for other values.
std::string short_text(const ast::Item* item) {
  if (item == nullptr || !item->value) return "…";
  const ast::Expr& value = *item->value;
  const bool apart = !value.unit.empty() && value.unit != "%";
  if (value.is(ast::Expr::Kind::number))
    return fmt::format("{:.10g}{}{}", value.number, apart ? " " : "", value.unit);
  return value.dotted().value_or("…");
}

}  // namespace

bool Elaborator::may_have(Symbol symbol, const std::string& field) const {
  std::set<const ast::Declaration*> seen;
  while (symbol && seen.insert(symbol.declaration).second) {
    const ast::Declaration& d = *symbol.declaration;
    const KindSpec* kind = schema_.kind(d.kind);
    if (kind == nullptr) return false;
    if (find(kind->fields, field) != nullptr) return true;
    symbol = base_of(symbol);
    const auto variant = kind->variants.find(d.base.text());
    if (!symbol) return variant != kind->variants.end() && find(variant->second.fields, field) != nullptr;
  }
  return false;
}

bool Elaborator::help_with_override(Diagnostic& d, const Slot& slot, const std::vector<Slot>& slots) {
  // The declarations that the experiment names, as its file calls them.
  std::vector<std::pair<Symbol, std::string>> declarations;
  for (const Slot& other : slots) {
    if (other.item == nullptr || !other.item->value || other.name == "controls" || other.name == "vary")
      continue;
    std::vector<std::vector<std::string>> names;
    add_names(*other.item->value, names);
    for (const auto& name : names) {
      const Symbol of = lookup(name, *other.module);
      if (!of) continue;
      if (of.module == slot.module) declarations.emplace_back(of, of.declaration->name);
      for (const auto& [alias, import] : slot.module->imports)
        if (import.module == of.module) declarations.emplace_back(of, alias + "." + of.declaration->name);
    }
  }
  std::string parameters;
  if (slot.item != nullptr && slot.item->has_parameters) {
    for (const ast::Parameter& one : slot.item->parameters)
      parameters += (parameters.empty() ? "(" : ", ") + one.name;
    parameters += ")";
  }
  std::vector<std::string> paths;
  const auto add = [&](const std::string& field) {
    for (const auto& [of, name] : declarations) {
      const std::string path = name + "." + field + parameters;
      const bool known = std::find(paths.begin(), paths.end(), path) != paths.end();
      if (!known && may_have(of, field)) paths.push_back(path);
    }
  };
  add(slot.name);
  if (paths.empty())
    for (const ForeignWord* word : foreign_words(Place::field, slot.name))
      if (*word->meant != 0) add(word->meant);
  if (paths.empty()) return false;
  const std::string value = short_text(slot.item),
                    change = "override { " + paths.front() + " = " + value + " }";
  const std::vector<std::string> others(paths.begin() + 1, paths.end());
  d.helped("an experiment changes a field of what it names so: `" + change + "`" +
           (others.empty() ? "" : ", or " + enumeration(others, 4, "or")));
  const bool overrides =
      std::any_of(slots.begin(), slots.end(), [&](const Slot& one) { return one.name == "override"; });
  if (paths.size() == 1 && value != "…" && !overrides && slot.item != nullptr)
    d.suggest("write `" + change + "`", slot.item->range, change);
  return true;
}

std::vector<std::pair<std::string, Value>> Elaborator::fill(const std::vector<Spec>& specs,
                                                            const std::vector<Slot>& slots,
                                                            const std::string& owner, Range owner_range,
                                                            bool broken, Context& context,
                                                            std::set<std::string>& unsound) {
  std::vector<std::pair<std::string, Value>> out;
  std::vector<std::string> known;
  for (const Spec& spec : specs) known.push_back(spec.name);
  std::set<std::string> meant;  // fields that are there by another name
  for (const Slot& slot : slots) {
    if (find(specs, slot.name) != nullptr) continue;
    auto d = found(rules::unknown_field, slot.name_range, "`" + owner + "` has no field `" + slot.name + "`");
    const auto given = [&](const std::string& field) {
      return meant.contains(field) || std::any_of(slots.begin(), slots.end(), [&](const Slot& s) {
               return s.name == field && s.origin.by == slot.origin.by;
             });
    };
    std::string probably = meant_field(slot.name, known);
    std::vector<std::string> possible = known;
    if (given(probably) && !surely_field(slot.name, probably, known)) {
      // A word that is only a little like a given field means another one.
      std::erase_if(possible, given);
      probably = meant_field(slot.name, possible);
    }
    const auto written = [&](const std::string& field) {
      return std::any_of(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == field; });
    };
    if (const OtherSource other = other_source(owner, slot.name, specs, written); !other.instead.empty()) {
      d.helped(other.help);
      if (!written(other.instead)) meant.insert(other.instead), unsound.insert(other.instead);
      unsound.insert(slot.name);
      report(std::move(d));
      continue;
    }
    std::vector<std::string> inner;  // the fields that a block groups, by their names here
    for (const Slot& one : slot.children) {
      const auto words = foreign_words(Place::field, one.name);
      const auto word = std::find_if(words.begin(), words.end(), [&](const ForeignWord* of) {
        return find(specs, of->meant) != nullptr;
      });
      if (find(specs, one.name) != nullptr)
        inner.push_back(one.name);
      else if (word != words.end())
        inner.emplace_back((*word)->meant);
    }
    if (slot.is_block && !inner.empty() && inner.size() == slot.children.size()) {
      d.helped("write its fields directly in `" + owner +
               "`, without a block around them: " + enumeration(inner, inner.size()));
      meant.insert(inner.begin(), inner.end()), unsound.insert(inner.begin(), inner.end());
    } else if (owner != "experiment" || !help_with_override(d, slot, slots)) {
      help_with_field(d, slot.name, possible, slot.name_range);
    }
    if (const ForeignSetting* setting = setting_meant(slot.name, slot.item)) {
      std::string fields, missing;
      bool all = true;
      for (const auto& [field, of] : setting->fields) {
        all &= find(specs, field) != nullptr;
        const std::string text = std::string(field) + " = " + of;
        fields += (fields.empty() ? "" : ", ") + text;
        if (!given(field)) missing += (missing.empty() ? "" : ", ") + text;
      }
      if (all) {
        d.fixes.clear();
        d.helped(fields.empty() ? setting->help : "write `" + fields + "`: " + setting->help);
        if (!missing.empty()) d.suggest("write `" + missing + "`", slot.item->range, missing);
        for (const auto& [field, of] : setting->fields) meant.insert(field), unsound.insert(field);
        report(std::move(d));
        continue;
      }
    }
    if (!probably.empty() && given(probably)) {
      // Written as the field that is meant, it would be given twice.
      d.fixes.clear();
      d.helped("`" + probably + "` is given already: remove one of them");
    } else if (const Spec* spec = find(specs, probably);
               spec != nullptr && !d.fixes.empty() && d.fixes.front().certain && slot.item != nullptr &&
               slot.item->value && !slot.is_block && !spec->has_parameters) {
      // Errors in the field's value are reported at once.
      fill_one(*spec, slot, context);
    }
    meant.insert(probably);
    unsound.insert(probably.empty() ? slot.name : probably);
    report(std::move(d));
  }
  for (const Spec& spec : specs) {
    const auto slot =
        std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == spec.name; });
    const bool before = std::exchange(faulty_, false);
    const auto done = [&] {
      if (faulty_) unsound.insert(spec.name);
      faulty_ = faulty_ || before;
    };
    if (slot != slots.end()) {
      out.emplace_back(spec.name, fill_one(spec, *slot, context));
      done();
      continue;
    }
    if (broken) unsound.insert(spec.name);  // the field may be in text that could not be parsed
    if (auto value = default_of(spec, owner_range, context)) {
      out.emplace_back(spec.name, std::move(*value));
    } else if (!broken && !meant.contains(spec.name)) {
      const std::string sample = spec.type.is(Type::Kind::map) ? spec.name + " { … }" : spec.name + " = …";
      report(found(rules::missing_field, owner_range, "`" + owner + "` needs the field `" + spec.name + "`")
                 .helped("add `" + sample + "`" + (spec.doc.empty() ? "" : ": " + spec.doc)));
    }
    done();
  }
  return out;
}

Value Elaborator::fill_one(const Spec& spec, const Slot& slot, Context& context) {
  using Kind = Type::Kind;
  const Scope scope{slot.module, &context, slot.name_range};
  Value value;
  std::set<std::string> within;  // unsound fields of the block
  const Type& type = spec.type;
  const bool wants_block = type.is(Kind::block) || type.is(Kind::map) || type.is(Kind::overrides);
  if (wants_block != slot.is_block || (!slot.is_block && (slot.item == nullptr || !slot.item->value))) {
    value.range = slot.name_range;
    faulty_ = true;
    if (!wants_block && slot.item != nullptr && slot.item->type) return value;  // `:` for `=` was reported
    report(
        found(rules::wrong_type, slot.name_range,
              wants_block ? "`" + spec.name + "` is a block" : "`" + spec.name + "` is a value, not a block")
            .helped(wants_block ? "write `" + spec.name + " { … }`" : "write `" + spec.name + " = …`"));
    return value;
  }
  switch (type.kind) {
    case Kind::block:
      value.kind = Value::Kind::block;
      value.entries = fill(spec.fields, slot.children, spec.name, slot.name_range, false, context, within);
      if (!within.empty()) faulty_ = true;
      break;
    case Kind::map:
      value.kind = Value::Kind::map;
      for (const Slot& child : slot.children) {
        const bool module = child.is_block && slot.module->imports.contains(child.name);
        if (module)  // `windtunnel.level1 = 10%`
          for (const Slot& inner : child.children) map_entry(spec, &child, inner, scope, value);
        else
          map_entry(spec, nullptr, child, scope, value);
      }
      if (slot.children.empty())
        report(found(rules::missing_field, slot.name_range, "`" + spec.name + "` is empty"));
      break;
    case Kind::overrides:
      break;  // overrides were applied before
    default:
      if (spec.has_parameters && !slot.item->has_parameters) {
        value = named_formula(*slot.item->value, spec, scope);
      } else if (slot.item->has_parameters) {
        if (!spec.has_parameters) {
          report(found(rules::wrong_type, slot.item->range,
                       "`" + spec.name + "` is not a formula: it takes no parameters")
                     .helped("write `" + spec.name + " = …`"));
          return value;
        }
        if (slot.item->parameters.size() != spec.parameters.size()) {
          std::string names;
          for (const ast::Parameter& p : spec.parameters) names += (names.empty() ? "" : ", ") + p.name;
          report(found(rules::wrong_type, slot.item->path.range,
                       "`" + spec.name + "` is a formula of " + std::to_string(spec.parameters.size()) +
                           " parameter" + (spec.parameters.size() == 1 ? "" : "s"))
                     .helped("write `" + spec.name + "(" + names + ") = …`"));
          return value;
        }
        value = formula(slot.item->parameters, *slot.item->value, spec, scope);
      } else {
        value = evaluate(*slot.item->value, type, spec, scope);
        const bool some = spec.default_value && !(spec.default_value->is(ast::Expr::Kind::list) &&
                                                  spec.default_value->args.empty());
        if (some && type.is(Kind::list) && value.is(Value::Kind::list) && value.items.empty() && !faulty_)
          report(found(rules::empty_list, slot.item->value->range,
                       "`" + spec.name + "` needs at least one entry")
                     .helped("give an entry, or leave the field out to use its default"));
      }
      value.range = slot.item->value->range;
      value.given = true;
      value.origin = slot.origin;
      return value;
  }
  value.range = slot.name_range;
  value.given = true;
  value.origin = slot.origin;
  return value;
}

void Elaborator::map_entry(const Spec& spec, const Slot* import, const Slot& child, const Scope& scope,
                           Value& map) {
  ast::Expr key;
  key.kind = ast::Expr::Kind::name;
  key.text = child.name;
  key.range = key.text_range = child.name_range;
  if (import != nullptr) {
    ast::Expr of = key;
    of.text = import->name, of.range = import->name_range;
    key.kind = ast::Expr::Kind::member;
    key.args.push_back(std::move(of));
  }
  const Value k = evaluate(key, spec.type.args.at(0), spec, scope);
  if (child.is_block || child.item == nullptr || !child.item->value) {
    report(found(rules::wrong_type, child.name_range, "`" + child.name + "` is a value, not a block")
               .helped("write `" + child.name + " = …`"));
    return;
  }
  Value v = evaluate(*child.item->value, spec.type.args.at(1), spec, {child.module, scope.context});
  v.origin = child.origin;
  if (!k.absent()) map.entries.emplace_back(k.string(), std::move(v));
}

Origin Override::origin() const {
  return {from_command_line ? Origin::Kind::setting : Origin::Kind::override, by, item->path.range};
}

std::vector<Override> Elaborator::overrides_of(const Symbol& experiment) {
  // Bases come first, so that a derived experiment's own override is applied last.
  std::vector<Override> out;
  std::vector<Symbol> line;
  std::set<const ast::Declaration*> seen;
  for (Symbol s = experiment; s && seen.insert(s.declaration).second;) {
    line.insert(line.begin(), s);
    s = s.declaration->base.empty() ? Symbol{} : lookup(s.declaration->base.parts, *s.module);
  }
  const KindSpec* kind = schema_.kind(experiment.declaration->kind);
  for (const Symbol& s : line) {
    if (!s.declaration->block) continue;
    for (const ast::Item& item : s.declaration->block->items) {
      const Spec* spec = item.path.parts.size() == 1 ? find(kind->fields, item.path.parts[0]) : nullptr;
      if (spec == nullptr || !spec->type.is(Type::Kind::overrides) || !item.block) continue;
      for (const ast::Item& change : item.block->items)
        if (auto o = find_override(change, *s.module)) {
          o->by = s.declaration;
          out.push_back(std::move(*o));
        }
    }
  }
  return out;
}

const Spec* Elaborator::spec_at(const Symbol& symbol, const std::vector<std::string>& path) {
  const KindSpec* kind = schema_.kind(symbol.declaration->kind);
  if (kind == nullptr || path.empty()) return nullptr;
  Context aside;  // a context of its own, so that this doesn't count as a use of overrides
  const Merged merged = merge(symbol, aside);
  const Spec* spec = find(kind->fields, path[0]);
  if (spec == nullptr && merged.variant != nullptr) spec = find(merged.variant->fields, path[0]);
  for (std::size_t i = 1; i < path.size() && spec != nullptr; ++i) spec = find(spec->fields, path[i]);
  return spec;
}

}  // namespace trl::language
