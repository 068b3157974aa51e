#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

#include "base/support/files.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/modules/module.hpp"
#include "language/recovery/recovery.hpp"
#include "language/schema/embedded.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language {
namespace {

/// A file of the embedded library, parsed once a process for each number that its file has in ranges: an
/// editor checks its files at each key. Throws std::logic_error if the library has a mistake.
ast::File library_ast(const std::string& path, const std::string& text, FileId file) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, FileId>, ast::File> known;
  const std::lock_guard guard(mutex);
  const auto [at, fresh] = known.try_emplace({path, file});
  if (fresh) {
    const Parsed parsed = parse(text, file);
    if (!parsed.diagnostics.empty()) throw std::logic_error(path + ": " + parsed.diagnostics.front().message);
    at->second = ast::build(parsed.tree, text, file);
  }
  return at->second;
}

class Loader {
 public:
  Loader(const CheckOptions& options, const Schema& schema, Sources& sources,
         std::vector<Diagnostic>& diagnostics)
      : options_(options), schema_(schema), sources_(sources), diagnostics_(diagnostics) {}

  Loaded run(FileId program) {
    add(sources_[program].path(), program);
    return std::move(loaded_);
  }

 private:
  // A copy of the path, since `sources` moves its texts when it grows.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  Module* add(std::string path, FileId file) {
    loaded_.modules.push_back(std::make_unique<Module>());
    Module* module = loaded_.modules.back().get();
    by_path_[path] = module;
    active_.push_back(path);
    module->file = file;
    const std::string source = sources_[module->file].text();
    if (path.starts_with(library_prefix)) {
      // An editor may show a library's file with another text.
      const auto library = embedded().find(path.substr(std::string_view(library_prefix).size()));
      if (library != embedded().end() && library->second == source) module->embedded = path;
    }
    if (!module->embedded.empty())
      module->ast = library_ast(path, source, module->file);
    else
      read(*module, source);
    for (const ast::Import& i : module->ast.imports) import(*module, i, path);
    declare(*module);
    active_.pop_back();
    return module;
  }

  void read(Module& module, const std::string& source) {
    std::vector<std::string> kinds;
    for (const auto& [name, kind] : schema_.kinds) kinds.push_back(name);
    const Recovered recovered = recover(source, module.file, parse(source, module.file), kinds);
    diagnostics_.insert(diagnostics_.end(), recovered.diagnostics.begin(), recovered.diagnostics.end());
    module.doubtful = recovered.doubtful;
    module.misread = !recovered.diagnostics.empty();
    module.ast = ast::build(recovered, module.file);
  }

  void import(Module& into, const ast::Import& import, const std::string& importer) {
    const std::string module = import.path.text();
    if (into.imports.contains(import.alias)) {
      diagnostics_.push_back(
          found(rules::duplicate_name, import.range, "`" + import.alias + "` is imported twice")
              .helped("remove one, or give it another name: `import " + module + " as …`"));
      return;
    }
    std::string file;
    for (const std::string& part : import.path.parts) file += (file.empty() ? "" : "/") + part;
    file += ".trl";
    ImportedModule imported;
    if (schema_.modules.contains(module)) imported.prefix = module;

    std::vector<std::string> folders = options_.search;
    const std::size_t slash = importer.rfind('/');
    folders.insert(folders.begin(), slash == std::string::npos ? "" : importer.substr(0, slash));
    if (importer.starts_with(library_prefix)) folders.clear();
    for (const std::string& folder : folders) {
      const std::string path = folder.empty() ? file : folder + "/" + file;
      if (open(path, imported, import, [&] { return options_.read(path); })) {
        into.imports[import.alias] = imported;
        return;
      }
    }
    const auto text = embedded().find(file);
    const bool in_library = text != embedded().end() && file != "schema.trl";
    if (in_library && open(library_prefix + file, imported, import,
                           [&] { return std::optional<std::string>(text->second); })) {
      into.imports[import.alias] = imported;
      return;
    }
    into.imports[import.alias] = imported;
    if (!imported.prefix.empty()) return;  // a module that only has functions
    std::vector<std::string> known(schema_.modules.begin(), schema_.modules.end());
    for (const auto& [name, content] : embedded())
      if (name != "schema.trl") known.push_back(name.substr(0, name.size() - 4));
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    auto d = found(rules::unknown_import, import.path.range, "there is no `" + file + "` to import");
    const auto foreign = foreign_notation(sources_[import.range.file].text(), import.path.range.end);
    d.helped(foreign ? foreign->help : suggestion(module, known));
    if (foreign && foreign->edit) {
      const FileId file_id = import.range.file;
      d.suggest("write it without the ending",
                {file_id, foreign->edit->at, foreign->edit->at + foreign->edit->length}, foreign->edit->text);
      d.fixes.back().certain = foreign->same;
    }
    if (const auto best = closest(module, known)) {
      respell(d, module, known, import.path.range, Names::of_file);
      // The module that was probably meant is imported under both names, so that a misspelt import is
      // reported once only.
      if (schema_.modules.contains(*best)) imported.prefix = *best;
      if (const auto meant = embedded().find(*best + ".trl"); meant != embedded().end())
        open(library_prefix + meant->first, imported, import,
             [&] { return std::optional<std::string>(meant->second); });
      into.imports[import.alias] = imported;
      const auto& all = into.ast.imports;
      if (std::none_of(all.begin(), all.end(), [&](const auto& other) { return other.alias == *best; }))
        into.imports.emplace(*best, imported);
    }
    diagnostics_.push_back(std::move(d));
  }

  /// Whether the path names a file. `imported.module` is then that file, or null after a cycle was reported.
  template <typename Read>
  bool open(const std::string& path, ImportedModule& imported, const ast::Import& import, Read read) {
    if (const auto cycle = std::find(active_.begin(), active_.end(), path); cycle != active_.end()) {
      std::string way;
      for (auto step = cycle; step != active_.end(); ++step) way += *step + " → ";
      diagnostics_.push_back(
          found(rules::import_cycle, import.range, "files import each other: " + way + path)
              .helped("move what they share to a third file"));
      return true;
    }
    if (const auto known = by_path_.find(path); known != by_path_.end()) {
      imported.module = known->second;
      return true;
    }
    auto text = read();
    if (!text) return false;
    Module* module = add(path, sources_.add(path, std::move(*text)));
    module->name = import.path.text(), module->imported_at = import.range;
    imported.module = module;
    return true;
  }

  void declare(Module& module) {
    std::vector<std::string> kinds;
    for (const auto& [name, kind] : schema_.kinds) kinds.push_back(name);
    for (const ast::Declaration& d : module.ast.declarations) {
      const Symbol symbol{&d, &module};
      const auto [at, fresh] = module.symbols.emplace(d.name, symbol);
      if (!fresh) {
        diagnostics_.push_back(
            found(rules::duplicate_name, d.name_range, "`" + d.name + "` is declared twice")
                .note("the other is here", at->second.declaration->name_range)
                .helped("a file has one namespace for declarations of every kind: rename one"));
      } else if (const auto import = module.imports.find(d.name); import != module.imports.end()) {
        diagnostics_.push_back(found(rules::duplicate_name, d.name_range, "`" + d.name + "` is also imported")
                                   .helped("rename it, or import under another name: `import … as …`"));
      }
      if (!schema_.kinds.contains(d.kind)) {
        auto diagnostic = found(rules::unknown_kind, d.kind_range, "there is no kind `" + d.kind + "`");
        const auto words = foreign_words(Place::kind, d.kind);
        diagnostic.helped(words.empty() ? suggestion(d.kind, kinds) : help_for(*words.front()));
        if (!words.empty() && schema_.kinds.contains(words.front()->meant) && words.front()->same)
          diagnostic.fix("write `" + std::string(words.front()->meant) + "`", d.kind_range,
                         words.front()->meant);
        if (words.empty()) respell(diagnostic, d.kind, kinds, d.kind_range, Names::of_schema);
        variant_as_kind(diagnostic, d);
        suite_as_kind(diagnostic, d);
        diagnostics_.push_back(std::move(diagnostic));
      }
    }
  }

  /// A block in which tasks are declared is a suite, whatever it is called: `dataset mine { task … }`.
  static void suite_as_kind(Diagnostic& diagnostic, const ast::Declaration& d) {
    if (d.block == nullptr || std::none_of(d.block->declarations.begin(), d.block->declarations.end(),
                                           [](const auto& inner) { return inner.kind == "task"; }))
      return;
    diagnostic.helped("tasks are declared in a `suite`: write `suite " + d.name + " { task … }`");
    diagnostic.fixes.clear();
    diagnostic.fix("write `suite`", d.kind_range, "suite");
  }

  /// `best_of_n reinforce { … }` is `train reinforce : best_of_n { … }`.
  void variant_as_kind(Diagnostic& diagnostic, const ast::Declaration& d) const {
    if (!d.base.empty() || d.has_parameters || d.value) return;
    for (const auto& [name, kind] : schema_.kinds) {
      if (!kind.variants.contains(d.kind)) continue;
      const std::string meant = name + " " + d.name + " : " + d.kind;
      diagnostic.helped("`" + d.kind + "` is a variant of `" + name + "`: write `" + meant + " { … }`");
      diagnostic.fixes.clear();
      diagnostic.fix("write `" + meant + "`", {d.kind_range.file, d.kind_range.begin, d.name_range.end},
                     meant);
      return;
    }
  }

  static constexpr const char* library_prefix = "stdlib:";

  const CheckOptions& options_;
  const Schema& schema_;
  Sources& sources_;
  std::vector<Diagnostic>& diagnostics_;
  Loaded loaded_;
  std::map<std::string, Module*> by_path_;
  std::vector<std::string> active_;
};

}  // namespace

bool Module::may_declare(const std::string& name) const {
  return ast.nameless ||
         std::find(ast.broken_words.begin(), ast.broken_words.end(), name) != ast.broken_words.end();
}

bool Module::doubts(const Range& range) const {
  return std::any_of(doubtful.begin(), doubtful.end(), [&](const Doubt& doubt) {
    return doubt.begin <= range.end && range.begin <= doubt.end;
  });
}

bool Module::doubts_structure(const Range& range) const {
  return std::any_of(doubtful.begin(), doubtful.end(), [&](const Doubt& doubt) {
    return doubt.structure && doubt.begin <= range.end && range.begin <= doubt.end;
  });
}

std::optional<std::string> read_from_disk(const std::string& path) {
  try {
    return read_text(path);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

Loaded load(FileId program, const CheckOptions& options, const Schema& schema, Sources& sources,
            std::vector<Diagnostic>& diagnostics) {
  return Loader(options, schema, sources, diagnostics).run(program);
}

}  // namespace trl::language
