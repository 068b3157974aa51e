#include <algorithm>
#include <map>
#include <set>

#include "base/formulas/formula_functions.hpp"
#include "base/operators/operator.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/printing/reference.hpp"
#include "language/schema/embedded.hpp"
#include "language/server/context.hpp"
#include "language/server/feature.hpp"
#include "language/server/meaning.hpp"

#include <fmt/format.h>

namespace trl::language_server {
namespace {

using language::Spec;
using language::Type;
using nlohmann::json;
namespace ast = language::ast;

/// The icon that an editor draws beside a proposal: `CompletionItemKind` of the protocol.
enum class Icon {
  method = 2,
  function = 3,
  field = 5,
  variable = 6,
  class_ = 7,
  module = 9,
  unit = 11,
  value = 12,
  keyword = 14
};

/// The proposals at one place.
class Proposals {
 public:
  Proposals(Session& session, const Document& document, std::size_t offset)
      : session_(session),
        document_(document),
        analysis_(session.analysis(document)),
        offset_(offset),
        context_(context_at(document.text(), offset)),
        snippets_(session.capability("textDocument/completion/completionItem/snippetSupport") == true) {}

  json all() {
    if (context_.comment || analysis_.module() == nullptr) return json::array();
    const OpenBracket* innermost = context_.open.empty() ? nullptr : &context_.open.back();
    if (innermost == nullptr)
      top_of_file();
    else if (innermost->bracket == '{')
      in_block();
    else
      in_brackets();
    return std::move(out_);
  }

 private:
  const language::Schema& schema() const { return analysis_.program->library->schema; }
  const language::Module& module() const { return *analysis_.module(); }

  /// Proposes a text that replaces the word before the cursor. `snippet` is the same text with places to fill
  /// in.
  void propose(const std::string& label, Icon icon, const std::string& detail, const std::string& doc,
               std::string text = "", const std::string& snippet = "", int rank = 5) {
    if (!seen_.insert(label).second) return;
    if (text.empty()) text = label;
    const bool filled = snippets_ && !snippet.empty();
    json one = {{"label", label},
                {"kind", static_cast<int>(icon)},
                {"sortText", fmt::format("{}{:04}{}", rank, out_.size(), label)},  // in the order proposed
                {"insertTextFormat", filled ? 2 : 1},
                {"textEdit",
                 {{"range", document_.range(context_.word_begin, offset_, session_.encoding)},
                  {"newText", filled ? snippet : text}}}};
    if (!detail.empty()) one["detail"] = detail;
    if (!doc.empty()) one["documentation"] = {{"kind", "markdown"}, {"value", doc}};
    out_.push_back(std::move(one));
  }

  /// Returns the words of the item before the word at the cursor.
  std::vector<std::string> before() const { return words_in(context_.item); }

  // ---- at the top of the file

  void top_of_file() {
    const auto words = before();
    if (words.empty()) return declarations_begin();
    if (words.front() == "import") return imports();
    if (words.front() == "allow") return rules();
    const auto equals = std::find(words.begin(), words.end(), "=");
    if (equals != words.end()) return value_of_declaration(words);
    if (words.size() >= 3 && words.back() == ":" && std::count(words.begin(), words.end(), "(") == 0)
      return bases(words.front(), words[1]);
  }

  /// Kinds that the file doesn't use yet come first.
  void declarations_begin() {
    const auto declared = [&](const std::string& kind) {
      return std::any_of(module().ast.declarations.begin(), module().ast.declarations.end(),
                         [&](const ast::Declaration& d) { return d.kind == kind; });
    };
    for (const auto& [name, kind] : schema().kinds) {
      const bool by_value = kind.value.has_value();
      propose(name, Icon::keyword, "kind", kind.doc, name + " ",
              by_value ? name + " ${1:name} = $0"
                       : name + " ${1:name}" + (kind.variants.empty() ? " { $0 }" : " : ${2:base} { $0 }"),
              declared(name) ? 5 : 4);
    }
    propose("import", Icon::keyword, "", "Makes the declarations of another file known.", "import ");
    propose("allow", Icon::keyword, "", "Silences a rule in the next declaration.", "allow(",
            "allow(${1:rule}, \"${2:why}\")");
  }

