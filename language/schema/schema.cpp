#include "language/schema/schema.hpp"

#include <stdexcept>

namespace trl::language {
namespace {

using ast::Expr;

[[noreturn]] void mistake(const std::string& what) { throw std::logic_error("stdlib/schema.trl: " + what); }

class SchemaReader {
 public:
  explicit SchemaReader(const ast::File& file) : file_(file) {}

  Schema read() {
    for (const ast::Declaration& d : file_.declarations) {
      if (d.kind == "kind") schema_.kinds[d.name].name = d.name;
      if (d.kind == "record") schema_.records[d.name].name = d.name;
      if (d.kind == "function") {
        results_.insert(d.base.text());
        if (const Expr* e = property(*d.block, "also")) results_.insert(e->text);
      }
      if (d.kind == "module")
        for (const ast::Declaration& f : d.block->declarations) results_.insert(f.base.text());
    }
    // Mixins are read after the names above, since their fields may have any of these types, and before the
    // kinds and variants that take their fields.
    for (const ast::Declaration& d : file_.declarations)
      if (d.kind == "mixin") mixins_[d.name] = fields(*d.block);
    for (const ast::Declaration& d : file_.declarations) declaration(d);
    return std::move(schema_);
  }

 private:
  void declaration(const ast::Declaration& d) {
    if (d.kind == "kind") {
      KindSpec& kind = schema_.kinds.at(d.name);
      kind.doc = d.doc;
      kind.range = d.name_range;
      if (d.value) kind.value = type(*d.value);
      if (d.block) kind.fields = fields_with_mixins(*d.block);
    } else if (d.kind == "variant") {
      variant(d);
    } else if (d.kind == "record") {
      Record& record = schema_.records.at(d.name);
      record.doc = d.doc;
      record.fields = fields(*d.block);
    } else if (d.kind == "mixin") {
      // This declaration was read before, since kinds and variants take its fields.
    } else if (d.kind == "function") {
      function(d, "");
    } else if (d.kind == "family") {
      const auto words = [&](const char* name) -> std::optional<std::vector<std::string>> {
        const Expr* list = property(*d.block, name);
        if (list == nullptr) return std::nullopt;
        std::vector<std::string> out;
        for (const Expr& word : list->args) out.push_back(word.text);
        return out;
      };
      const Expr* runs = property(*d.block, "runs");
      schema_.families[d.name] = {words("matrices"), words("names").value_or(std::vector<std::string>()),
                                  runs == nullptr || runs->text == "true"};
    } else if (d.kind == "published") {
      published(d);
    } else if (d.kind == "module") {
      schema_.modules.insert(d.name);
      for (const ast::Declaration& f : d.block->declarations) function(f, d.name + ".");
    } else {
      mistake("`" + d.kind +
              "` is not a kind, variant, mixin, record, function, module, family or published");
    }
  }

  void variant(const ast::Declaration& d) {
    const std::string of = d.base.text();
    if (!schema_.kinds.contains(of)) mistake("variant " + d.name + " of an unknown kind");
    Variant v;
    v.name = d.name;
    v.kind = of;
    v.doc = d.doc;
    v.range = d.name_range;
    v.fields = fields_with_mixins(*d.block);
    if (const Expr* e = property(*d.block, "implementation")) v.implementation = e->text;
    if (const Expr* e = property(*d.block, "version")) v.version = static_cast<int>(e->number);
    if (const Expr* e = property(*d.block, "needs"))
      for (const Expr& n : e->args) v.needs.push_back(n.text);
    schema_.kinds.at(of).variants[d.name] = std::move(v);
  }

  /// Returns a block's own fields, and the fields of the mixins that its `with` names.
  std::vector<Spec> fields_with_mixins(const ast::Block& block) {
    std::vector<Spec> out = fields(block);
    if (const Expr* e = property(block, "with"))
      for (const Expr& mixin : e->args) add_mixin(mixin.text, block, out);
    return out;
  }

