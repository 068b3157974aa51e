// Tokens of a template.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/chat/syntax.hpp"

namespace trl::runtime::chat {

struct Lexeme {
  enum class Kind {
    text,
    block_begin,
    block_end,
    output_begin,
    output_end,
    name,
    string,
    integer,
    real,
    sign,
    end
  } kind;
  std::string text;
  Place place;
  bool is_sign(std::string_view sign) const { return kind == Kind::sign && text == sign; }
  bool is_name(std::string_view name) const { return kind == Kind::name && text == name; }
};

/// The tokens, of which the last is `end`. White space around tags has been taken away as Jinja does with
/// `trim_blocks` and `lstrip_blocks`. Throws UserError.
std::vector<Lexeme> lex_template(std::string_view source, const std::string& name);

}  // namespace trl::runtime::chat
