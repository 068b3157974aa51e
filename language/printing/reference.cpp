#include "language/printing/reference.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/formulas/formula_functions.hpp"
#include "language/elaboration/measure.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace {

/// An expression of the schema, on one line.
std::string text_of(const ast::Expr& e, const Sources& sources) {
  std::string out;
  for (const char c : sources.text(e.range))
    if (c != '\n')
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  return out;
}

std::string indented(const std::string& text, std::size_t by) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += std::string(by, ' ') + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

/// A documentation comment as one line, whatever lines it has in the schema.
std::string flowed(std::string doc) {
  std::replace(doc.begin(), doc.end(), '\n', ' ');
  return doc;
}

std::string paragraph(const std::string& doc) { return doc.empty() ? "" : flowed(doc) + "\n"; }

class Topics {
 public:
  Topics() : library_(read_library(sources_)) {}

  std::vector<Topic> all() {
    const Schema& schema = library_.schema;
    for (const auto& [name, kind] : schema.kinds) {
      std::string text = "kind " + name + "\n" + paragraph(kind.doc);
      if (kind.value) text += "Declared by its value, `" + name + " a = …`.\n";
      text += fields(name, kind.fields, true);
      if (!kind.variants.empty()) text += "\nVariants, each `" + name + " a : VARIANT { … }`:\n";
      for (const auto& [variant, v] : kind.variants)
        text += "\n  " + variant + "\n" + indented(flowed(v.doc), 6) +
                indented(listed(documented(v.fields, kind)), 4);
      add(name, text);
      for (const auto& [variant, v] : kind.variants) {
        std::string about = "variant " + variant + " : " + name + "\n" + paragraph(v.doc);
        if (!v.needs.empty()) {
          about += "The experiment needs";
          for (const std::string& need : v.needs) about += (&need == &v.needs[0] ? " `" : ", `") + need + "`";
          about += ".\n";
        }
        add(variant, about + fields(variant, documented(v.fields, kind), true) +
                         (kind.fields.empty() ? "" : "and those of every " + name + ".\n"));
      }
    }
    for (const auto& [name, record] : schema.records)
      add(name, "record " + name + "\n" + paragraph(record.doc) + fields(name, record.fields, true));
    std::map<std::string, std::string> results;
    for (const auto& [name, f] : schema.functions) {
      add(name, "function " + signature(f) + " : " + f.result + "\n" + paragraph(f.doc) +
                    fields(name, f.fields, true));
      for (const std::string& result : {f.result, f.also})
        if (!f.formula && !result.empty())
          results[result] += "  " + signature(f) + "\n" + indented(flowed(f.doc), 6);
    }
    for (const auto& [result, functions] : results)
      if (!schema.functions.contains(result))
        add(result, result + " is what these functions give:\n" + functions);
    modules();
    for (const formulas::Function& f : formulas::functions())
      add(f.name, "function " + f.signature + ", in formulas\n" + paragraph(f.doc));
    for (const TensorFunction& f : tensor_functions())
      add(f.name, "function " + f.signature + ", in tasks\n" + paragraph(f.doc));
    std::string functions;
    for (const TensorFunction& f : tensor_functions()) functions += (functions.empty() ? "" : ", ") + f.name;
    for (Topic& topic : topics_)
      if (topic.name == "task")
        topic.text += "\nTensor functions: " + flowed(functions + ".") + "\nInputs are written " +
                      flowed(inputs_in_short() + ".") + "\n";
    for (const InputDoc& input : input_docs())
      add(input.name, "input `" + input.written + "` of a task\n" + paragraph(input.meaning));
    for (const TypeDoc& type : type_docs())
      add(type.name.substr(0, type.name.find_first_of("[(")),
          "type " + type.name + "\nWritten " + type.written + ". " + type.meaning + "\n");
    for (const MeasureUnit& unit : measure_units())
      add(unit.name, "unit " + unit.name + "\n" + unit.doc + "\n");
    words();
    return std::move(topics_);
  }

