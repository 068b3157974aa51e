#include "language/program/settings.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
namespace {

using Path = std::vector<std::string>;

std::string joined(const Path& path) {
  std::string out;
  for (const std::string& part : path) out += (out.empty() ? "" : ".") + part;
  return out;
}

/// Splits a path in any notation into its words: `+a.b`, `--a.b`, `a/b`, `a::b`, `~a.b`.
Path words_of(const std::string& text) {
  Path out(1);
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (word) {
      out.back() += c;
    } else if (c == '-' && !out.back().empty()) {
      out.back() += '_';
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// Returns the end of a path whose first words end at `at`.
std::size_t path_end(const std::string& text, std::size_t at) {
  const auto of_path = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  while (at < text.size() && of_path(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

class Search {
 public:
  Search(const Module& program, const Schema& schema) : program_(program), schema_(schema) {}

  /// Returns the existing paths that a wrong path may mean: paths that end with the same word or, if there
  /// are none and the word is another tool's, with the word that means the same here. If the words name the
  /// declaration of some of these paths, only those are left; then, if the words name the kind or variant of
  /// some that are left, only those.
  std::vector<Path> meant(const Path& words) const {
    if (words.empty()) return {};
    std::vector<Leaf> matching = leaves(words.back());
    if (matching.empty())
      for (const ForeignWord* word : foreign_words(Place::field, words.back()))
        for (Leaf& leaf : leaves(word->meant)) matching.push_back(std::move(leaf));
    const auto named = [&](const std::string& name) {
      return std::find(words.begin(), words.end(), name) != words.end();
    };
    const auto prefer = [&](const auto& preferred) {
      if (std::any_of(matching.begin(), matching.end(), preferred))
        std::erase_if(matching, [&](const Leaf& leaf) { return !preferred(leaf); });
    };
    prefer([&](const Leaf& leaf) { return named(leaf.path[0]); });
    prefer([&](const Leaf& leaf) {
      const Variant* variant = variant_of(*leaf.declaration);
      return named(leaf.declaration->kind) || (variant != nullptr && named(variant->name));
    });
    std::vector<Path> out;
    for (Leaf& leaf : matching) out.push_back(std::move(leaf.path));
    return out;
  }

 private:
  /// A field, or a declaration that is a value, to which a path may lead.
  struct Leaf {
    Path path;
    const ast::Declaration* declaration = nullptr;
  };

  /// Returns the fields of the program's declarations, and the declarations that are values, whose path ends
  /// with this word.
  std::vector<Leaf> leaves(const std::string& last) const {
    std::vector<Leaf> out;
    for (const ast::Declaration& d : program_.ast.declarations) {
      const KindSpec* kind = schema_.kind(d.kind);
      if (kind == nullptr) continue;
      if (kind->value) {
        if (d.name == last) out.push_back({{d.name}, &d});
        continue;
      }
      add(kind->fields, {d.name}, last, d, out);
      if (const Variant* variant = variant_of(d)) add(variant->fields, {d.name}, last, d, out);
    }
    return out;
  }

  void add(const std::vector<Spec>& specs, const Path& above, const std::string& last,
           const ast::Declaration& d, std::vector<Leaf>& out) const {
    for (const Spec& spec : specs) {
      Path path = above;
      path.push_back(spec.name);
      add(spec.fields, path, last, d, out);
      const bool value = !spec.type.is(Type::Kind::block) && !spec.type.is(Type::Kind::map) &&
                         !spec.type.is(Type::Kind::overrides);
      if (value && spec.name == last) out.push_back({std::move(path), &d});
    }
  }

  const Variant* variant_of(const ast::Declaration& declaration) const {
    const KindSpec* kind = schema_.kind(declaration.kind);
    const ast::Declaration* d = &declaration;
    const Module* in = &program_;
    for (std::set<const ast::Declaration*> seen; kind != nullptr && seen.insert(d).second;) {
      const Path& base = d->base.parts;
      const Module* of = in;
      if (base.size() == 2) {
        const auto import = in->imports.find(base[0]);
        of = import == in->imports.end() ? nullptr : import->second.module;
      }
      if (base.empty() || of == nullptr) return nullptr;
      const auto at = of->symbols.find(base.back());
      if (at == of->symbols.end()) {
        const auto variant = kind->variants.find(base.back());
        return variant == kind->variants.end() ? nullptr : &variant->second;
      }
      d = at->second.declaration;
      in = at->second.module;
    }
    return nullptr;
  }

  const Module& program_;
  const Schema& schema_;
};

}  // namespace

std::vector<std::string> meant_settings(const std::string& setting, const Module& program,
                                        const Schema& schema) {
  std::size_t sign = setting.find('=');
  if (sign == std::string::npos) {
    sign = setting.rfind(':');
    if (sign != std::string::npos && sign > 0 && setting[sign - 1] == ':') sign = std::string::npos;
  }
  const std::string left = setting.substr(0, sign);
  const std::string right = sign == std::string::npos ? "" : setting.substr(sign + 1);
  std::vector<std::string> out;
  for (const Path& path : Search(program, schema).meant(words_of(left))) {
    const std::string one = joined(path) + "=" + (right.empty() ? "…" : right);
    if (std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
  }
  return out;
}

namespace {

/// Joins the findings about `--set path value`, which a blank has split in two: the help about the path
/// includes the value, and the finding about the value is removed.
void join_parted(std::vector<Diagnostic>& diagnostics, const Sources& sources) {
  const auto alone = [&](FileId file) {
    return file < sources.size() && sources[file].path() == "--set" &&
           sources[file].text().find('=') == std::string::npos;
  };
  std::set<FileId> values;
  for (Diagnostic& d : diagnostics) {
    if (d.rule != rules::syntax.id || values.contains(d.range.file) || !alone(d.range.file)) continue;
    const FileId next = d.range.file + 1;
    if (!alone(next)) continue;
    values.insert(next);
    d.helped("write `=` and no blank: `--set " + sources[d.range.file].text() + "=" + sources[next].text() +
             "`");
  }
  std::erase_if(diagnostics, [&](const Diagnostic& d) { return values.contains(d.range.file); });
}

/// For a setting that gives an experiment's `model` a value that the program doesn't declare,
/// `model=windtunnel.base`: returns, for each of the program's models, the setting that gives it this value
/// as its weights.
std::vector<std::string> weights_meant(const std::string& setting, const Module& program) {
  const std::size_t sign = setting.find('=');
  if (sign == std::string::npos) return {};
  const Path words = words_of(setting.substr(0, sign));
  const std::string value = setting.substr(sign + 1);
  const auto declared = program.symbols.find(value);
  if (words.empty() || words.back() != "model" || declared != program.symbols.end()) return {};
  std::vector<std::string> out;
  for (const ast::Declaration& d : program.ast.declarations)
    if (d.kind == "model") out.push_back("--set " + d.name + ".weights=" + value);
  return out;
}

/// For a setting whose value is the name of a repository or folder without a call,
/// `base.weights=Qwen/Qwen3-8B`: returns advice to write it with the call that it needs. Empty for other
/// settings.
std::string weights_as_call(const std::string& setting) {
  const std::size_t sign = setting.find('=');
  if (sign == std::string::npos || !setting.substr(0, sign).ends_with(".weights")) return "";
  const std::string value = setting.substr(sign + 1);
  if (value.find('/') == value.npos || value.find_first_of("\"'()") != value.npos) return "";
  const bool folder = value.starts_with('/') || value.starts_with('.') || value.starts_with('~');
  const bool one_slash = value.find('/') == value.rfind('/');
  return "write `--set '" + setting.substr(0, sign + 1) + (folder || !one_slash ? "path" : "huggingface") +
         "(\"" + value + "\")'`";
}

}  // namespace

void help_with_settings(std::vector<Diagnostic>& diagnostics, const Sources& sources, const Module& program,
                        const Schema& schema) {
  constexpr std::size_t most = 6;
  for (Diagnostic& d : diagnostics) {
    const Source& source = sources[d.range.file];
    const bool unknown = d.rule == rules::unknown_name.id && d.message.ends_with("to override"),
               // A hypothesis' `contrast` has an unknown name.
        contrasted = d.rule == rules::unknown_name.id && d.help == "declare an `extension` of this name",
               other = d.rule == rules::wrong_type.id && d.message.ends_with("has no value of its own");
    if (d.range.file == program.file && (unknown || contrasted || other)) {
      // The text names a field without its declaration, `grid(rank = [8, 16])`, even if a declaration has the
      // field's name, or with a kind in place of the declaration, `grid(lora.rank = [8, 16])`.
      const Range whole{d.range.file, d.range.begin, path_end(source.text(), d.range.end)};
      const std::string written = source.text().substr(whole.begin, whole.end - whole.begin);
      const Path words = words_of(written);
      std::vector<std::string> paths;
      for (const Path& path : Search(program, schema).meant(words)) paths.push_back(joined(path));
      if (paths.empty() || paths.size() > most) continue;
      if (words.back() == "seeds") {  // the field of an experiment alone
        d.fixes.clear();
        d.helped("every cell runs with all seeds: write `seeds = …` in the experiment itself");
        continue;
      }
      d.helped((words.size() == 1 ? "`" + written + "` is a field: write " : "write ") +
               enumeration(paths, most, "or"));
      d.fixes.clear();
      if (paths.size() == 1) d.suggest("write `" + paths[0] + "`", whole, paths[0]);
      continue;
    }
    if (source.path() != "--set" || d.severity != Severity::error) continue;
    const std::string& text = source.text();
    const std::size_t equals = text.find('=');
    if (d.rule == rules::syntax.id && d.range.begin > equals && text.substr(d.range.begin, 1) == ",") {
      // Several settings are written as one, or a list has no brackets.
      const bool several = text.find('=', d.range.begin) != std::string::npos;
      std::string each;
      for (std::size_t at = 0; several && at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        each += (each.empty() ? "--set " : " --set ") + text.substr(at, comma - at);
        at = comma + 1;
      }
      d.helped(several
                   ? "write each by itself: `" + each + "`"
                   : "a list stands in brackets: `--set " + text.substr(0, equals + 1) + "[" +
                         text.substr(equals + 1) + "]`" +
                         (text.substr(0, equals).find("seeds") != std::string::npos
                              ? ""
                              : "; to compare several values of one setting, vary it in the file: `vary = "
                                "grid(" +
                                    text.substr(0, equals) + " = [" + text.substr(equals + 1) + "])`"));
      continue;
    }
    if (const auto weights = weights_meant(text, program); !weights.empty()) {
      d.helped("a model is declared, and its weights are a field of it: write " +
               enumeration(weights, most, "or"));
      d.fixes.clear();
      continue;
    }
    if (const std::string call = weights_as_call(text); !call.empty() && d.range.begin > equals) {
      d.helped(call);
      d.fixes.clear();
      continue;
    }
    if (d.range.begin > equals) {  // the diagnostic is about the value
      if (d.help.starts_with("to try several values"))
        d.helped("to try several values, vary them in the file: `vary = grid(" + text.substr(0, equals) +
                 " = " + text.substr(equals + 1) + ")`");
      continue;
    }
    const bool own_help = d.rule == rules::unknown_field.id && d.help.starts_with("did you mean");
    if (own_help) continue;
    std::vector<std::string> meant = meant_settings(source.text(), program, schema);
    std::erase(meant, source.text());
    if (meant.empty()) continue;
    if (meant.size() > most) meant.resize(most);
    for (std::string& one : meant) one = "--set " + one;
    d.helped((meant.size() == 1 ? "write " : "write one of ") + enumeration(meant, most, "or"));
    d.fixes.clear();
  }
  join_parted(diagnostics, sources);
}

}  // namespace trl::language
