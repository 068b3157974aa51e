#include "language/recovery/candidates.hpp"
#include "language/syntax/scan.hpp"

namespace trl::language {
namespace {

struct Open {
  std::size_t at = 0, indent = 0, line = 0;
};

/// Returns the missing `}` of a block whose last line of code begins at `last`. It is put on that line if the
/// block has one line, otherwise on a new line below.
MissingBrace close(std::string_view text, const Open& open, std::size_t last) {
  const std::size_t end = end_of_code(text, last);
  const bool empty = end == open.at + 1;
  const std::size_t newline = text.find('\n', end);
  MissingBrace out{open.at, {{end, 0, empty ? "}" : " }"}, "insert `}`"}};
  if (last == open.line) return out;
  const std::string brace = std::string(open.indent, ' ') + "}";
  if (newline == std::string_view::npos)
    out.candidate.edit = {text.size(), 0, "\n" + brace};
  else
    out.candidate.edit = {newline + 1, 0, brace + "\n"};
  return out;
}

/// The edit is certain only if a single block is open. If several are open, another block may have been meant
/// to end here, and the fields would then belong to other blocks.
MissingBrace only(const std::vector<Open>& blocks, MissingBrace brace) {
  brace.candidate.certain = blocks.size() == 1;
  return brace;
}

}  // namespace

std::optional<MissingBrace> missing_brace(std::string_view text) {
  std::vector<Open> blocks;
  std::size_t brackets = 0, last = 0;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = end_of_code(text, line);
    const std::size_t newline = std::min(text.find('\n', line), text.size());
    std::size_t first = line;
    while (first < end && blank(text[first])) ++first;
    const std::size_t indent = first - line;
    if (first < end) {
      if (!blocks.empty() && (brackets == 0 || indent == 0)) {
        const Open& block = blocks.back();
        if (text[first] == '}' ? indent < block.indent : indent <= block.indent)
          return only(blocks, close(text, block, last));
      }
      for (std::size_t i = first; i < end;) {
        if (text[i] == '"') {
          i = skip_opaque(text.data(), i, text.size());
          continue;
        }
        if (text[i] == '(' || text[i] == '[') ++brackets;
        if ((text[i] == ')' || text[i] == ']') && brackets > 0) --brackets;
        if (text[i] == '{') blocks.push_back({i, indent, line});
        if (text[i] == '}' && !blocks.empty()) blocks.pop_back();
        ++i;
      }
      last = line;
    }
    line = newline + 1;
  }
  if (blocks.empty()) return std::nullopt;
  return only(blocks, close(text, blocks.back(), last));
}

}  // namespace trl::language
