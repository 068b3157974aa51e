// Lookup of names, and of overrides by their paths.
#include <algorithm>

#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"

namespace trl::language {
Symbol Elaborator::lookup(const std::vector<std::string>& parts, const Module& module) const {
  const Module* in = &module;
  if (parts.size() == 2) {
    const auto import = module.imports.find(parts[0]);
    if (import == module.imports.end() || import->second.module == nullptr) return {};
    in = import->second.module;
  } else if (parts.size() != 1) {
    return {};
  }
  const auto at = in->symbols.find(parts.back());
  return at == in->symbols.end() ? Symbol{} : at->second;
}

Symbol Elaborator::find_declaration(const ast::Expr& e, const Scope& scope) const {
  const auto dotted = e.dotted();
  return dotted ? lookup(ast::split_dotted(*dotted), *scope.module) : Symbol{};
}

Symbol Elaborator::lookup(const ast::Expr& e, const Scope& scope, const std::vector<std::string>& kinds) {
  const auto dotted = e.dotted();
  if (!dotted) return {};
  if (const Symbol symbol = find_declaration(e, scope)) return note(e.range, symbol);
  const std::vector<std::string> parts = ast::split_dotted(*dotted);
  faulty_ = true;
  if (scope.module->may_declare(parts[0])) return {};
  std::vector<std::string> known;
  const auto import = scope.module->imports.find(parts[0]);
  Range range = e.range;
  std::string name = parts[0];
  // A slip of the hand is corrected for certain only if it gives a declaration that fits.
  const auto propose = [&](Diagnostic& d, const Module& in) {
    const auto best = closest(name, known);
    const auto at = best ? in.symbols.find(*best) : in.symbols.end();
    const bool fits = at != in.symbols.end() &&
                      std::find(kinds.begin(), kinds.end(), at->second.declaration->kind) != kinds.end();
    respell(d, name, known, range, fits ? Names::of_file : Names::of_anything);
  };
  if (parts.size() > 1 && import != scope.module->imports.end()) {
    const ImportedModule& imported = import->second;
    if (imported.module == nullptr && imported.prefix.empty()) return {};  // the import itself has an error
    name = parts[1];
    range = e.text_range;
    if (imported.module != nullptr) {
      if (imported.module->may_declare(name)) return {};
      for (const auto& [n, s] : imported.module->symbols) known.push_back(n);
    }
    auto d = found(rules::unknown_name, range, "`" + parts[0] + "` has no `" + name + "`");
    if (const auto made = schema_.functions.find(*dotted); made != schema_.functions.end()) {
      help_with_function(d, made->second, e, kinds, *scope.module);
      report(std::move(d));
      return {};
    }
    d.helped(suggestion(name, known));
    if (imported.module != nullptr && d.help.empty()) {
      std::vector<std::string> fitting;
      for (const auto& [n, s] : imported.module->symbols)
        if (std::find(kinds.begin(), kinds.end(), s.declaration->kind) != kinds.end()) fitting.push_back(n);
      if (!fitting.empty()) d.helped("it has " + enumeration(fitting, 8));
    }
    if (imported.module != nullptr) propose(d, *imported.module);
    report(std::move(d));
    return {};
  }
  for (const auto& [n, s] : scope.module->symbols) known.push_back(n);
  for (const auto& [n, m] : scope.module->imports) known.push_back(n);
  auto d = found(rules::unknown_name, range, "there is no `" + *dotted + "`");
  if (schema_.modules.contains(parts[0])) d.helped("`import " + parts[0] + "` is missing");
  for (const std::string& kind : kinds) {
    // A variant's name: `subsets(multi_input)`.
    const KindSpec* spec = schema_.kind(kind);
    if (!d.help.empty() || spec == nullptr || !spec->variants.contains(*dotted)) continue;
    std::vector<std::string> derived;
    for (const auto& [n, s] : scope.module->symbols)
      if (s.declaration->kind == kind && s.declaration->base.text() == *dotted) derived.push_back(n);
    if (derived.empty())
      d.helped("`" + *dotted + "` is a variant: declare `" + kind + " mine : " + *dotted +
               " {}`, and name `mine` here");
    else if (derived.size() == 1)
      d.helped("did you mean `" + derived[0] + "`, which derives from it?");
    else
      d.helped(enumeration(derived) + " derive from it: name one of them");
    if (derived.size() == 1) d.suggest("write `" + derived[0] + "`", range, derived[0]);
  }
  if (d.help.empty()) d.helped(instead_of(e, kinds.empty() ? "" : kinds[0], {}, d));
  const bool foreign = !d.help.empty();
  if (!foreign) d.helped(help_with_name(name, known, kinds, *scope.module));
  if (parts.size() == 1 && !foreign) propose(d, *scope.module);
  report(std::move(d));
  return {};
}

void Elaborator::help_with_function(Diagnostic& d, const Function& given, const ast::Expr& e,
                                    const std::vector<std::string>& kinds, const Module& module) const {
  d.message = "`" + given.name + "` gives " + given.result + ": it is a field's value, not a declaration";
  for (const std::string& kind : kinds) {
    const KindSpec* spec = schema_.kind(kind);
    if (spec == nullptr) continue;
    const auto field = std::find_if(spec->fields.begin(), spec->fields.end(), [&](const Spec& one) {
      return one.type.is(Type::Kind::result) && one.type.name == given.result;
    });
    if (field == spec->fields.end()) continue;
    for (const auto& [name, symbol] : module.symbols) {
      if (symbol.declaration->kind != kind || !symbol.declaration->block) continue;
      for (const ast::Item& item : symbol.declaration->block->items) {
        if (item.path.text() != field->name || !item.value) continue;
        const ast::Expr& value = item.value->is(ast::Expr::Kind::call) ? item.value->args[0] : *item.value;
        if (value.dotted() != given.name) continue;
        d.helped("name the " + kind + " that has it: `" + name + "`");
        d.suggest("write `" + name + "`", e.range, name);
        return;
      }
    }
    d.helped("declare `" + kind + " mine { " + field->name + " = " + given.name +
             " }`, and name `mine` here");
    return;
  }
}

std::string Elaborator::meant_field(const std::string& name, const std::vector<std::string>& known) {
  for (const ForeignWord* word : foreign_words(Place::field, name))
    if (std::find(known.begin(), known.end(), word->meant) != known.end()) return word->meant;
  return closest(name, known).value_or("");
}

bool Elaborator::surely_field(const std::string& name, const std::string& meant,
                              const std::vector<std::string>& known) {
  const auto words = foreign_words(Place::field, name);
  return surely(name, meant, known, false) ||
         std::any_of(words.begin(), words.end(),
                     [&](const ForeignWord* word) { return word->meant == meant; });
}

std::string Elaborator::block_with(const std::string& field, const std::vector<std::string>& known) const {
  const auto in = [&](const std::vector<Spec>& specs) -> std::string {
    for (const Spec& spec : specs)
      if (spec.type.is(Type::Kind::block) && find(spec.fields, field) != nullptr &&
          std::find(known.begin(), known.end(), spec.name) != known.end())
        return spec.name;
    return "";
  };
  for (const auto& [kind_name, kind] : schema_.kinds)
    for (const auto& [variant_name, variant] : kind.variants)
      if (std::string block = in(variant.fields); !block.empty()) return block;
  return "";
}

std::string Elaborator::call_with(const std::string& argument, const std::vector<std::string>& fields,
                                  bool own) const {
  std::vector<std::string> calls;
  const auto add = [&](const std::vector<Spec>& specs, const std::string& of) {
    for (const Spec& spec : specs) {
      const bool given = std::find(fields.begin(), fields.end(), spec.name) != fields.end();
      if (!spec.type.is(Type::Kind::result) || own != given) continue;
      for (const auto& [name, f] : schema_.functions) {
        if (f.result != spec.type.name || find(f.fields, argument) == nullptr) continue;
        const std::string call =
            "`" + spec.name + " = " + name + "(…, " + argument + " = …)`" + (own ? "" : " of " + of);
        if (std::find(calls.begin(), calls.end(), call) == calls.end()) calls.push_back(call);
      }
    }
  };
  for (const auto& [kind_name, kind] : schema_.kinds) {
    add(kind.fields, with_article(kind_name));
    for (const auto& [variant_name, variant] : kind.variants) add(variant.fields, variant_name);
  }
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(calls.size(), 3); ++i)
    out += (i == 0 ? "" : i + 1 == calls.size() ? " or " : ", ") + calls[i];
  return out;
}

