// Writes the reference page, docs/reference.md.
#include <fmt/format.h>

#include <algorithm>

#include "base/formulas/formula_functions.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/elaboration/measure.hpp"
#include "language/printing/reference.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace {

/// Escapes a text for a cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return out;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

class Page {
 public:
  Page() : library_(read_library(sources_)) {}

  std::string text() {
    out_ =
        "# Reference\n\n"
        "Everything that can be written, generated from `stdlib/schema.trl`, the rules of `trl check` "
        "and the operators of tasks.\n"
        "`trl docs --out docs/reference.md` writes this page; `trl explain NAME` shows one entry of it.\n"
        "[tour.md](tour.md) is an introduction, [language/GRAMMAR.md](../language/GRAMMAR.md) is the "
        "syntax.\n\n"
        "1. [Kinds](#kinds)\n2. [Records](#records)\n3. [Functions](#functions)\n4. [Tasks](#tasks)\n"
        "5. [Types](#types)\n6. [Units](#units)\n7. [Rules](#rules)\n";
    kinds();
    records();
    functions();
    tasks();
    types();
    units();
    rules();
    return std::move(out_);
  }

 private:
  void paragraph(const std::string& text) {
    if (!text.empty()) out_ += text + "\n\n";
  }

  void rows(const std::vector<Spec>& specs, const std::string& prefix) {
    for (const Spec& spec : specs) {
      if (spec.type.is(Type::Kind::block)) {
        rows(spec.fields, prefix + spec.name + ".");
        continue;
      }
      const bool optional = spec.type.is(Type::Kind::optional) || spec.type.is(Type::Kind::overrides) ||
                            spec.type.is(Type::Kind::many);
      const std::string default_value = default_of(spec, sources_);
      out_ += fmt::format("| {} | {} | {} | {} | {} |\n", code(prefix + name_with_parameters(spec)),
                          code(spec.type.text()), code(limits_of(spec, sources_)),
                          !default_value.empty() ? code(default_value)
                          : optional             ? ""
                                                 : "*required*",
                          cell(spec.doc));
    }
  }

  void fields(const std::vector<Spec>& specs, const char* head = "field") {
    if (specs.empty()) return;
    out_ += fmt::format("| {} | type | range | default | |\n|---|---|---|---|---|\n", head);
    rows(specs, "");
    out_ += "\n";
  }

  void kinds() {
    out_ += "\n## Kinds\n\n";
    paragraph(
        "A declaration is `kind name { field = value }`; of a kind with variants, `kind name : variant { … "
        "}`.");
    for (const ast::Declaration& d : library_.module.ast.declarations) {
      if (d.kind != "kind") continue;
      const KindSpec& kind = library_.schema.kinds.at(d.name);
      out_ += "### " + d.name + "\n\n";
      paragraph(kind.doc);
      if (kind.value) paragraph("Declared by its value: `" + d.name + " a = …`.");
      fields(kind.fields);
      for (const ast::Declaration& v : library_.module.ast.declarations)
        if (v.kind == "variant" && v.base.text() == d.name) variant(kind.variants.at(v.name), kind);
    }
  }

  void variant(const Variant& v, const KindSpec& kind) {
    out_ += "#### " + v.name + "\n\n";
    paragraph(v.doc);
    std::string carried = "Carried out by `" + v.implementation + "`, version " + std::to_string(v.version);
    for (const std::string& need : v.needs)
      carried += (&need == &v.needs[0] ? "; the experiment needs `" : ", `") + need + "`";
    paragraph(carried + ".");
    fields(documented(v.fields, kind));
  }

  void records() {
    out_ += "## Records\n\n";
    paragraph("What formulas are given.");
    for (const auto& [name, record] : library_.schema.records) {
      out_ += "### " + name + "\n\n";
      paragraph(record.doc);
      out_ += "| member | type | range | |\n|---|---|---|---|\n";
      for (const Spec& spec : record.fields)
        out_ += fmt::format("| {} | {} | {} | {} |\n", code(spec.name), code(spec.type.text()),
                            code(limits_of(spec, sources_)), cell(spec.doc));
      out_ += "\n";
    }
  }

