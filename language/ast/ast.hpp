// The abstract syntax tree: the syntax tree without blanks and punctuation. The semantic passes read it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/diagnostics/source.hpp"
#include "language/syntax/syntax.hpp"

namespace trl::language {
struct Recovered;
}

namespace trl::language::ast {

struct Expr;

/// `label = value` or `value` between the parentheses of a call.
struct Argument;

struct Expr {
  enum class Kind {
    number,       ///< number, unit
    text,         ///< text, unescaped
    name,         ///< text
    list,         ///< args
    call,         ///< args[0] is the called function; arguments
    index,        ///< args[0] is the indexed expression; args[1…]
    member,       ///< args[0].text
    negative,     ///< args[0]
    negation,     ///< args[0]
    chain,        ///< args joined from the left by ops (+ - * / @ ^ < <= > >= == != and or): one level of
                  ///< precedence
    range,        ///< args[0]..args[1]
    conditional,  ///< if args[0] then args[1] else args[2]
    pipeline,     ///< args joined by ->
  };
  Kind kind{};
  Range range;
  double number = 0;
  std::string unit;
  Range unit_range;
  std::string text;
  Range text_range;  ///< the place of a member's name
  std::vector<Expr> args;
  std::vector<std::string> ops;
  std::vector<Argument> arguments;

  bool is(Kind k) const { return kind == k; }
  /// `a.b.c` when the expression consists of names joined by dots, else nothing.
  std::optional<std::string> dotted() const;
};

struct Argument {
  std::string label;  ///< empty when positional
  Range label_range;
  Expr value;
  Range range;
};

/// The parts of `a.b.c`.
std::vector<std::string> split_dotted(const std::string& dotted);

/// `a.b.c` with the range of each part.
struct Path {
  std::vector<std::string> parts;
  std::vector<Range> ranges;
  Range range;
  std::string text() const;
  bool empty() const { return parts.empty(); }
};

struct Allow {
  std::string rule, reason;
  Range rule_range, range;
};

struct Parameter {
  std::string name;
  Range name_range, range;
  std::optional<Expr> type;
};

struct Dimension {
  std::string name;
  Range name_range;
  std::optional<Expr> value;
};

struct Block;

/// `path = value`, `path: type in limits = value` or `path { … }`.
struct Item {
  Path path;
  Range range;
  std::string doc;
  bool has_parameters = false;
  std::vector<Parameter> parameters;
  std::optional<Expr> type, limits, value;
  std::shared_ptr<const Block> block;
};

struct Declaration {
  std::string kind, name, doc;
  Range kind_range, name_range, range;
  bool has_parameters = false;
  std::vector<Dimension> dimensions;
  std::vector<Parameter> parameters;
  Path base;
  std::optional<Expr> value;
  std::shared_ptr<const Block> block;
  std::vector<Allow> allows;
};

struct Block {
  Range range;
  std::vector<Item> items;
  std::vector<Declaration> declarations;
  std::vector<Allow> allows;
  bool broken = false;  ///< part of it could not be parsed; a missing item may be there
};

struct Import {
  Path path;
  std::string alias;  ///< the name by which the importing file calls it
  Range alias_range, range;
};

struct File {
  std::string doc;
  std::vector<Import> imports;
  std::vector<Declaration> declarations;
  /// The words of text that could not be parsed. Each may be the name of a declaration there.
  std::vector<std::string> broken_words;
  bool nameless = false;  ///< a declaration whose name is missing; it may be any name that is looked up
  bool broken = false;
};

/// Builds the file from its syntax tree.
File build(const Node& tree, std::string_view text, FileId file);

/// Builds the file from a text after error recovery. Ranges are places of the text as it was written.
File build(const Recovered& recovered, FileId file);

/// The one setting (`path = value`) in the tree of `parse_setting`.
std::optional<Item> build_setting(const Node& tree, std::string_view text, FileId file);

}  // namespace trl::language::ast
