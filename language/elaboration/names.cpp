// Lookup of names, and of overrides by their paths.
#include <algorithm>

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

Symbol Elaborator::lookup(const ast::Expr& e, const Scope& scope, bool silent) {
  const auto dotted = e.dotted();
  if (!dotted) return {};
  const std::vector<std::string> parts = ast::split_dotted(*dotted);
  const Symbol symbol = lookup(parts, *scope.module);
  if (symbol || silent) return silent ? symbol : note(e.range, symbol);
  faulty_ = true;
  if (scope.module->may_declare(parts[0])) return {};
  std::vector<std::string> known;
  const auto import = scope.module->imports.find(parts[0]);
  Range range = e.range;
  std::string name = parts[0];
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
    d.helped(suggestion(name, known));
    if (const auto best = closest(name, known)) d.fix("write `" + *best + "`", range, *best);
    report(std::move(d));
    return {};
  }
  for (const auto& [n, s] : scope.module->symbols) known.push_back(n);
  for (const auto& [n, m] : scope.module->imports) known.push_back(n);
  auto d = found(rules::unknown_name, range, "there is no `" + *dotted + "`");
  if (schema_.modules.contains(parts[0]))
    d.helped("`import " + parts[0] + "` is missing");
  else
    d.helped(suggestion(name, known));
  if (parts.size() == 1)
    if (const auto best = closest(name, known)) d.fix("write `" + *best + "`", range, *best);
  report(std::move(d));
  return {};
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

std::optional<Override> Elaborator::find_override(const ast::Item& item, const Module& module) {
  const std::vector<std::string>& parts = item.path.parts;
  Override out;
  out.item = &item;
  out.module = &module;
  std::size_t taken = 1;
  out.target = lookup(std::vector<std::string>{parts[0]}, module);
  if (!out.target && parts.size() > 1) {
    taken = 2;
    out.target = lookup(std::vector<std::string>{parts[0], parts[1]}, module);
  }
  if (!out.target) {
    if (module.may_declare(parts[0])) return std::nullopt;
    std::vector<std::string> known;
    for (const auto& [name, symbol] : module.symbols) known.push_back(name);
    auto d = found(rules::unknown_name, item.path.ranges[0], "there is no `" + parts[0] + "` to override");
    d.helped(suggestion(parts[0], known));
    if (const auto best = closest(parts[0], known))
      d.fix("write `" + *best + "`", item.path.ranges[0], *best);
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
                 by_value
                     ? "`" + parts[taken - 1] + "` is a value: it has no fields"
                     : "`" + item.path.text() + "` is a " + kind->name + ", which has no value of its own")
               .helped(by_value ? "write `" + parts[taken - 1] + " = …`"
                                : "name a field: `" + item.path.text() + ".field = …`"));
    return std::nullopt;
  }
  return out;
}

}  // namespace trl::language
