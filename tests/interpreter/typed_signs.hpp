// Finds signs as they are typed, such as "->", in pages where readers should see printed signs, such as "→".
#pragma once

#include <regex>
#include <string>

namespace trl::interpreter::testing {

/// Returns the text around the first typed sign of a page, such as "->" or the hyphen of "-0.5"; empty if
/// there is none. Code, answers and verdicts are left out.
inline std::string typed_sign(std::string page) {
  for (const auto& [begin, end] :
       {std::pair("<style>", "</style>"), std::pair("<pre", "</pre>"), std::pair("<code>", "</code>"),
        std::pair("<section id=\"failures\">", "</section>")})
    for (std::size_t at; (at = page.find(begin)) != std::string::npos;)
      page.erase(at, page.find(end, at) + std::string(end).size() - at);
  // Titles of cells are commands that somebody copies; labels are read aloud.
  std::string text;
  bool tag = false;
  for (const char c : page) {
    if (c == '<') text += ' ';
    if (!tag && c != '<') text += c;
    tag = c == '<' || (tag && c != '>');
  }
  static const std::regex typed(
      R"(-&gt;|&[lg]t;=|!=|&quot;|\w(&#39;|')\w|(^|[\s\[(,])-[0-9.]|\w x \w|(^|[\s\[(])x[0-9]+\.[0-9]| - )");
  std::smatch found;
  if (!std::regex_search(text, found, typed)) return "";
  const auto at = static_cast<std::size_t>(found.position());
  return text.substr(at < 40 ? 0 : at - 40, 80);
}

}  // namespace trl::interpreter::testing
