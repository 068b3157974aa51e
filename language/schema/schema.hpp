// What can be written: stdlib/schema.trl as data.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "language/ast/ast.hpp"

namespace trl::language {

/// The type of a field; stdlib/README.md explains each.
struct Type {
  enum class Kind {
    count,
    number,
    fraction,
    duration,
    bytes,
    money,
    price,      ///< money a time
    bandwidth,  ///< bytes a time
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
    expression,  ///< whatever the place where its name stands wants: `let`
  };
  Kind kind{};
  std::string name;                  ///< of the declaration's kind, the function's result, the record
  std::vector<std::string> choices;  ///< of one_of
  std::vector<Type> args;

  bool is(Kind k) const { return kind == k; }
  /// `list[one_of(a, b)]` as in the schema; long lists of choices are cut.
  std::string text() const;
};

struct Spec {
  std::string name, doc;
  Type type;
  std::optional<ast::Expr> low, high, standard;  ///< limits and default
  bool has_parameters = false;
  std::vector<ast::Parameter> parameters;  ///< of a formula
  std::vector<Spec> fields;                ///< of a block
  Range range;
};

const Spec* find(const std::vector<Spec>& specs, const std::string& name);

struct Variant {
  std::string name, kind, doc, implementation;
  int version = 0;
  std::vector<std::string> needs;  ///< fields of the experiment that it can't do without
  std::vector<Spec> fields;
};

struct KindSpec {
  std::string name, doc;
  std::vector<Spec> fields;
  std::map<std::string, Variant> variants;
  std::optional<Type> value;  ///< of `kind split = suite`: declared by a value, not by a block
};

struct Function {
  std::string name, result, doc;
  std::vector<std::string> positional;
  std::vector<Spec> fields;
  bool open = false;     ///< any path is a label
  bool formula = false;  ///< for formulas alone
};

struct Record {
  std::string name, doc;
  std::vector<Spec> fields;
};

/// A published model, as its config.json has it: `context`, `hidden`, `layers`…
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
  /// The matrices of an architecture that an adapter can change, by config.json's `model_type`.
  std::map<std::string, std::vector<std::string>> families;
  std::map<std::string, Published> published;  ///< by repository

  const KindSpec* kind(const std::string& name) const;
};

/// Reads declarations of kinds, variants, functions, records, modules, families and published models. Throws
/// std::logic_error on a mistake in them: the schema is part of the program, not of its input.
Schema read_schema(const ast::File& file);

}  // namespace trl::language
