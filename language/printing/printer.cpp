#include "language/printing/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/formulas/expression.hpp"
#include "base/formulas/formula_functions.hpp"
#include "language/elaboration/measure.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language {
namespace {

using ast::Expr;

/// Parses a text as an expression; nothing if it isn't one.
std::optional<Expr> parsed(std::string_view text) {
  const std::string setting = "x = " + std::string(text);
  const Parsed tree = parse_setting(setting);
  if (!tree.diagnostics.empty()) return std::nullopt;
  const auto item = ast::build_setting(tree.tree, setting, 0);
  return item ? item->value : std::nullopt;
}

/// The value of a number literal with its unit; nothing for other expressions.
std::optional<double> literal_value(const Expr& e) {
  if (e.is(Expr::Kind::negative)) {
    const auto of = literal_value(e.args[0]);
    return of ? std::optional(-*of) : std::nullopt;
  }
  if (!e.is(Expr::Kind::number)) return std::nullopt;
  if (e.unit == "%") return e.number / 100;
  const MeasureUnit* unit = find_measure_unit(e.unit);
  return unit == nullptr ? e.number : e.number * unit->factor;
}

/// Collects every name of an expression, `a` of `a.b`.
void names_in(const Expr& e, std::set<std::string>& out) {
  if (e.is(Expr::Kind::name)) out.insert(e.text);
  for (const Expr& part : e.args) names_in(part, out);
  for (const ast::Argument& a : e.arguments) names_in(a.value, out);
}

/// The shortest text of a number in a unit of its type that gives exactly that number. It is empty if every
/// unit loses digits, which only happens for percentages.
std::string in_units(double value, Type::Kind kind) {
  std::string best;
  for (const MeasureUnit& unit : measure_units()) {
    if (unit.of != kind) continue;
    const std::string with_blank = unit.name == "%" ? unit.name : " " + unit.name;
    // The division may have produced digits that the number doesn't need, so fewer digits are tried first.
    for (const std::string& digits :
         {fmt::format("{:.12g}", value / unit.factor), fmt::format("{}", value / unit.factor)}) {
      const auto expression = parsed(digits + with_blank);
      if (!expression || literal_value(*expression) != value) continue;
      if (best.empty() || digits.size() + with_blank.size() < best.size()) best = digits + with_blank;
    }
  }
  return best;
}

std::string on_a_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char plain = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    if (plain != ' ' || !out.ends_with(' ')) out += plain;
  }
  return out;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20)
      out += fmt::format("\\u{{{:x}}}", byte);
    else
      out += c;
  }
  return out + "\"";
}

std::string FileNames::free(const std::string& wanted) const {
  std::string name = wanted;
  for (int n = 2; taken_.contains(name); ++n) name = wanted + "_" + std::to_string(n);
  return name;
}

void FileNames::declare(const ast::Declaration& declaration) {
  if (names_.contains(&declaration)) return;
  const std::string name = free(declaration.name);
  taken_.insert(name);
  names_[&declaration] = name;
}

std::string FileNames::of(const ast::Declaration& declaration) const {
  used_.insert(&declaration);
  if (as_in_program_)
    for (const auto& [alias, imported] : program_.loaded.modules.front()->imports)
      if (imported.module != nullptr && imported.module->file == declaration.name_range.file)
        return alias + "." + declaration.name;
  const auto at = names_.find(&declaration);
  return at == names_.end() ? declaration.name : at->second;
}

std::string FileNames::path_of(const Module& module) const {
  std::string path = program_.sources[module.file].path();
  const std::string& program = program_.sources[program_.loaded.modules.front()->file].path();
  std::vector<std::string> folders = {"stdlib:"};
  if (const std::size_t slash = program.rfind('/'); slash != std::string::npos)
    folders.push_back(program.substr(0, slash + 1));
  for (const std::string& folder : program_.options.search) folders.push_back(folder + "/");
  for (const std::string& folder : folders)
    if (path.starts_with(folder)) {
      path.erase(0, folder.size());
      break;
    }
  if (path.ends_with(".trl")) path.resize(path.size() - 4);
  std::replace(path.begin(), path.end(), '/', '.');
  return path;
}