  /// Adds the fields of a mixin, which several variants or kinds share. An entry of `block`, such as `epochs
  /// = 2`, changes the default of a field.
  void add_mixin(const std::string& name, const ast::Block& block, std::vector<Spec>& out) const {
    const auto mixin = mixins_.find(name);
    if (mixin == mixins_.end()) mistake("there is no mixin " + name);
    for (Spec field : mixin->second) {
      if (find(out, field.name))
        mistake("there is already a field `" + field.name + "` of the mixin " + name);
      for (const ast::Item& i : block.items)
        if (!i.type && i.value && i.path.text() == field.name) field.default_value = i.value;
      out.push_back(std::move(field));
    }
  }

  void function(const ast::Declaration& d, const std::string& prefix) {
    Function f;
    f.name = prefix + d.name;
    f.result = d.base.text();
    f.doc = d.doc;
    f.range = d.name_range;
    for (const ast::Parameter& p : d.parameters) f.positional.push_back(p.name);
    f.fields = fields(*d.block);
    f.open = property(*d.block, "open") != nullptr;
    f.formula = property(*d.block, "formula") != nullptr;
    if (const Expr* e = property(*d.block, "also")) f.also = e->text;
    for (const std::string& p : f.positional)
      if (!find(f.fields, p)) mistake("function " + f.name + " has no field for its parameter `" + p + "`");
    schema_.functions[f.name] = std::move(f);
  }

  void published(const ast::Declaration& d) {
    Published model;
    for (const ast::Item& i : d.block->items) {
      if (!i.value) continue;
      if (i.value->is(Expr::Kind::number)) model.figures[i.path.text()] = i.value->number;
      if (i.path.text() == "tied") model.tied = i.value->text == "true";
      if (i.path.text() == "family") model.family = i.value->text;
    }
    if (!schema_.families.contains(model.family)) mistake(d.name + " has no family declared before it");
    const Expr* repositories = property(*d.block, "repositories");
    if (repositories == nullptr) mistake(d.name + " has no list of repositories");
    for (const Expr& r : repositories->args) schema_.published[r.text] = model;
  }

  static const Expr* property(const ast::Block& block, const std::string& name) {
    for (const ast::Item& i : block.items)
      if (!i.type && i.value && i.path.text() == name) return &*i.value;
    return nullptr;
  }

  std::vector<Spec> fields(const ast::Block& block) {
    std::vector<Spec> out;
    for (const ast::Item& i : block.items) {
      Spec s;
      s.name = i.path.text();
      s.doc = i.doc;
      s.range = i.path.range;
      if (i.block) {
        s.type.kind = Type::Kind::block;
        s.fields = fields(*i.block);
      } else if (i.type) {
        s.type = type(*i.type);
        if (i.limits) {
          if (!i.limits->is(Expr::Kind::range)) mistake("`in` wants a range: " + s.name);
          const Expr& low = i.limits->args[0];
          s.above_low = low.is(Expr::Kind::call) && low.args[0].text == "above" && low.arguments.size() == 1;
          s.low = s.above_low ? low.arguments[0].value : low;
          s.high = i.limits->args[1];
        }
        s.default_value = i.value;
        s.has_parameters = i.has_parameters;
        s.parameters = i.parameters;
      } else {
        continue;  // a property of the declaration and no field
      }
      out.push_back(std::move(s));
    }
    return out;
  }

