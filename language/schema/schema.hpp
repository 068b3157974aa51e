// The schema (stdlib/schema.trl) as data: everything that can be written.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "language/ast/ast.hpp"

namespace trl::language {

/// The type of a field; stdlib/README.md explains each type.
struct Type {
  enum class Kind {
    count,
    number,
    fraction,
    duration,
    bytes,
    money,
    price,      ///< money per second
    bandwidth,  ///< bytes per second
    boolean,
    text,
    one_of,
    list,
    map,
    optional,
    either,
    sum,
    many,
    suite,
    condition,
    group,
    factor,
    declaration,
    name_of,
    pipeline,
    share,
    overrides,
    result,
    record,
    block,
    expression,  ///< any type, decided where the name is used: `let`
  };
  Kind kind{};
  std::string name;  ///< the name of a declaration's kind, of a function's result, or of a record
  std::vector<std::string> choices;  ///< the words of one_of
  std::string unit;                  ///< the unit that may stand behind a count: `count[tokens]`
  std::vector<Type> args;

  bool is(Kind k) const { return kind == k; }
  /// The type as the schema writes it, `list[one_of(a, b)]`; long lists of choices are cut.
  std::string text() const;
};

struct Spec {
  std::string name, doc;
  Type type;
  std::optional<ast::Expr> low, high, default_value;  ///< limits and default
  bool above_low = false;  ///< whether the lower limit itself is no value: `above(0)..1`
  bool has_parameters = false;
  std::vector<ast::Parameter> parameters;  ///< for a formula
  std::vector<Spec> fields;                ///< for a block
  Range range;
};

const Spec* find(const std::vector<Spec>& specs, const std::string& name);

struct Variant {
  std::string name, kind, doc, implementation;
  int version = 0;
  std::vector<std::string> needs;  ///< fields that the experiment must have
  std::vector<Spec> fields;
};

struct KindSpec {
  std::string name, doc;
  std::vector<Spec> fields;
  std::map<std::string, Variant> variants;
  std::optional<Type> value;  ///< for `kind split = suite`, which is declared by a value instead of a block
};

struct Function {
  std::string name, result, doc;
  std::string also;  ///< another result that it can stand for: `path("…")` gives weights, and files
  std::vector<std::string> positional;
  std::vector<Spec> fields;
  bool open = false;     ///< any path may be a label of its arguments
  bool formula = false;  ///< only formulas may call it
  bool gives(const std::string& wanted) const {
    return result == wanted || (!also.empty() && also == wanted);
  }
};

struct Record {
  std::string name, doc;
  std::vector<Spec> fields;
};

/// The figures of a published model's config.json: `context`, `hidden`, `layers`…
struct Published {
  std::string family;
  std::map<std::string, double> figures;
  bool tied = false;
};

struct Schema {
  std::map<std::string, KindSpec> kinds;
  std::map<std::string, Record> records;
  std::map<std::string, Function> functions;  ///< by full name, `windtunnel.corpus`
  std::set<std::string> modules;
  /// The matrices of an architecture that an adapter can change, by the `model_type` of config.json.
  std::map<std::string, std::vector<std::string>> families;
  std::map<std::string, Published> published;  ///< by repository

  const KindSpec* kind(const std::string& name) const;
};

/// Reads declarations of kinds, variants, functions, records, modules, families and published models. Throws
/// std::logic_error on a mistake in them, since the schema is part of the program and not of its input.
Schema read_schema(const ast::File& file);

}  // namespace trl::language