std::string FileNames::import(const std::string& path, const Module* module) {
  if (const auto known = imports_.find(path); known != imports_.end()) return known->second;
  const std::vector<std::string> parts = ast::split_dotted(path);
  std::string alias = parts.back();
  for (const auto& [name, imported] : program_.loaded.modules.front()->imports)
    if (module != nullptr ? imported.module == module : imported.prefix == path) alias = name;
  alias = free(alias);
  taken_.insert(alias);
  return imports_[path] = alias;
}

std::string FileNames::import(const Module& module) { return import(path_of(module), &module); }

std::string FileNames::suite(const SuiteTask& task) {
  for (const auto& module : program_.loaded.modules)
    if (module->file == task.range.file)
      return module == program_.loaded.modules.front()
                 ? task.suite
                 : import(*module) + "." + task.suite.substr(task.suite.rfind('.') + 1);
  return task.suite;
}

std::string FileNames::function(const std::string& full) {
  const std::size_t dot = full.find('.');
  return dot == std::string::npos ? full : import(full.substr(0, dot), nullptr) + full.substr(dot);
}

const Module* Printer::module_of(const Range& range) const {
  for (const auto& module : program_.loaded.modules)
    if (module->file == range.file) return module.get();
  // Settings are read with the program's names; defaults of the schema have no names.
  return program_.sources[range.file].path() == "--set" ? program_.loaded.modules.front().get() : nullptr;
}

std::optional<std::string> Printer::literal(const Value& value, const Range& range) const {
  const std::string_view text = program_.sources.text(range);
  if (text.size() > 40 || text.find('\n') != text.npos) return std::nullopt;
  const auto expression = parsed(text);
  if (!expression || literal_value(*expression) != value.number()) return std::nullopt;
  return std::string(text);
}

std::string Printer::number(const Value& value, const Type& type, const Range& range) const {
  if (auto as_written = literal(value, range)) return *as_written;
  const double n = value.number();
  if (type.is(Type::Kind::duration) || type.is(Type::Kind::bytes) || type.is(Type::Kind::money))
    return in_units(n, type.kind);
  if (type.is(Type::Kind::price) || type.is(Type::Kind::bandwidth)) {
    // A quotient of quantities is printed as it was written, if it contains no names.
    const std::string_view text = program_.sources.text(range);
    const auto expression = parsed(text);
    std::set<std::string> used;
    if (expression) names_in(*expression, used);
    if (expression && used.empty() && text.find('#') == text.npos) return on_a_line(text);
  }
  if (type.is(Type::Kind::price)) return fmt::format("{} usd / 1 h", n * 3600);
  if (type.is(Type::Kind::bandwidth)) return fmt::format("{} GiB / 1 s", n / (1024.0 * 1024 * 1024));
  std::string plain = fmt::format("{}", n);
  if (const std::size_t exponent = plain.find("e-0"); exponent != plain.npos) plain.erase(exponent + 2, 1);
  if (!type.is(Type::Kind::fraction) || n == 0 || n == 1) return plain;
  const std::string percent = in_units(n, type.kind);
  return !percent.empty() && percent.size() <= plain.size() ? percent : plain;
}

std::string Printer::list(const Value& value, const Type& element) {
  if (element.is(Type::Kind::count) && value.items.size() > 2) {
    const auto steps = [](const Value& a, const Value& b) { return b.number() != a.number() + 1; };
    if (std::adjacent_find(value.items.begin(), value.items.end(), steps) == value.items.end())
      return fmt::format("{}..{}", value.items.front().number(), value.items.back().number());
  }
  std::string out;
  for (const Value& item : value.items) out += (out.empty() ? "" : ", ") + this->value(item, element);
  return "[" + out + "]";
}

