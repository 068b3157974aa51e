// The syntax tree of a template.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/chat/value.hpp"

namespace trl::runtime::chat {

/// Where something stands in the template, from 1.
struct Place {
  int line = 1, column = 1;
};

/// An expression. `text` and `parts` are what the kind says.
struct Node {
  enum class Kind {
    constant,   // value
    name,       // text
    list,       // parts
    tuple,      // parts
    dict,       // parts: key, value, key, …
    member,     // parts[0].text
    index,      // parts[0][parts[1]]
    slice,      // parts[0][a:b:c], each of which may be null
    call,       // parts[0](parts[1] …, named)
    filter,     // parts[0] | text(parts[1] …, named); parts[0] is null in a block `set`
    test,       // parts[0] is text(parts[1] …)
    negation,   // not parts[0]
    minus,      // - parts[0]
    plus,       // + parts[0]
    operation,  // parts[0] text parts[1]
    both,       // parts[0] and parts[1]
    either,     // parts[0] or parts[1]
    compare,    // parts[0], then a part for each of words
    choice,     // parts[1] if parts[0] else parts[2], which may be null
  } kind;
  Place place;
  std::string text;
  Value value;
  std::vector<std::unique_ptr<Node>> parts;
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> named;
};
using NodePointer = std::unique_ptr<Node>;

/// What a value is assigned to: a name, a member of a namespace, or several names.
struct Target {
  Place place;
  std::string name, member;
  std::vector<Target> several;
};

struct Statement {
  enum class Kind {
    text,        // text
    output,      // expression
    condition,   // branches of expression (null: else) and body
    loop,        // for target in expression if filter: body, else otherwise
    set,         // target = expression
    set_block,   // target = what body writes, through expression (a filter, or null)
    macro,       // text(parameters): body
    generation,  // body, in a scope of its own
    leave,       // break
    next,        // continue
  } kind;
  Place place;
  std::string text;
  NodePointer expression, filter;
  Target target;
  std::vector<std::unique_ptr<Statement>> body, otherwise;
  std::vector<std::pair<NodePointer, std::vector<std::unique_ptr<Statement>>>> branches;
  std::vector<std::pair<std::string, NodePointer>> parameters;  // with default or null
  /// Names that `body` and `otherwise` set before they read them, where these have scopes of their own. Loops
  /// and macros further inside don't see an outer value of such a name, also before it is set.
  std::vector<std::string> fresh, fresh_otherwise;
};
using Body = std::vector<std::unique_ptr<Statement>>;

struct Template {
  Body body;
  std::vector<std::string> fresh;  // as in Statement
};

/// Parses a template as transformers does: `trim_blocks` and `lstrip_blocks` are on. Throws UserError with
/// `name`, line and column for mistakes and for what of Jinja isn't supported.
Template parse_template(std::string_view source, const std::string& name);

/// Fills `fresh` of all scopes in. Jinja decides when it compiles a template which scope a name belongs to.
void find_scopes(Template& parsed);

/// "NAME:LINE:COLUMN: MESSAGE" as a UserError.
[[noreturn]] void fail(const std::string& name, Place place, const std::string& message);

}  // namespace trl::runtime::chat
