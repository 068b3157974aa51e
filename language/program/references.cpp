#include "language/program/references.hpp"

#include <algorithm>
#include <map>

#include "language/program/resolve.hpp"

namespace trl::language {
namespace {

bool within(const Range& inner, const Range& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

class Finder {
 public:
  Finder(const InMemory& program, References& out) : program_(program), out_(out) {}

  void run(const std::string& name) {
    const Module& file = *program_.loaded.modules.front();
    for (const auto& module : program_.loaded.modules)
      for (const ast::Declaration& d : module->ast.declarations) add({&d, module.get()});
    for (const ast::Declaration& d : file.ast.declarations) out_.known.push_back(d.name);

    std::vector<Elaborator::Use> uses;
    program_.meaning.note_uses(&uses);
    for (const Symbol& s : symbols_) visit(s);
    program_.meaning.note_uses(nullptr);
    for (const Elaborator::Use& use : uses) add(use);
    const auto key = [](const Reference& r) { return std::tuple(r.from, r.to, r.kind, r.field); };
    std::sort(references_.begin(), references_.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    references_.erase(std::unique(references_.begin(), references_.end()), references_.end());
    keep(name);
  }

 private:
  void add(const Symbol& symbol) {
    index_[symbol.declaration] = symbols_.size();
    symbols_.push_back(symbol);
  }

  /// Resolves a declaration so that every name in it is looked up and recorded.
  void visit(const Symbol& symbol) {
    const std::string& kind = symbol.declaration->kind;
    const KindSpec& spec = *program_.schema.kind(kind);
    if (kind == "suite") return;
    Context context;
    if (kind == "experiment") context.overrides = program_.meaning.overrides_of(symbol);
    context.overrides.insert(context.overrides.end(), program_.settings.begin(), program_.settings.end());
    if (spec.value && spec.value->is(Type::Kind::expression)) {
      program_.meaning.read_let(symbol, context);
    } else if (spec.value) {
      (void)program_.meaning.value_of(symbol, context);
    } else if (const auto resolved = program_.meaning.resolve(symbol, context);
               resolved && resolved->variant != nullptr) {
      variants_[symbol.declaration] = resolved->variant->name;
    }
  }

  void add(const Elaborator::Use& use) {
    const auto to = index_.find(use.symbol.declaration);
    const auto from = std::find_if(symbols_.begin(), symbols_.end(),
                                   [&](const Symbol& s) { return within(use.range, s.declaration->range); });
    if (to == index_.end() || from == symbols_.end() || from->declaration == to->first) return;
    Reference reference;
    reference.from = static_cast<std::size_t>(from - symbols_.begin());
    reference.to = to->second;
    const ast::Declaration& d = *from->declaration;
    if (within(use.range, d.base.range)) reference.kind = Reference::Kind::derivation;
    if (d.block)
      for (const ast::Item& item : d.block->items) {
        if (!within(use.range, item.range)) continue;
        reference.field = item.path.text();
        const KindSpec& kind = *program_.schema.kind(d.kind);
        const Spec* spec = find(kind.fields, item.path.parts[0]);
        if (spec == nullptr || !spec->type.is(Type::Kind::overrides) || !item.block) continue;
        for (const ast::Item& change : item.block->items)
          if (use.range == change.path.range) {
            reference.field = change.path.text();
            reference.kind = Reference::Kind::override;
          }
      }
    references_.push_back(std::move(reference));
  }

  /// Keeps the declarations that can be reached from the program's own ones, or from the declaration `name`.
  void keep(const std::string& name) {
    const Module& file = *program_.loaded.modules.front();
    std::vector<bool> reached(symbols_.size());
    std::vector<std::size_t> next;
    const auto reach = [&](std::size_t i) {
      if (reached[i]) return;
      reached[i] = true;
      next.push_back(i);
    };
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (name.empty() ? symbols_[i].module == &file : shown_name(symbols_[i]) == name) {
        reach(i);
        out_.found = true;
      }
    if (name.empty()) out_.found = true;
    while (!next.empty()) {
      const std::size_t at = next.back();
      next.pop_back();
      for (const Reference& r : references_)
        if (r.from == at) reach(r.to);
    }
    std::vector<std::size_t> place(symbols_.size());
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (!reached[i]) continue;
      place[i] = out_.declarations.size();
      const auto variant = variants_.find(symbols_[i].declaration);
      out_.declarations.push_back({symbols_[i].declaration->kind, shown_name(symbols_[i]),
                                   variant == variants_.end() ? "" : variant->second});
    }
    for (Reference r : references_) {
      if (!reached[r.from]) continue;
      r.from = place[r.from];
      r.to = place[r.to];
      out_.references.push_back(std::move(r));
    }
  }

  std::string shown_name(const Symbol& symbol) const {
    const Module& file = *program_.loaded.modules.front();
    if (symbol.module == &file) return symbol.declaration->name;
    for (const auto& [alias, imported] : file.imports)
      if (imported.module == symbol.module) return alias + "." + symbol.declaration->name;
    // A file that only an imported file imports is called by its own file name.
    std::string path = program_.sources[symbol.module->file].path();
    path = path.substr(path.find_last_of("/:") == std::string::npos ? 0 : path.find_last_of("/:") + 1);
    return path.substr(0, path.rfind(".trl")) + "." + symbol.declaration->name;
  }

  const InMemory& program_;
  References& out_;
  std::vector<Symbol> symbols_;
  std::map<const ast::Declaration*, std::size_t> index_;
  std::map<const ast::Declaration*, std::string> variants_;
  std::vector<Reference> references_;
};

}  // namespace

References references_of(const std::string& path, const CheckOptions& options, const std::string& name) {
  References out;
  out.checked = check_file(path, options, [&](const InMemory& program) { Finder(program, out).run(name); });
  return out;
}

}  // namespace trl::language