const ast::Declaration* Printer::split_named(const Value& value) const {
  const Module* module = module_of(value.range);
  std::string_view text = program_.sources.text(value.range);
  std::optional<Expr> expression = text.size() < 200 ? parsed(text) : std::nullopt;
  // Follows `let`s, which may name other `let`s.
  for (int steps = 0; module != nullptr && expression && steps < 10; ++steps) {
    const auto dotted = expression->dotted();
    const Symbol symbol = dotted ? program_.meaning.lookup(ast::split_dotted(*dotted), *module) : Symbol{};
    if (!symbol) return nullptr;
    if (const auto known = context_.values.find(symbol.declaration); known != context_.values.end())
      return known->second.tasks == value.tasks && names_.declares(*symbol.declaration) ? symbol.declaration
                                                                                        : nullptr;
    expression = symbol.declaration->value;
    module = symbol.module;
  }
  return nullptr;
}

std::string Printer::tasks(const Value& value) {
  if (const ast::Declaration* split = split_named(value)) return names_.of(*split);
  std::string out;
  for (std::size_t i = 0; i < value.tasks.size();) {
    const SuiteTask& first = *value.tasks[i];
    std::string ids;
    std::size_t end = i;
    while (end < value.tasks.size() && value.tasks[end]->suite == first.suite) {
      const std::size_t begin = end;
      while (end + 1 < value.tasks.size() && value.tasks[end + 1]->suite == first.suite &&
             value.tasks[end + 1]->id == value.tasks[end]->id + 1)
        ++end;
      ids += (ids.empty() ? "" : ", ") + std::to_string(value.tasks[begin]->id);
      if (end > begin) ids += ".." + std::to_string(value.tasks[end]->id);
      ++end;
    }
    const bool whole =
        ids == "1.." + std::to_string(program_.meaning.suites().at(first.suite).size()) && end - i > 1;
    out += (out.empty() ? "" : " + ") + names_.suite(first) + (whole ? "" : "[" + ids + "]");
    i = end;
  }
  return out;
}

std::string Printer::formula(const Value& value, const Range& range) const {
  const std::string_view text = program_.sources.text(range);
  if (text.find('\n') == text.npos && text.find('#') == text.npos) {
    if (const auto expression = parsed(text)) {
      std::set<std::string> names;
      names_in(*expression, names);
      for (const std::string& parameter : value.parameters) names.erase(parameter);
      for (const formulas::Function& function : formulas::functions()) names.erase(function.name);
      for (const auto& [name, function] : program_.schema.functions)
        if (function.formula) names.erase(name);
      for (const auto& [name, suite] : program_.meaning.suites()) names.erase(name);
      for (const char* word : {"true", "false"}) names.erase(word);
      if (names.empty()) return std::string(text);
    }
  }
  return formula_text(value.formula);
}

Printer::Place Printer::place(const std::string& dotted, const Range& written) const {
  const Module* module = module_of(written);
  if (module == nullptr) return {};
  const std::vector<std::string> parts = ast::split_dotted(dotted);
  for (std::size_t taken = 1; taken <= std::min<std::size_t>(2, parts.size()); ++taken) {
    const auto end = parts.begin() + static_cast<std::ptrdiff_t>(taken);
    const Symbol symbol = program_.meaning.lookup({parts.begin(), end}, *module);
    if (!symbol) continue;
    std::string path;
    for (auto part = end; part != parts.end(); ++part) path += (path.empty() ? "" : ".") + *part;
    return {symbol, path};
  }
  return {};
}

std::string Printer::place_text(const Place& place) const {
  return names_.of(*place.symbol.declaration) + (place.path.empty() ? "" : "." + place.path);
}

void Printer::vary(const Value& design) {
  for (const Value& part : design.items)
    if (part.is(Value::Kind::call)) vary(part);
  const auto function = program_.schema.functions.find(design.name);
  if (function == program_.schema.functions.end() || !function->second.open) return;
  for (const auto& [label, levels] : design.entries)
    if (const Place target = place(label, levels.range); target.symbol)
      varied_.paths.emplace(target.symbol.declaration, target.path);
}