 private:
  static std::string inputs_in_short() {
    std::string text;
    for (const InputDoc& input : input_docs()) text += (text.empty() ? "" : ", ") + input.written;
    return text;
  }

  void add(const std::string& name, std::string text) { topics_.push_back({name, std::move(text)}); }

  /// Lists fields, one below the other.
  std::string listed(const std::vector<Spec>& specs) const {
    std::string text;
    for (const Spec& spec : specs)
      text += indented(
          declared(spec, sources_) + "\n" + indented(flowed(spec.doc), 4) + indented(listed(spec.fields), 2),
          2);
    return text;
  }

  /// Makes a topic for each module of the schema, which says what importing it provides.
  void modules() {
    for (const ast::Declaration& d : library_.module.ast.declarations) {
      if (d.kind != "module") continue;
      std::string text = "module " + d.name + ", brought by `import " + d.name + "`\n" + paragraph(d.doc) +
                         "\nIts functions:\n";
      for (const auto& [name, f] : library_.schema.functions)
        if (name.starts_with(d.name + "."))
          text += "  " + signature(f) + " : " + f.result + "\n" + indented(flowed(f.doc), 6);
      add(d.name, text);
    }
  }

  /// Makes a topic for each word that can be a field's value: the places where it can stand, and its meaning
  /// there.
  void words() {
    std::map<std::string, std::string> places;
    std::map<std::string, std::set<std::string>> said;
    const std::function<void(const Type&, const std::string&, const Spec&)> visit =
        [&](const Type& type, const std::string& owner, const Spec& spec) {
          for (const std::string& word : type.choices) {
            // Variants share fields, and the same text about a word isn't repeated.
            if (!said[word].insert(spec.name + spec.doc).second) continue;
            places[word] += "a value of " + owner + "." + spec.name + "\n" + indented(flowed(spec.doc), 4);
          }
          for (const Type& part : type.args) visit(part, owner, spec);
        };
    const std::function<void(const std::string&, const std::vector<Spec>&)> all =
        [&](const std::string& owner, const std::vector<Spec>& specs) {
          for (const Spec& spec : specs) {
            visit(spec.type, owner, spec);
            all(owner + "." + spec.name, spec.fields);
          }
        };
    for (const auto& [name, kind] : library_.schema.kinds) {
      all(name, kind.fields);
      for (const auto& [variant, v] : kind.variants) all(variant, documented(v.fields, kind));
    }
    for (const auto& [name, f] : library_.schema.functions) all(name, f.fields);
    for (const auto& [word, text] : places) add(word, "word " + word + "\n" + text);
  }

  /// Lists the fields of `owner`, one below the other; each field becomes a topic as well.
  std::string fields(const std::string& owner, const std::vector<Spec>& specs, bool first) {
    std::string text = first && !specs.empty() ? "\n" : "";
    for (const Spec& spec : specs) {
      const std::string head = declared(spec, sources_);
      const std::string inner = fields(owner + "." + spec.name, spec.fields, false);
      const std::string about = head + "\n" + indented(flowed(spec.doc), 4) + indented(inner, 2);
      text += indented(about, 2);
      add(owner + "." + spec.name, "in " + owner + ": " + head + "\n" + paragraph(spec.doc) + inner);
    }
    return text;
  }

  Sources sources_;
  const Library& library_;
  std::vector<Topic> topics_;
};

}  // namespace