  void functions() {
    out_ += "## Functions\n\n";
    paragraph(
        "An argument without `= …` may be given without its label. Functions of a module are there after its "
        "`import`.");
    std::vector<const Function*> in_formulas;
    for (const auto& [name, f] : library_.schema.functions) {
      if (f.formula) {
        in_formulas.push_back(&f);
        continue;
      }
      out_ += "### " + name + "\n\n`" + signature(f) + "` : " + f.result + "\n\n";
      paragraph(f.doc);
      fields(f.fields, "argument");
    }
    out_ += "### In formulas\n\n| function | |\n|---|---|\n";
    for (const Function* f : in_formulas) out_ += "| " + code(signature(*f)) + " | " + cell(f->doc) + " |\n";
    for (const formulas::Function& f : formulas::functions())
      out_ += "| " + code(f.signature) + " | " + cell(f.doc) + " |\n";
    out_ += "\n";
  }

  void tasks() {
    out_ += "## Tasks\n\n";
    paragraph(
        "`task name[M = 64](x: f32[M]) = …` in a suite. `+ - * /` broadcast, `@` is the matrix product; "
        "names, "
        "arguments and meaning are PyTorch's. An axis may be called `axis` or `dim`, and counts from the end "
        "when "
        "negative.");
    paragraph(
        "An input says its dtype, and in parentheses what its values are. Arithmetic is among values of one "
        "dtype; "
        "`to(x, f32)` converts. A dimension is declared in brackets, and the inputs' shapes tell its size.");
    out_ += "| input | |\n|---|---|\n";
    for (const InputDoc& input : input_docs())
      out_ += "| " + code(input.written) + " | " + cell(input.meaning) + " |\n";
    out_ += "\n| function | |\n|---|---|\n";
    for (const TensorFunction& f : tensor_functions())
      out_ += "| " + code(f.signature) + " | " + cell(f.doc) + " |\n";
    out_ += "\n";
  }

  void types() {
    out_ += "## Types\n\n| type | written | |\n|---|---|---|\n";
    for (const TypeDoc& type : type_docs())
      out_ += "| " + code(type.name) + " | " + cell(type.written) + " | " + cell(type.meaning) + " |\n";
    out_ +=
        "\nThe name of a kind is the type of its declarations, that of a function's result the type of its "
        "calls.\n\n";
  }

  void units() {
    out_ += "## Units\n\n| unit | |\n|---|---|\n";
    for (const MeasureUnit& unit : measure_units())
      out_ += "| " + code(unit.name) + " | " + unit.doc + " |\n";
    out_ += "\n";
  }

  void rules() {
    out_ += "## Rules\n\n";
    paragraph(
        "What `trl check` finds. Those that may be allowed are silenced by `allow(rule, \"reason\")` in a "
        "block, "
        "and the reason is in the report.");
    for (const Rule* rule : all_rules()) {
      const char* severity = rule->severity == Severity::error     ? "error"
                             : rule->severity == Severity::warning ? "warning"
                                                                   : "note";
      out_ += fmt::format("### {}\n\n*{}{}.* {}\n\n", rule->id, severity,
                          rule->allowable ? ", may be allowed" : "", rule->reason);
      // An example of one empty line means that several files would be needed to show it.
      if (rule->bad.size() > 1) out_ += fmt::format("Breaks it:\n```trl\n{}```\n", rule->bad);
      if (rule->good.size() > 1) out_ += fmt::format("Keeps it:\n```trl\n{}```\n", rule->good);
      out_ += "\n";
    }
    out_.pop_back();
  }

  Sources sources_;
  const Library& library_;
  std::string out_;
};

}  // namespace

std::string reference_markdown() { return Page().text(); }

}  // namespace trl::language