bool Printer::follows(const Expr& e, const Module& module, int depth) {
  if (depth > 20) return false;
  if (const auto dotted = e.dotted()) {
    const Place of = place(*dotted, {module.file, 0, 0});
    if (!of.symbol) return false;
    const ast::Declaration& d = *of.symbol.declaration;
    if (varied_.paths.contains({&d, of.path})) return true;
    const KindSpec& kind = *program_.schema.kind(d.kind);
    if (kind.value) return d.value && follows(*d.value, *of.symbol.module, depth + 1);
    // A field of another declaration is followed to the text that was written there.
    const auto resolved = of.path.empty() ? nullptr : program_.meaning.resolve(of.symbol, context_);
    const Value* value = nullptr;
    if (resolved != nullptr)
      for (const std::string& part : ast::split_dotted(of.path))
        value = value == nullptr ? resolved->field(part) : value->entry(part);
    const Module* there = value != nullptr && value->given ? module_of(value->range) : nullptr;
    const auto written = there != nullptr ? parsed(program_.sources.text(value->range)) : std::nullopt;
    return written && follows(*written, *there, depth + 1);
  }
  const auto part = [&](const Expr& p) { return follows(p, module, depth + 1); };
  return std::any_of(e.args.begin(), e.args.end(), part) ||
         std::any_of(e.arguments.begin(), e.arguments.end(),
                     [&](const ast::Argument& a) { return part(a.value); });
}

void Printer::keep_lets(const Expr& e, const Module& module, int depth) {
  if (depth > 50) return;
  if (const auto dotted = e.dotted()) {
    const Place of = place(*dotted, {module.file, 0, 0});
    if (!of.symbol || !of.symbol.declaration->value) return;
    const KindSpec& kind = *program_.schema.kind(of.symbol.declaration->kind);
    if (kind.value && kind.value->is(Type::Kind::expression) &&
        varied_.lets.insert(of.symbol.declaration).second)
      keep_lets(*of.symbol.declaration->value, *of.symbol.module, depth + 1);
    return;
  }
  for (const Expr& part : e.args) keep_lets(part, module, depth + 1);
  for (const ast::Argument& a : e.arguments) keep_lets(a.value, module, depth + 1);
}

std::optional<std::string> Printer::following(const Value& value) {
  const Module* module = value.given && !varied_.paths.empty() ? module_of(value.range) : nullptr;
  // Names of imported files could mean something else in this file.
  if (module != program_.loaded.modules.front().get() || module == nullptr) return std::nullopt;
  const std::string_view text = program_.sources.text(value.range);
  if (text.find('#') != text.npos) return std::nullopt;
  const auto expression = parsed(text);
  if (!expression || !follows(*expression, *module, 0)) return std::nullopt;
  keep_lets(*expression, *module, 0);
  return on_a_line(text);
}