const std::vector<TypeDoc>& type_docs() {
  static const std::vector<TypeDoc> docs = {
      {"count", "`16`", "An integer, 0 or more."},
      {"count[tokens]", "`768`, `768 tokens`", "The same, which may be written with its unit."},
      {"number", "`2e-4`, `150%`", "A number."},
      {"fraction", "`10%`, `0.1`", "A number from 0 to 1."},
      {"duration", "`10 min`", "Seconds."},
      {"bytes", "`4 KiB`", "Bytes."},
      {"money", "`3 usd`", "US dollars."},
      {"price", "`6.84 usd / 1 h`", "US dollars a second."},
      {"bandwidth", "`4000 GiB / 1 s`", "Bytes a second."},
      {"bool", "`true`, `false`, `a.rank > 16`", "A condition that is known before the run."},
      {"text", "`\"…\"`", "A text."},
      {"one_of(a, b)", "`a`", "One of these words."},
      {"list[T]", "`[x, y]`, `x`, `1..5`", "Several values of a type."},
      {"map[K, V]", "`{ key = value }`", "A value for each key, in this order."},
      {"optional[T]", "as T, or `none`", "May be left out."},
      {"either(A, B)", "as A or as B", "The first of these types that fits."},
      {"sum[T]", "`a + b`", "Several, joined."},
      {"many[T]", "`a, b, c`", "The rest of a call's arguments."},
      {"suite", "`windtunnel.level1[1..40] + other`", "A set of tasks."},
      {"group", "`level1`", "The name of a suite."},
      {"condition", "`operators <= 3 and has(matmul)`", "Asked of each task of a set."},
      {"factor", "`inputs`, `writer.rank`", "What a design varies: an extension, or a path."},
      {"name[kind]", "`a`", "The name of a declaration of the kind."},
      {"pipeline[kind]", "`a -> b`", "Declarations, one after another."},
      {"share", "`0.1 + 0.4 * accuracy(level1)`, `rest`", "A formula of groups, or the remainder."},
      {"overrides", "`{ path = value }`", "Changes to what a declaration refers to."},
      {"expression", "any", "A value of the type that is expected where the name is used."},
  };
  return docs;
}

std::vector<Spec> documented(std::vector<Spec> specs, const KindSpec& kind) {
  for (Spec& spec : specs)
    for (const auto& [name, variant] : kind.variants)
      if (const Spec* other = find(variant.fields, spec.name); spec.doc.empty() && other != nullptr)
        spec.doc = other->doc;
  return specs;
}

std::string limits_of(const Spec& spec, const Sources& sources) {
  if (!spec.low || !spec.high) return "";
  const std::string low = text_of(*spec.low, sources), high = text_of(*spec.high, sources);
  return spec.above_low ? "above " + low + ", up to " + high : low + ".." + high;
}

std::string default_of(const Spec& spec, const Sources& sources) {
  return spec.default_value ? text_of(*spec.default_value, sources) : "";
}

std::string name_with_parameters(const Spec& spec) {
  std::string out = spec.name;
  for (const ast::Parameter& p : spec.parameters)
    out += (&p == &spec.parameters[0] ? "(" : ", ") + p.name +
           (p.type ? ": " + p.type->dotted().value_or("") : "");
  return out + (spec.parameters.empty() ? "" : ")");
}

std::string declared(const Spec& spec, const Sources& sources) {
  if (spec.type.is(Type::Kind::block)) return spec.name + " { … }";
  std::string out = name_with_parameters(spec) + ": " + spec.type.text();
  if (const std::string limits = limits_of(spec, sources); !limits.empty())
    out += (spec.above_low ? " " : " in ") + limits;
  if (const std::string default_value = default_of(spec, sources); !default_value.empty())
    out += " = " + default_value;
  return out;
}

std::string signature(const Function& function) {
  std::string arguments;
  for (const std::string& name : function.positional) arguments += (arguments.empty() ? "" : ", ") + name;
  for (const Spec& spec : function.fields)
    if (std::find(function.positional.begin(), function.positional.end(), spec.name) ==
        function.positional.end())
      arguments += (arguments.empty() ? "" : ", ") + spec.name + " = …";
  if (function.open) arguments += (arguments.empty() ? "" : ", ") + std::string("path = […]");
  return function.name + (arguments.empty() ? "" : "(" + arguments + ")");
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = Topics().all();
  return all;
}

}  // namespace trl::language