  void imports() {
    std::set<std::string> names(schema().modules.begin(), schema().modules.end());
    for (const auto& [file, text] : language::embedded())
      if (file != "schema.trl") names.insert(std::string(file.substr(0, file.size() - 4)));
    for (const std::string& path : session_.programs()) {
      // Proposes the files in this file's folder.
      const std::size_t slash = document_.path().rfind('/');
      const std::string folder = slash == std::string::npos ? "" : document_.path().substr(0, slash + 1);
      if (path == document_.path() || !path.starts_with(folder) || !path.ends_with(".trl")) continue;
      std::string name = path.substr(folder.size(), path.size() - folder.size() - 4);
      std::replace(name.begin(), name.end(), '/', '.');
      names.insert(name);
    }
    for (const std::string& name : names) propose(name, Icon::module, "module", "");
  }

  void rules() {
    for (const language::Rule* rule : language::all_rules())
      if (rule->allowable)
        propose(std::string(rule->id), Icon::value, "rule", std::string(rule->reason), std::string(rule->id),
                std::string(rule->id) + ", \"${1:why}\"");
  }

  void bases(const std::string& kind, const std::string& own) {
    const language::KindSpec* spec = schema().kind(kind);
    if (spec == nullptr) return;
    for (const auto& [name, variant] : spec->variants) {
      std::string needed;
      int place = 1;
      for (const Spec& field : variant.fields)
        if (needs_value(field))
          needed += fmt::format("{}{} = ${{{}}}", needed.empty() ? " " : ", ", field.name, place++);
      propose(name, Icon::class_, "variant of " + kind, variant.doc, name + " {",
              name + " {" + (needed.empty() ? " $0 }" : needed + "$0 }"), 3);
    }
    names_of({kind}, own, 4);
  }

  void value_of_declaration(const std::vector<std::string>& words) {
    const language::KindSpec* kind = schema().kind(words.front());
    if (kind == nullptr) return;
    if (words.front() == "task") return tensor_words(context_.item);
    if (!kind->value) return;
    if (kind->value->is(Type::Kind::expression)) return anything(words.size() > 1 ? words[1] : "");
    value_of(*kind->value, words.size() > 1 ? words[1] : "");
  }

  // ---- within blocks

  language::Symbol own_symbol() const {
    const auto words = words_in(context_.declaration());
    if (words.size() < 2) return {};
    const auto at = module().symbols.find(words[1]);
    return at == module().symbols.end() ? language::Symbol{} : at->second;
  }

  /// Returns the fields that the block at the cursor can have.
  std::vector<Spec> fields() {
    const auto words = words_in(context_.declaration());
    if (words.size() < 2) return {};
    const auto path = context_.sections();
    const language::Symbol symbol = own_symbol();
    if (symbol && symbol.declaration->kind == words.front()) return fields_of(analysis_, symbol, path);
    // The declaration doesn't parse yet, so its kind is read from its head.
    const language::KindSpec* kind = schema().kind(words.front());
    if (kind == nullptr) return {};
    std::vector<Spec> all = kind->fields;
    if (words.size() > 3 && words[2] == ":") {
      if (const auto variant = kind->variants.find(words[3]); variant != kind->variants.end())
        all.insert(all.end(), variant->second.fields.begin(), variant->second.fields.end());
    }
    for (const std::string& part : path) {
      const Spec* spec = language::find(all, part);
      if (spec == nullptr) return {};
      std::vector<Spec> inner = spec->fields;
      all = std::move(inner);
    }
    return language::documented(std::move(all), *kind);
  }

  static bool needs_value(const Spec& field) {
    return !field.default_value && !field.type.is(Type::Kind::optional) &&
           !field.type.is(Type::Kind::block) && !field.has_parameters;
  }