void Elaborator::help_with_field(Diagnostic& d, const std::string& name,
                                 const std::vector<std::string>& known, Range where) const {
  const auto words = foreign_words(Place::field, name);
  if (const std::string block = block_with(name, known); !block.empty()) {
    d.helped("write it in its block: `" + block + " { " + name + " = … }`");
    return;
  }
  for (const ForeignWord* word : words)
    if (std::find(known.begin(), known.end(), word->meant) != known.end()) {
      d.helped(help_for(*word));
      d.suggest("write `" + std::string(word->meant) + "`", where, word->meant);
      d.fixes.back().certain = word->same;
      return;
    }
  for (const ForeignWord* word : words)
    if (*word->meant == 0) {
      d.helped(word->help);
      return;
    }
  // The field of another kind of declaration, by its name or by what another tool calls it.
  std::string field = name;
  std::vector<std::string> owners;
  const auto find_owners = [&] {
    for (const auto& [kind_name, kind] : schema_.kinds) {
      if (find(kind.fields, field) != nullptr) owners.push_back(kind_name);
      for (const auto& [variant_name, variant] : kind.variants)
        if (find(variant.fields, field) != nullptr) owners.push_back(variant_name);
    }
  };
  find_owners();
  const auto is_argument = [&](const std::string& argument, bool own) {
    const std::string call = owners.empty() ? call_with(argument, known, own) : "";
    if (!call.empty())
      d.helped("`" + argument + "` is an argument: write " + call + (own ? "" : ", or leave it out"));
    return !call.empty();
  };
  if (is_argument(name, true)) return;
  if (owners.empty() && !words.empty()) {
    field = words.front()->meant;
    find_owners();
    if (is_argument(field, true)) return;
  }
  if (is_argument(name, false) || is_argument(field, false)) return;
  const auto near = closest(name, known);
  if (!owners.empty() && !(near && surely(name, *near, known, false))) {
    d.helped("`" + field + "` is a field of " + enumeration(owners, 4) +
             ": write it in such a declaration, or leave it out");
    return;
  }
  d.helped(known.empty() ? "it has no fields" : suggestion(name, known));
  if (d.help.empty()) d.helped("its fields: " + enumeration(known, 40));
  respell(d, name, known, where, Names::of_schema);
}

