// The schema (stdlib/schema.trl) as data: the kinds of declarations, their fields, and the functions that a
// program can use.
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
    expression,  ///< the body of a `let`: the type is decided where the `let` is used
  };
  Kind kind{};
  std::string name;  ///< the name of a declaration's kind, of a function's result, or of a record
  std::vector<std::string> choices;  ///< the allowed words of `one_of`
  std::string unit;                  ///< the unit that may follow a count: `count[tokens]`
  std::vector<Type> args;

  bool is(Kind k) const { return kind == k; }
  /// The type as the schema writes it, such as `list[one_of(a, b)]`. A long list of choices is shortened.
  std::string text() const;
};

struct Spec {
  std::string name, doc;
  Type type;
  std::optional<ast::Expr> low, high, default_value;  ///< the lower limit, the upper limit and the default
  bool above_low = false;  ///< whether the lower limit itself is excluded, as in `above(0)..1`
  bool has_parameters = false;
  std::vector<ast::Parameter> parameters;  ///< the parameters of a formula
  std::vector<Spec> fields;                ///< the fields of a block
  Range range;
};

const Spec* find(const std::vector<Spec>& specs, const std::string& name);

struct Variant {
  std::string name, kind, doc, implementation;
  int version = 0;
  std::vector<std::string> needs;  ///< fields that an experiment with this variant must have
  std::vector<Spec> fields;
  Range range;  ///< its name in the schema
};

struct KindSpec {
  std::string name, doc;
  std::vector<Spec> fields;
  std::map<std::string, Variant> variants;
  std::optional<Type> value;  ///< the type of the value, for a kind that is declared by a value instead of a
                              ///< block: `kind split = suite`
  Range range;                ///< its name in the schema
};

struct Function {
  std::string name, result, doc;
  std::string also;  ///< a second result type: `path("…")` gives weights and also files
  std::vector<std::string> positional;
  std::vector<Spec> fields;
  bool open = false;     ///< the label of an argument may be any path
  bool formula = false;  ///< only formulas may call the function
  Range range;           ///< its name in the schema
  bool gives(const std::string& wanted) const {
    return result == wanted || (!also.empty() && also == wanted);
  }
};

struct Record {
  std::string name, doc;
  std::vector<Spec> fields;
};

/// An architecture, by its `model_type`.
struct Family {
  /// The names of the matrices that an adapter can change; nothing if they are unknown.
  std::optional<std::vector<std::string>> matrices;
  std::vector<std::string> names;  ///< lower-case parts of the names of the architecture's repositories
  bool runs = true;                ///< whether the worker implements it
};

/// The numbers in a published model's config.json, such as `context`, `hidden` and `layers`.
struct Published {
  std::string family;
  std::map<std::string, double> figures;
  bool tied = false;
};

struct Schema {
  std::map<std::string, KindSpec> kinds;
  std::map<std::string, Record> records;
  std::map<std::string, Function> functions;  ///< by full name, such as `windtunnel.corpus`
  std::set<std::string> modules;
  std::map<std::string, Family> families;      ///< by the `model_type` in config.json
  std::map<std::string, Published> published;  ///< by the name of the repository

  const KindSpec* kind(const std::string& name) const;
};

/// Reads declarations of kinds, variants, functions, records, modules, families and published models. Throws
/// std::logic_error if a declaration has a mistake, since the schema belongs to this software and is not its
/// input.
Schema read_schema(const ast::File& file);

}  // namespace trl::language