  void in_block() {
    const auto declared = words_in(context_.declaration());
    const std::string kind = declared.empty() ? "" : declared.front();
    const auto path = context_.sections();
    const auto words = before();
    // An `override` block names declarations and their fields.
    const Spec* section = path.empty() ? nullptr : spec_of(analysis_, own_symbol(), path);
    const bool overrides = !path.empty() && (path.front() == "override" ||
                                             (section != nullptr && section->type.is(Type::Kind::overrides)));
    const bool value = std::find(words.begin(), words.end(), "=") != words.end();
    if (kind == "suite" && path.empty()) {
      if (words.empty())
        propose("task", Icon::keyword, "kind", schema().kinds.at("task").doc, "task ",
                "task ${1:name}(${2:x: f32[M, N]}) = $0");
      else if (value)
        tensor_words(context_.item);
      else
        dtypes();
      return;
    }
    if (words.empty() && overrides) return paths();
    if (words.empty()) {
      if (section != nullptr && section->type.is(Type::Kind::map))
        return value_of(section->type.args.at(0), "");
      return field_names();
    }
    if (words.front() == "allow") return rules();
    if (!value) return;
    if (overrides) {
      if (const Spec* spec = overridden(words.front())) value_of_spec(*spec, "");
      return;
    }
    if (section != nullptr && section->type.is(Type::Kind::map) && section->type.args.size() > 1)
      return value_of(section->type.args[1], "");
    const auto specs = fields();
    if (const Spec* spec = language::find(specs, words.front()))
      value_of_spec(*spec, declared.size() > 1 ? declared[1] : "");
  }

  void field_names() {
    const auto& given = context_.open.back().names;
    for (const Spec& spec : fields()) {
      if (std::find(given.begin(), given.end(), spec.name) != given.end()) continue;
      const bool block = spec.type.is(Type::Kind::block) || spec.type.is(Type::Kind::map) ||
                         spec.type.is(Type::Kind::overrides);
      const std::string name = language::name_with_parameters(spec);
      const std::string plain = spec.has_parameters ? call_of(spec) : spec.name;
      const std::string preset = language::default_of(spec, analysis_.program->checked.sources);
      std::string snippet =
          block ? plain + " { $0 }"
                : plain + " = " +
                      (preset.empty() || spec.has_parameters ? "$0" : "${1:" + escaped(preset) + "}");
      std::string doc = spec.doc;
      if (const std::string limits = language::limits_of(spec, analysis_.program->checked.sources);
          !limits.empty())
        doc += "\n\nWithin " + limits + ".";
      if (!preset.empty()) doc += " By default " + preset + ".";
      propose(spec.name, Icon::field, spec.type.text(), doc, plain + (block ? " {" : " = "), snippet,
              needs_value(spec) ? 1 : 3);
    }
    propose("allow", Icon::keyword, "", "Silences a rule in this block.", "allow(",
            "allow(${1:rule}, \"${2:why}\")", 9);
  }

  /// `reward(c)`.
  static std::string call_of(const Spec& spec) {
    std::string names;
    for (const auto& p : spec.parameters) names += (names.empty() ? "" : ", ") + p.name;
    return spec.name + "(" + names + ")";
  }