std::string Elaborator::help_with_name(const std::string& name, const std::vector<std::string>& known,
                                       const std::vector<std::string>& kinds, const Module& module) const {
  std::vector<std::string> fitting;
  for (const std::string& kind : kinds)
    for (const std::string& one : names_of_kind(module, kind)) fitting.push_back(one);
  // A name of another kind is only a little like it, unless it is a module's.
  const auto near = closest(name, known);
  const auto fits = [&](const std::string& one) {
    return fitting.empty() || module.imports.contains(one) ||
           std::find(fitting.begin(), fitting.end(), one) != fitting.end();
  };
  if (near && fits(*near)) return suggestion(name, known);
  if (fitting.size() == 1 && kinds.size() == 1) return "the only " + kinds[0] + " is `" + fitting[0] + "`";
  if (!fitting.empty() && fitting.size() <= 24)
    return (fitting.size() == 1 ? "there is " : "there are ") + enumeration(fitting, 24);
  const std::string wanted = enumeration(kinds, 4, "or");
  return fitting.empty() ? "declare " + with_article(wanted) + " of this name" : "";
}

std::vector<std::string> Elaborator::names_of_kind(const Module& module, const std::string& kind) const {
  std::vector<std::string> out;
  for (const auto& [name, symbol] : module.symbols)
    if (symbol.declaration->kind == kind) out.push_back(name);
  for (const auto& [alias, imported] : module.imports)
    if (imported.module != nullptr)
      for (const auto& [name, symbol] : imported.module->symbols)
        if (symbol.declaration->kind == kind) out.push_back(alias + "." + name);
  return out;
}