  Type type(const Expr& e) const {
    using Kind = Type::Kind;
    static const std::map<std::string, Kind> plain = {
        {"count", Kind::count},         {"number", Kind::number},        {"fraction", Kind::fraction},
        {"duration", Kind::duration},   {"bytes", Kind::bytes},          {"money", Kind::money},
        {"price", Kind::price},         {"bandwidth", Kind::bandwidth},  {"bool", Kind::boolean},
        {"text", Kind::text},           {"suite", Kind::suite},          {"condition", Kind::condition},
        {"group", Kind::group},         {"factor", Kind::factor},        {"share", Kind::share},
        {"overrides", Kind::overrides}, {"expression", Kind::expression}};
    static const std::map<std::string, Kind> generic = {{"list", Kind::list},
                                                        {"map", Kind::map},
                                                        {"optional", Kind::optional},
                                                        {"sum", Kind::sum},
                                                        {"many", Kind::many}};
    Type out;
    if (e.is(Expr::Kind::name)) {
      if (const auto p = plain.find(e.text); p != plain.end()) {
        out.kind = p->second;
      } else if (schema_.kinds.contains(e.text)) {
        out.kind = Kind::declaration;
        out.name = e.text;
      } else if (schema_.records.contains(e.text)) {
        out.kind = Kind::record;
        out.name = e.text;
      } else if (results_.contains(e.text)) {
        out.kind = Kind::result;
        out.name = e.text;
      } else {
        mistake("unknown type `" + e.text + "`");
      }
      return out;
    }
    if (e.is(Expr::Kind::call) && e.args[0].text == "one_of") {
      out.kind = Kind::one_of;
      for (const ast::Argument& a : e.arguments) out.choices.push_back(a.value.text);
      return out;
    }
    if (e.is(Expr::Kind::call) && e.args[0].text == "either") {
      out.kind = Kind::either;
      for (const ast::Argument& a : e.arguments) out.args.push_back(type(a.value));
      return out;
    }
    if (e.is(Expr::Kind::index)) {
      const std::string& name = e.args[0].text;
      if (name == "count") {
        out.kind = Kind::count;
        out.unit = e.args.at(1).text;
        return out;
      }
      if (name == "name" || name == "pipeline") {
        out.kind = name == "name" ? Kind::name_of : Kind::pipeline;
        out.name = e.args.at(1).text;
        return out;
      }
      if (const auto g = generic.find(name); g != generic.end()) {
        out.kind = g->second;
        for (std::size_t i = 1; i < e.args.size(); ++i) out.args.push_back(type(e.args[i]));
        return out;
      }
    }
    mistake("expected a type");
  }

  const ast::File& file_;
  std::map<std::string, std::vector<Spec>> mixins_;
  Schema schema_;
  std::set<std::string> results_;
};

}  // namespace

std::string Type::text() const {
  const auto list = [&](const std::string& head, const char* open, const char* close) {
    std::string out = head + open;
    for (std::size_t i = 0; i < args.size(); ++i) out += (i ? ", " : "") + args[i].text();
    return out + close;
  };
  switch (kind) {
    case Kind::count:
      return unit.empty() ? "count" : "count[" + unit + "]";
    case Kind::number:
      return "number";
    case Kind::fraction:
      return "fraction";
    case Kind::duration:
      return "duration";
    case Kind::bytes:
      return "bytes";
    case Kind::money:
      return "money";
    case Kind::price:
      return "price";
    case Kind::bandwidth:
      return "bandwidth";
    case Kind::boolean:
      return "bool";
    case Kind::text:
      return "text";
    case Kind::one_of: {
      std::string out = "one_of(";
      for (std::size_t i = 0; i < choices.size() && i < 8; ++i) out += (i ? ", " : "") + choices[i];
      return out + (choices.size() > 8 ? ", …)" : ")");
    }
    case Kind::list:
      return list("list", "[", "]");
    case Kind::map:
      return list("map", "[", "]");
    case Kind::optional:
      return list("optional", "[", "]");
    case Kind::either:
      return list("either", "(", ")");
    case Kind::sum:
      return list("sum", "[", "]");
    case Kind::many:
      return list("many", "[", "]");
    case Kind::suite:
      return "suite";
    case Kind::condition:
      return "condition";
    case Kind::group:
      return "group";
    case Kind::factor:
      return "factor";
    case Kind::name_of:
      return "name[" + name + "]";
    case Kind::pipeline:
      return "pipeline[" + name + "]";
    case Kind::share:
      return "share";
    case Kind::overrides:
      return "overrides";
    case Kind::declaration:
    case Kind::result:
    case Kind::record:
      return name;
    case Kind::block:
      return "block";
    case Kind::expression:
      return "expression";
  }
  return "";
}

const Spec* find(const std::vector<Spec>& specs, const std::string& name) {
  for (const Spec& s : specs)
    if (s.name == name) return &s;
  return nullptr;
}

const KindSpec* Schema::kind(const std::string& name) const {
  const auto k = kinds.find(name);
  return k == kinds.end() ? nullptr : &k->second;
}

Schema read_schema(const ast::File& file) { return SchemaReader(file).read(); }

}  // namespace trl::language