  /// A text within a snippet, where `$`, `}` and `\` have a meaning.
  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '$' || c == '}' || c == '\\') out += '\\';
      out += c;
    }
    return out;
  }

  /// Proposes the paths that an override can change: declarations, and the fields of the declaration before
  /// the dot.
  void paths() {
    const std::size_t dot = context_.word.rfind('.');
    if (dot == std::string::npos) {
      for (const auto& [name, symbol] : module().symbols)
        propose(name, Icon::variable, symbol.declaration->kind, symbol.declaration->doc, name + ".", "", 3);
      for (const auto& [alias, import] : module().imports)
        propose(alias, Icon::module, "module", "", alias + ".");
      return;
    }
    fields_after(context_.word.substr(0, dot), " = ");
  }

  const Spec* overridden(const std::string& dotted) {
    auto [symbol, path] = symbol_and_path(dotted);
    return symbol && !path.empty() ? spec_of(analysis_, symbol, path) : nullptr;
  }

  std::pair<language::Symbol, std::vector<std::string>> symbol_and_path(const std::string& dotted) const {
    const auto parts = ast::split_dotted(dotted);
    const auto own = module().symbols.find(parts[0]);
    if (own != module().symbols.end()) return {own->second, {parts.begin() + 1, parts.end()}};
    const auto import = module().imports.find(parts[0]);
    if (import == module().imports.end() || import->second.module == nullptr || parts.size() < 2) return {};
    const auto& symbols = import->second.module->symbols;
    const auto at = symbols.find(parts[1]);
    if (at == symbols.end()) return {};
    return {at->second, {parts.begin() + 2, parts.end()}};
  }

  /// Proposes the fields of `owner`, a declaration or one of its blocks, as `owner.field`.
  void fields_after(const std::string& owner, const std::string& after) {
    const auto [symbol, path] = symbol_and_path(owner);
    if (!symbol) return;
    for (const Spec& spec : fields_of(analysis_, symbol, path))
      propose(owner + "." + spec.name, Icon::field, spec.type.text(), spec.doc,
              owner + "." + spec.name + (spec.type.is(Type::Kind::block) ? "." : after), "", 3);
  }

  // ---- values

  void value_of_spec(const Spec& spec, const std::string& own) {
    if (spec.has_parameters) return formula(spec.parameters);
    // The default is proposed before other values, since most authors keep it or start from it.
    if (spec.default_value && spec.default_value->is(ast::Expr::Kind::name) &&
        is_word_of(spec.type, spec.default_value->text))
      propose(spec.default_value->text, Icon::value, spec.type.text(), "The default. " + spec.doc, "", "", 2);
    value_of(spec.type, own);
  }

  static bool is_word_of(const Type& type, const std::string& word) {
    const auto words = words_of(type);
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  void value_of(const Type& type, const std::string& own) {
    const std::size_t dot = context_.word.rfind('.');
    for (const std::string& word : words_of(type))
      propose(word, Icon::value, type.text(), summary(word), word, "", 2);
    names_of(kinds_of(type), own, 1);
    functions(results_of(type));
    // A number may be followed by its unit.
    const auto words = before();
    if (!words.empty() && words.back().find_first_not_of("0123456789.") == std::string::npos)
      for (const std::string& unit : units_of(type))
        propose(unit, Icon::unit, "unit", summary(unit), unit, "", 0);
    for (const auto& [name, symbol] : module().symbols)
      if (symbol.declaration->kind == "let" && name != own)
        propose(name, Icon::variable, "let", symbol.declaration->doc);
    if (dot != std::string::npos) fields_after(context_.word.substr(0, dot), "");
    propose("if", Icon::keyword, "", "A value that depends on a condition.", "if ",
            "if ${1:condition} then ${2:value} else ${3:value}", 8);
  }

  /// Proposes the names of declarations of these kinds, in this file and in the files that it imports.
  void names_of(const std::vector<std::string>& kinds, const std::string& own, int rank) {
    const auto fits = [&](const language::Symbol& symbol) {
      return std::find(kinds.begin(), kinds.end(), symbol.declaration->kind) != kinds.end();
    };
    for (const auto& [name, symbol] : module().symbols)
      if (fits(symbol) && name != own)
        propose(name, Icon::variable, symbol.declaration->kind, symbol.declaration->doc, name, "", rank);
    for (const auto& [alias, import] : module().imports) {
      if (import.module == nullptr) continue;
      for (const auto& [name, symbol] : import.module->symbols)
        if (fits(symbol))
          propose(alias + "." + name, Icon::variable, symbol.declaration->kind, symbol.declaration->doc,
                  alias + "." + name, "", rank + 1);
    }
  }

  /// Proposes the functions with one of these result types, by their names in this file.
  void functions(const std::vector<std::string>& results) {
    for (const auto& [full, function] : schema().functions) {
      if (std::none_of(results.begin(), results.end(),
                       [&, &f = function](const std::string& result) { return f.gives(result); }))
        continue;
      std::string name = full;
      const std::size_t dot = full.find('.');
      if (dot != std::string::npos) {
        const auto import = std::find_if(
            module().imports.begin(), module().imports.end(),
            [prefix = full.substr(0, dot)](const auto& one) { return one.second.prefix == prefix; });
        if (import == module().imports.end()) continue;
        name = import->first + full.substr(dot);
      }
      const bool bare = function.fields.empty() && !function.open;
      propose(name, Icon::function, language::signature(function), function.doc, name + (bare ? "" : "("),
              name + (bare ? "" : "($0)"), 2);
    }
  }

  void formula(const std::vector<ast::Parameter>& declared) {
    // A formula may name its parameters as it likes, as in `reward(x) = …`. Those names are proposed.
    const std::size_t dot = context_.word.rfind('.');
    const auto words = before();
    std::vector<std::string> names;
    for (std::size_t i = 2; i < words.size() && words[i] != ")" && words[1] == "("; ++i)
      if (words[i] != ",") names.push_back(words[i]);
    for (std::size_t i = 0; i < declared.size(); ++i) {
      const std::string name = i < names.size() ? names[i] : declared[i].name;
      const auto record =
          declared[i].type ? schema().records.find(analysis_type(declared[i])) : schema().records.end();
      if (dot == std::string::npos) {
        propose(name, Icon::variable, record == schema().records.end() ? "" : record->first,
                record == schema().records.end() ? "" : record->second.doc, name, "", 1);
      } else if (record != schema().records.end() && context_.word.substr(0, dot) == name) {
        for (const Spec& field : record->second.fields)
          propose(name + "." + field.name, Icon::field, field.type.text(), field.doc, name + "." + field.name,
                  "", 1);
      }
    }
    if (dot != std::string::npos) return;
    for (const auto& function : formulas::functions())
      propose(function.name, Icon::function, function.signature, function.doc, function.name + "(",
              function.name + "($0)", 4);
    for (const auto& [name, function] : schema().functions)
      if (function.formula)
        propose(name, Icon::function, language::signature(function), function.doc, name + "(", name + "($0)",
                4);
    for (const auto& [name, symbol] : module().symbols)
      if (symbol.declaration->kind == "let") propose(name, Icon::variable, "let", symbol.declaration->doc);
    for (const char* word : {"if", "then", "else", "and", "or", "not"})
      propose(word, Icon::keyword, "", "", std::string(word) + " ", "", 8);
  }

  static std::string analysis_type(const ast::Parameter& parameter) {
    return parameter.type->dotted().value_or("");
  }

  /// Proposes values of a `let`, which may be any name.
  void anything(const std::string& own) {
    for (const auto& [name, symbol] : module().symbols)
      if (name != own) propose(name, Icon::variable, symbol.declaration->kind, symbol.declaration->doc);
    for (const auto& [alias, import] : module().imports)
      propose(alias, Icon::module, "module", "", alias + ".");
    for (const auto& function : formulas::functions())
      propose(function.name, Icon::function, function.signature, function.doc, function.name + "(",
              function.name + "($0)", 6);
  }

  // ---- tasks

  void tensor_words(const std::string& head) {
    // The inputs and dimensions of the task are words of its head.
    std::set<std::string> own;
    const auto words = words_in(head);
    for (std::size_t i = 2; i + 1 < words.size(); ++i)
      if (words[i + 1] == ":") own.insert(words[i]);
    for (const std::string& name : own) propose(name, Icon::variable, "input", "", name, "", 1);
    for (const auto* row : operators::by_name())
      propose(row->name, Icon::function, "", documentation(row->name), row->name + "(", row->name + "($0)",
              3);
  }

  void dtypes() {
    for (const auto& type : language::topics())
      if (type.text.find("dtype") != std::string::npos && type.name.size() <= 4)
        propose(type.name, Icon::class_, "dtype", summary(type.name), type.name + "[", type.name + "[$0]");
  }

  // ---- within ( ) and [ ]

  void in_brackets() {
    const OpenBracket& bracket = context_.open.back();
    const auto head = words_in(bracket.head);
    const std::string kind = head.empty() ? "" : head.front();
    // Brackets of a task stand in its head or, after `=`, in its value.
    std::string outer;
    for (const OpenBracket& one : context_.open)
      if (one.bracket != '{') {
        outer = one.head;
        break;
      }
    const auto outer_words = words_in(outer);
    if (!outer_words.empty() && outer_words.front() == "task") {
      if (std::find(outer_words.begin(), outer_words.end(), "=") != outer_words.end())
        tensor_words(outer);
      else
        dtypes();
      return;
    }
    if (!head.empty() && head.back() == "allow") return rules();
    if (bracket.bracket == '[') return in_list();
    if (head.empty()) return;
    arguments(head.back());
  }

  /// Returns the function that a file calls by this name; null if there is none.
  const language::Function* function(const std::string& written) const {
    const auto at = schema().functions.find(full_name(module(), written));
    return at == schema().functions.end() ? nullptr : &at->second;
  }

  void arguments(const std::string& callee) {
    const OpenBracket& bracket = context_.open.back();
    const language::Function* f = function(callee);
    if (f == nullptr || (f->formula && formula_around())) {
      if (f != nullptr && f->result == "fraction") return names_of({"suite"}, "", 1);
      formula_around();
      return;
    }
    if (!bracket.label.empty()) {
      if (const Spec* spec = language::find(f->fields, bracket.label)) return value_of_spec(*spec, "");
      return;
    }
    for (const Spec& spec : f->fields)
      propose(spec.name, Icon::field, spec.type.text(), spec.doc, spec.name + " = ", spec.name + " = $0", 3);
    if (!f->positional.empty()) {
      const std::string& name = f->positional[std::min(bracket.commas, f->positional.size() - 1)];
      if (const Spec* spec = language::find(f->fields, name)) value_of_spec(*spec, "");
    }
    if (f->open) paths();
  }

  /// If the cursor is within a formula, proposes its names and functions and returns true.
  bool formula_around() {
    for (auto bracket = context_.open.rbegin(); bracket != context_.open.rend(); ++bracket) {
      const auto words = words_in(bracket->head);
      if (bracket->bracket == '{' || words.empty()) continue;
      const auto specs = fields();
      const Spec* spec = language::find(specs, words.front());
      if (spec == nullptr || !spec->has_parameters) continue;
      context_.item = bracket->head + " ";
      formula(spec->parameters);
      return true;
    }
    return false;
  }

  /// If the cursor is within the `[…]` of a field's value, proposes elements of the field's type.
  void in_list() {
    for (auto bracket = context_.open.rbegin(); bracket != context_.open.rend(); ++bracket) {
      const auto words = words_in(bracket->head);
      if (bracket->bracket == '{' || words.empty()) continue;
      const auto specs = fields();
      const Spec* spec = language::find(specs, words.front());
      if (spec == nullptr) continue;
      // A word may occur only once in a list, but calls with different arguments may occur together.
      const auto given = words_in(context_.item);
      for (std::size_t i = 0; i < given.size(); ++i)
        if (i + 1 == given.size() || given[i + 1] != "(") seen_.insert(given[i]);
      return value_of_spec(*spec, "");
    }
  }

  Session& session_;
  const Document& document_;
  Analysis& analysis_;
  std::size_t offset_;
  Context context_;
  bool snippets_;
  json out_ = json::array();
  std::set<std::string> seen_;
};

json completion_of(Session& session, const json& params) {
  const Document& document = session.document(params);
  return {{"isIncomplete", false}, {"items", Proposals(session, document, session.offset(params)).all()}};
}

json completion_options() { return {{"triggerCharacters", {".", "=", "(", "[", ",", ":", " "}}}; }

}  // namespace

const Feature features::completion{"textDocument/completion", completion_of, "completionProvider",
                                   completion_options};

}  // namespace trl::language_server
