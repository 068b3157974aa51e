// The abstract syntax tree, which the semantic passes read: the syntax tree without blanks and punctuation.
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

/// An argument in the parentheses of a call: `label = value` or `value`.
struct Argument;

struct Expr {
  enum class Kind {
    number,    ///< `16 GiB`, in the fields `number` and `unit`
    text,      ///< a quoted text, unescaped in the field `text`
    name,      ///< a name, in the field `text`
    list,      ///< a list with the elements `args`
    call,      ///< a call of the function `args[0]` with the labelled or positional `arguments`
    index,     ///< `args[0]` followed by the indices `args[1…]` in brackets
    member,    ///< `args[0].text`
    negative,  ///< `-args[0]`
    negation,  ///< `not args[0]`
    chain,  ///< the operands `args`, joined from the left by the operators `ops` (+ - * / @ ^ < <= > >= == !=
            ///< and or), which share one level of precedence
    range,  ///< `args[0]..args[1]`
    conditional,  ///< `if args[0] then args[1] else args[2]`
    pipeline,     ///< the stages `args`, joined by `->`
  };
  Kind kind{};
  Range range;
  double number = 0;
  std::string unit;
  Range unit_range;
  std::string text;
  Range text_range;  ///< where the name of a member is written
  std::vector<Expr> args;
  std::vector<std::string> ops;
  std::vector<Argument> arguments;

  bool is(Kind k) const { return kind == k; }
  /// Returns `a.b.c` if the expression consists of names joined by dots, otherwise nothing.
  std::optional<std::string> dotted() const;
};

struct Argument {
  std::string label;  ///< empty for a positional argument
  Range label_range;
  Expr value;
  Range range;
};

/// Splits `a.b.c` into its names.
std::vector<std::string> split_dotted(const std::string& dotted);

/// A dotted name such as `a.b.c`, with the range of each part.
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

/// An entry of a block: `path = value`, `path: type in limits = value` or `path { … }`.
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
  bool broken = false;  ///< a part of the block could not be parsed; an item that seems missing may be there
};

struct Import {
  Path path;
  std::string alias;  ///< the name of the imported module within the importing file
  Range alias_range, range;
};

struct File {
  std::string doc;
  std::vector<Import> imports;
  std::vector<Declaration> declarations;
  /// The words in the parts of the file that could not be parsed. Each word may be the name of a declaration
  /// there.
  std::vector<std::string> broken_words;
  bool nameless = false;  ///< a declaration lacks its name, so an unknown name elsewhere may be meant for it
  bool broken = false;
};

/// Builds the file from its syntax tree.
File build(const Node& tree, std::string_view text, FileId file);

/// Builds the file from a text that error recovery has edited. Ranges refer to the original text.
File build(const Recovered& recovered, FileId file);

/// Returns the setting (`path = value`) in a tree that `parse_setting` has made; nothing if the tree has
/// none.
std::optional<Item> build_setting(const Node& tree, std::string_view text, FileId file);

}  // namespace trl::language::ast
