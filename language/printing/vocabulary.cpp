#include "language/printing/vocabulary.hpp"

#include <functional>
#include <set>

#include "base/formulas/formula_functions.hpp"
#include "base/operators/dtype.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/elaboration/measure.hpp"
#include "language/printing/reference.hpp"
#include "language/syntax/parse.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace {
using nlohmann::json;

/// Names that stand for a value wherever their type is expected.
constexpr const char* constants[] = {"true", "false", "none", "rest"};

/// Collects the words that a type, or a part of it, allows as values.
void collect_choices(const Type& type, std::vector<std::string>& out) {
  out.insert(out.end(), type.choices.begin(), type.choices.end());
  for (const Type& part : type.args) collect_choices(part, out);
}

/// "windtunnel.corpus" as "corpus".
std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

class Words {
 public:
  Words() : library_(read_library(sources_)) {}

  json all() const {
    json out;
    out["keywords"] = reserved_words;
    out["constants"] = constants;
    for (const auto& [name, kind] : library_.schema.kinds) {
      json& one = out["kinds"].emplace_back(json{{"name", name}, {"doc", kind.doc}});
      one["fields"] = fields(kind.fields);
      if (kind.value) one["value"] = kind.value->text();
      one["variants"] = json::array();
      for (const auto& [variant, v] : kind.variants)
        one["variants"].push_back({{"name", variant},
                                   {"doc", v.doc},
                                   {"needs", v.needs},
                                   {"fields", fields(documented(v.fields, kind))}});
    }
    for (const auto& [name, record] : library_.schema.records)
      out["records"].push_back({{"name", name}, {"doc", record.doc}, {"fields", fields(record.fields)}});
    for (const auto& [name, f] : library_.schema.functions)
      out["functions"].push_back({{"name", name},
                                  {"doc", f.doc},
                                  {"signature", signature(f)},
                                  {"result", f.result},
                                  {"formula", f.formula},
                                  {"positional", f.positional},
                                  {"fields", fields(f.fields)}});
    for (const formulas::Function& f : formulas::functions())
      out["formula_functions"].push_back({{"name", f.name}, {"signature", f.signature}, {"doc", f.doc}});
    for (const TensorFunction& f : tensor_functions())
      out["tensor_functions"].push_back({{"name", f.name}, {"signature", f.signature}, {"doc", f.doc}});
    for (const InputDoc& input : input_docs())
      out["inputs"].push_back({{"name", input.name}, {"written", input.written}, {"doc", input.meaning}});
    for (const TypeDoc& type : type_docs())
      out["types"].push_back({{"name", type.name}, {"written", type.written}, {"doc", type.meaning}});
    for (const MeasureUnit& unit : measure_units())
      out["units"].push_back({{"name", unit.name}, {"doc", unit.doc}});
    for (const Rule* rule : all_rules())
      out["rules"].push_back({{"name", rule->id}, {"allowable", rule->allowable}, {"doc", rule->reason}});
    return out;
  }

  std::map<std::string, std::vector<std::string>> lists() const {
    std::map<std::string, std::set<std::string>> sets;
    const std::function<void(const std::vector<Spec>&)> add_fields = [&](const std::vector<Spec>& specs) {
      for (const Spec& spec : specs) {
        sets["fields"].insert(spec.name);
        std::vector<std::string> choices;
        collect_choices(spec.type, choices);
        sets["values"].insert(choices.begin(), choices.end());
        add_fields(spec.fields);
      }
    };
    sets["keywords"].insert(std::begin(reserved_words), std::end(reserved_words));
    sets["constants"].insert(std::begin(constants), std::end(constants));
    for (const auto& [name, kind] : library_.schema.kinds) {
      sets["kinds"].insert(name);
      add_fields(kind.fields);
      for (const auto& [variant, v] : kind.variants) {
        sets["variants"].insert(variant);
        add_fields(v.fields);
      }
    }
    for (const auto& [name, f] : library_.schema.functions) {
      sets["functions"].insert(last_part(name));
      add_fields(f.fields);
    }
    for (const formulas::Function& f : formulas::functions()) sets["functions"].insert(f.name);
    for (const TensorFunction& f : tensor_functions()) sets["tensor_functions"].insert(f.name);
    for (const InputDoc& input : input_docs())
      sets[operators::dtype_called(input.name) ? "dtypes" : "inputs"].insert(input.name);
    for (const TypeDoc& type : type_docs())
      sets["types"].insert(type.name.substr(0, type.name.find_first_of("[(")));
    for (const auto& [name, record] : library_.schema.records) sets["types"].insert(name);
    for (const MeasureUnit& unit : measure_units())
      if (unit.name != "%") sets["units"].insert(unit.name);
    // A word that is in both sets is highlighted as in every file.
    for (const std::string& constant : sets["constants"]) sets["values"].erase(constant);
    std::map<std::string, std::vector<std::string>> out;
    for (const auto& [name, words] : sets) out[name].assign(words.begin(), words.end());
    return out;
  }

 private:
  json fields(const std::vector<Spec>& specs) const {
    json out = json::array();
    for (const Spec& spec : specs) {
      json one{{"name", spec.name}, {"doc", spec.doc}};
      if (spec.type.is(Type::Kind::block)) {
        one["fields"] = fields(spec.fields);
        out.push_back(one);
        continue;
      }
      one["type"] = spec.type.text();
      if (spec.has_parameters) one["written"] = name_with_parameters(spec);
      if (const auto limits = limits_of(spec, sources_); !limits.empty()) one["range"] = limits;
      if (const auto value = default_of(spec, sources_); !value.empty()) one["default"] = value;
      std::vector<std::string> choices;
      collect_choices(spec.type, choices);
      if (!choices.empty()) one["values"] = choices;
      out.push_back(one);
    }
    return out;
  }

  Sources sources_;
  const Library& library_;
};

}  // namespace

json vocabulary() { return Words().all(); }

const std::map<std::string, std::vector<std::string>>& word_lists() {
  static const auto lists = Words().lists();
  return lists;
}

}  // namespace trl::language