std::string Printer::call(const Value& value) {
  if (value.name == "product") {
    std::string out;
    for (const Value& part : value.items) out += (out.empty() ? "" : " * ") + call(part);
    return out;
  }
  const Function& function = program_.schema.functions.at(value.name);
  std::string arguments;
  const auto add = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  std::size_t item = 0;
  for (const std::string& name : function.positional) {
    const Spec& spec = *find(function.fields, name);
    const bool many = spec.type.is(Type::Kind::many);
    for (; item < value.items.size(); ++item) {
      add(this->value(value.items[item], many ? spec.type.args.at(0) : spec.type));
      if (!many) {
        ++item;
        break;
      }
    }
  }
  for (const auto& [label, entry] : value.entries) {
    if (entry.absent() || (!entry.given && !defaults_)) continue;
    if (const Spec* spec = find(function.fields, label)) {
      add(label + " = " +
          this->value(entry, spec->type,
                      entry.given || !spec->default_value ? std::nullopt
                                                          : std::optional(spec->default_value->range)));
      continue;
    }
    const Place target = place(label, entry.range);
    if (!target.symbol) continue;
    const KindSpec& kind = *program_.schema.kind(target.symbol.declaration->kind);
    const Spec* spec = target.path.empty()
                           ? nullptr
                           : program_.meaning.spec_at(target.symbol, ast::split_dotted(target.path));
    Type list;
    list.kind = Type::Kind::list;
    list.args.push_back(spec != nullptr ? spec->type : *kind.value);
    std::string levels;
    for (const Value& level : entry.items) {
      // The type of a `let` depends on where its name is used, so its text is printed as it was written.
      const bool as_written =
          level.setting && (list.args[0].is(Type::Kind::expression) || level.is(Value::Kind::formula));
      if (as_written) keep_lets(*level.setting->item.value, *level.setting->module, 0);
      levels += (levels.empty() ? "" : ", ") + (as_written ? on_a_line(program_.sources.text(level.range))
                                                           : this->value(level, list.args[0]));
    }
    add(place_text(target) + " = [" + levels + "]");
  }
  return names_.function(value.name) + (arguments.empty() ? "" : "(" + arguments + ")");
}

std::string Printer::value(const Value& value, const Type& type, const std::optional<Range>& default_value) {
  using Kind = Type::Kind;
  const Range& range = default_value ? *default_value : value.range;
  if (value.absent()) return "none";
  if (value.is(Value::Kind::formula)) return formula(value, range);
  switch (type.kind) {
    case Kind::optional:
    case Kind::many:
      return this->value(value, type.args.at(0), default_value);
    case Kind::either:
      for (const Type& alternative : type.args) {
        const bool choice = alternative.is(Kind::one_of) && value.is(Value::Kind::plain) &&
                            std::find(alternative.choices.begin(), alternative.choices.end(),
                                      value.string()) != alternative.choices.end();
        const auto function = program_.schema.functions.find(value.name);
        const bool call = alternative.is(Kind::result) && value.is(Value::Kind::call) &&
                          function != program_.schema.functions.end() &&
                          function->second.result == alternative.name;
        if (choice || call) return this->value(value, alternative, default_value);
      }
      return this->value(value, type.args.back(), default_value);
    case Kind::factor:
      if (const Place target = place(std::string(program_.sources.text(value.range)), value.range);
          target.symbol)
        return place_text(target);
      return value.string();
    case Kind::boolean:
      return value.plain == true ? "true" : "false";
    case Kind::text:
      return quoted(value.string());
    case Kind::list:
      return list(value, type.args.at(0));
    case Kind::pipeline: {
      std::string out;
      for (const Value& stage : value.items)
        out += (out.empty() ? "" : " -> ") + names_.of(*stage.declaration->declared);
      return out;
    }
    case Kind::sum: {
      if (!value.is(Value::Kind::sum)) return this->value(value, type.args.at(0), default_value);
      std::string out;
      for (const Value& part : value.items)
        out += (out.empty() ? "" : " + ") + this->value(part, type.args.at(0));
      return out;
    }
    default:
      break;
  }
  switch (value.kind) {
    case Value::Kind::tasks:
      return tasks(value);
    case Value::Kind::declaration:
      return names_.of(*value.declaration->declared);
    case Value::Kind::call:
      return call(value);
    default:
      return value.plain.is_number() ? number(value, type, range) : value.string();
  }
}

std::optional<std::string> Printer::written(const Value& value, const std::string& printed) const {
  if (!value.given || module_of(value.range) == nullptr) return std::nullopt;
  std::string text(program_.sources.text(value.range));
  if (text == printed || text.size() > 40 || text.find('\n') != text.npos) return std::nullopt;
  if (value.is(Value::Kind::plain)) return text;
  return std::nullopt;
}

}  // namespace trl::language