const Function* Elaborator::function(const ast::Expr& callee, const Module& module) const {
  const auto dotted = callee.dotted();
  if (!dotted) return nullptr;
  std::string full = *dotted;
  if (const std::size_t dot = full.find('.'); dot != std::string::npos) {
    const auto import = module.imports.find(full.substr(0, dot));
    if (import == module.imports.end() || import->second.prefix.empty()) return nullptr;
    full = import->second.prefix + full.substr(dot);
  }
  const auto at = schema_.functions.find(full);
  return at == schema_.functions.end() ? nullptr : &at->second;
}

std::optional<Override> Elaborator::find_override(const ast::Item& item, const Module& module,
                                                  bool anywhere) {
  const std::vector<std::string>& parts = item.path.parts;
  Override out;
  out.item = &item;
  out.module = &module;
  std::size_t taken = 1;
  const Module* in = nullptr;  // the other file that the path names
  out.target = lookup(std::vector<std::string>{parts[0]}, module);
  if (!out.target && parts.size() > 1) {
    taken = 2;
    if (const auto import = module.imports.find(parts[0]); import != module.imports.end())
      in = import->second.module;
    if (anywhere && in == nullptr)
      for (const auto& other : loaded_.modules)
        if (other->name == parts[0]) in = other.get();
    if (in != nullptr) out.target = lookup(std::vector<std::string>{parts[1]}, *in);
  }
  if (!out.target) {
    const std::size_t unknown = in == nullptr ? 0 : 1;
    const std::string& name = parts[unknown];
    const Module& where = in == nullptr ? module : *in;
    if (where.may_declare(name)) return std::nullopt;
    std::vector<std::string> known;
    for (const auto& [one, symbol] : where.symbols) known.push_back(one);
    auto d = found(rules::unknown_name, item.path.ranges[unknown],
                   in == nullptr ? "there is no `" + name + "` to override"
                                 : "`" + parts[0] + "` has no `" + name + "`");
    d.helped(suggestion(name, known));
    for (const auto& other : loaded_.modules)  // its module's name is missing
      if (in == nullptr && other->symbols.contains(name) && !closest(name, known))
        d.helped("did you mean `" + other->name + "." + item.path.text() + "`?");
    respell(d, name, known, item.path.ranges[unknown], Names::of_anything);
    report(std::move(d));
    return std::nullopt;
  }
  note(item.path.range, out.target);
  out.path.assign(parts.begin() + static_cast<std::ptrdiff_t>(taken), parts.end());
  out.ranges.assign(item.path.ranges.begin() + static_cast<std::ptrdiff_t>(taken), item.path.ranges.end());
  const KindSpec* kind = schema_.kind(out.target.declaration->kind);
  const bool by_value = kind != nullptr && kind->value.has_value();
  if (out.path.empty() != by_value && kind != nullptr) {
    report(found(rules::wrong_type, item.path.range,
                 by_value ? "`" + parts[taken - 1] + "` is a value: it has no fields"
                          : "`" + item.path.text() + "` is " + with_article(kind->name) +
                                ", which has no value of its own")
               .helped(by_value ? "write `" + parts[taken - 1] + " = …`"
                                : "name a field: `" + item.path.text() + ".field = …`"));
    return std::nullopt;
  }
  return out;
}

}  // namespace trl::language
