#include "language/server/meaning.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "language/printing/printer.hpp"
#include "language/printing/reference.hpp"

#include <fmt/format.h>

namespace trl::language_server {
namespace {

using language::Type;
using nlohmann::json;

language::InMemory in_memory(Analysis& analysis) {
  static const language::AllowsInUse none;
  language::KeptProgram& program = *analysis.program;
  return {program.resolution->meaning(),
          program.loaded,
          program.library->schema,
          program.checked.sources,
          program.resolution->overrides(),
          program.options,
          none};
}

/// Calls `visit` on a type and all types in it.
template <typename Visit>
void each_type(const Type& type, const Visit& visit) {
  visit(type);
  for (const Type& part : type.args) each_type(part, visit);
}

template <typename Append>
std::vector<std::string> collected(const Type& type, const Append& append) {
  std::vector<std::string> out;
  each_type(type, [&](const Type& part) {
    for (std::string& one : append(part))
      if (std::find(out.begin(), out.end(), one) == out.end()) out.push_back(std::move(one));
  });
  return out;
}

std::string type_text(const std::string& dtype, const tasks::Shape& shape) {
  std::string text = dtype + "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + (shape[i].name.empty() ? std::to_string(shape[i].size) : shape[i].name);
  return text + "]";
}

}  // namespace

std::shared_ptr<const language::Resolved> resolved(Analysis& analysis, const language::Symbol& symbol) {
  language::KeptProgram& program = *analysis.program;
  if (!symbol || program.resolution == nullptr) return nullptr;
  const language::KindSpec* kind = program.library->schema.kind(symbol.declaration->kind);
  if (kind == nullptr || kind->value || symbol.declaration->kind == "suite" ||
      symbol.declaration->kind == "task")
    return nullptr;
  const auto own = symbol.module->symbols.find(symbol.declaration->name);
  if (own == symbol.module->symbols.end() || !(own->second == symbol)) return nullptr;
  language::Elaborator& meaning = program.resolution->meaning();
  if (symbol.declaration->kind != "experiment") return meaning.resolve(symbol, program.resolution->plain());
  language::Context context;
  context.overrides = meaning.overrides_of(symbol);
  return meaning.resolve(symbol, context);
}

const language::Value* value_at(const language::Resolved& of, const std::vector<std::string>& path) {
  const language::Value* value = path.empty() ? nullptr : of.field(path.front());
  for (std::size_t i = 1; i < path.size() && value != nullptr; ++i) value = value->entry(path[i]);
  return value;
}

std::string printed(Analysis& analysis, const language::Value& value, const language::Spec& spec) {
  if (value.absent()) return "none";
  const language::InMemory program = in_memory(analysis);
  language::FileNames names(program);
  names.as_in_program();
  language::Varied varied;
  language::Context context;
  language::Printer printer(program, names, varied, context, true);
  return printer.value(value, spec.type,
                       spec.default_value ? std::optional(spec.default_value->range) : std::nullopt);
}

std::string origin_text(Analysis& analysis, const language::Origin& origin,
                        const language::ast::Declaration& own) {
  const auto place = [&] {
    const auto& source = analysis.source(origin.range.file);
    const std::string path = source.path().substr(source.path().find_last_of("/:") + 1);
    return fmt::format("{}:{}", path, source.position(origin.range.begin).line);
  };
  switch (origin.kind) {
    case language::Origin::Kind::defaulted:
      return "the default";
    case language::Origin::Kind::override:
      return fmt::format("overridden by {}, {}", origin.by != nullptr ? origin.by->name : "", place());
    case language::Origin::Kind::setting:
      return "set on the command line";
    case language::Origin::Kind::written:
      break;
  }
  if (origin.by == nullptr || origin.by == &own) return "";
  return fmt::format("from {}, {}", origin.by->name, place());
}

const language::Spec* spec_of(Analysis& analysis, const language::Symbol& symbol,
                              const std::vector<std::string>& path) {
  if (!symbol || path.empty() || analysis.program->resolution == nullptr) return nullptr;
  return analysis.program->resolution->meaning().spec_at(symbol, path);
}

std::vector<language::Spec> fields_of(Analysis& analysis, const language::Symbol& symbol,
                                      const std::vector<std::string>& path) {
  if (!symbol || analysis.program->library == nullptr) return {};
  const language::Schema& schema = analysis.program->library->schema;
  const language::KindSpec* kind = schema.kind(symbol.declaration->kind);
  if (kind == nullptr) return {};
  if (!path.empty()) {
    const language::Spec* spec = spec_of(analysis, symbol, path);
    return spec == nullptr ? std::vector<language::Spec>() : spec->fields;
  }
  std::vector<language::Spec> fields = kind->fields;
  std::set<const language::ast::Declaration*> seen;
  for (language::Symbol at = symbol; at && seen.insert(at.declaration).second;) {
    const auto& base = at.declaration->base.parts;
    if (base.empty()) break;
    if (const auto variant = kind->variants.find(base.back());
        base.size() == 1 && variant != kind->variants.end()) {
      fields.insert(fields.end(), variant->second.fields.begin(), variant->second.fields.end());
      break;
    }
    at = analysis.program->resolution->meaning().lookup(base, *at.module);
  }
  return language::documented(std::move(fields), *kind);
}

const language::SuiteTask* task_of(Analysis& analysis, const language::ast::Declaration& declaration) {
  if (analysis.program->resolution == nullptr) return nullptr;
  for (const auto& [name, tasks] : analysis.program->resolution->meaning().suites())
    for (const language::SuiteTask& task : tasks)
      if (task.range == declaration.name_range) return task.typed() != nullptr ? &task : nullptr;
  return nullptr;
}

std::string signature_of(const tasks::Task& task) {
  std::string text = "(";
  for (const tasks::TaskInput& input : task.inputs)
    text += (text.size() > 1 ? ", " : "") + input.name + ": " + type_text(input.dtype, input.shape);
  text += ") -> ";
  if (task.results.empty()) return text + type_text(task.dtype, task.value.shape);
  text += "[";
  for (std::size_t i = 0; i < task.results.size(); ++i)
    text += (i == 0 ? "" : ", ") + type_text(task.results[i].dtype, task.results[i].shape);
  return text + "]";
}

std::string full_name(const language::Module& module, const std::string& written) {
  const std::size_t dot = written.find('.');
  const auto import =
      dot == std::string::npos ? module.imports.end() : module.imports.find(written.substr(0, dot));
  if (import == module.imports.end() || import->second.prefix.empty()) return written;
  return import->second.prefix + written.substr(dot);
}

std::string documentation(std::string_view name) {
  std::string out;
  for (const language::Topic& topic : language::topics()) {
    if (topic.name != name) continue;
    if (!out.empty()) out += "\n\n---\n\n";
    // The first line is the declaration. Of the other lines, those without indentation are prose, those with
    // a little indentation are entries, and those with more continue the entry above.
    const std::size_t end = std::min(topic.text.find('\n'), topic.text.size());
    out += "```trl\n" + topic.text.substr(0, end) + "\n```\n";
    for (std::size_t at = end + 1; at < topic.text.size();) {
      const std::size_t next = std::min(topic.text.find('\n', at), topic.text.size());
      const std::string_view line = std::string_view(topic.text).substr(at, next - at);
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      const std::string words(line.substr(indent));
      at = next + 1;
      if (words.empty()) continue;
      const std::size_t colon = words.find(": ");
      if (indent == 0)
        out += "\n" + words + "\n";
      else if (indent < 4 && colon != std::string::npos)
        out += "\n- `" + words + "`";
      else
        out += (indent < 4 ? "\n- " : "  \n  ") + words;
    }
  }
  return out;
}

std::string summary(std::string_view name) {
  for (const language::Topic& topic : language::topics()) {
    if (topic.name != name) continue;
    const std::size_t end = topic.text.find('\n');
    if (end == std::string::npos) return topic.text;
    const std::string rest = topic.text.substr(end + 1);
    const std::string line = rest.substr(0, rest.find('\n'));
    const std::size_t stop = line.find(". ");
    return stop == std::string::npos ? line : line.substr(0, stop + 1);
  }
  return "";
}

std::vector<std::string> words_of(const Type& type) {
  return collected(type, [](const Type& part) {
    std::vector<std::string> words = part.choices;
    if (part.is(Type::Kind::optional)) words.emplace_back("none");
    if (part.is(Type::Kind::boolean)) words.insert(words.end(), {"true", "false"});
    return words;
  });
}

std::vector<std::string> kinds_of(const Type& type) {
  return collected(type, [](const Type& part) -> std::vector<std::string> {
    switch (part.kind) {
      case Type::Kind::declaration:
      case Type::Kind::name_of:
      case Type::Kind::pipeline:
        return {part.name};
      case Type::Kind::suite:
        return {"suite", "split"};
      case Type::Kind::group:
        return {"suite"};
      case Type::Kind::factor:
        return {"extension"};
      default:
        return {};
    }
  });
}

std::vector<std::string> results_of(const Type& type) {
  return collected(type, [](const Type& part) -> std::vector<std::string> {
    if (part.is(Type::Kind::result)) return {part.name};
    if (part.is(Type::Kind::suite)) return {"suite"};
    return {};
  });
}

std::vector<std::string> units_of(const Type& type) {
  return collected(type, [](const Type& part) -> std::vector<std::string> {
    switch (part.kind) {
      case Type::Kind::fraction:
        return {"%"};
      case Type::Kind::duration:
        return {"us", "ms", "s", "min", "h"};
      case Type::Kind::bytes:
        return {"KiB", "MiB", "GiB"};
      case Type::Kind::money:
        return {"usd"};
      default:
        return {};
    }
  });
}

}  // namespace trl::language_server
