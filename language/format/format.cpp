#include "language/format/format.hpp"

#include <algorithm>

#include "language/format/alignment.hpp"
#include "language/format/tokens.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language {
namespace {

constexpr std::size_t step = 2;
constexpr std::size_t least_before_comment = 2;

/// A line of output: its code, and the comment at its end.
struct Line {
  std::string code;
  std::string_view comment;
  std::size_t column = 0;    // the comment's column in the input
  std::size_t distance = 0;  // between the end of the code and the comment in the input; 0 without code
  bool commented = false;
  std::size_t newlines = 0;  // the number of newlines before the line
};

/// The width in code points after the last newline; only text that could not be parsed contains newlines.
std::size_t end_column(std::string_view code) { return width(code.substr(code.rfind('\n') + 1)); }

class Layout {
 public:
  explicit Layout(const Tokens& tokens)
      : tokens_(tokens),
        blanks_(blanks_before(tokens)),
        begins_(tokens.all.size()),
        line_indent_(tokens.all.size()) {}

  std::string run() {
    for (std::size_t i = 0; i < tokens_.all.size(); ++i) {
      const Token& token = tokens_.all[i];
      const bool first = i == 0 || token.newlines > 0;
      if (first && continues_comment(token)) {
        lines_.push_back({"", token.text, token.column, 0, true, 1});
        continue;
      }
      if (first) begin_line(i);
      Line& line = lines_.back();
      if (!first && token.comment() && token.before != Beside::written &&
          tokens_.all[i - 1].after != Beside::written) {
        line.comment = token.text;
        line.column = token.column;
        line.distance = width(token.blanks);
        line.commented = true;
        continue;
      }
      if (!first && token_written_apart(i))
        line.code += token.blanks;
      else if (!first)
        line.code.append(blanks_[i], ' ');
      begins_[i] = end_column(line.code);
      line_indent_[i] = indent_;
      line.code += token.text;
    }
    align_comments();
    return text();
  }

 private:
  bool token_written_apart(std::size_t i) const {
    return tokens_.all[i].before == Beside::written || tokens_.all[i - 1].after == Beside::written;
  }

  /// Whether a comment on its own line stands directly under the comment at the end of the line before.
  bool continues_comment(const Token& token) const {
    return token.comment() && token.newlines == 1 && !lines_.empty() && lines_.back().commented &&
           lines_.back().column == token.column;
  }

  void begin_line(std::size_t i) {
    const Token& token = tokens_.all[i];
    Line line;
    line.newlines = i == 0 ? 0 : std::min<std::size_t>(token.newlines, 2);
    if (token.broken()) {
      line.code = token.blanks;
      indent_ = width(token.blanks);
    } else {
      indent_ = indent(i);
      line.code.append(indent_, ' ');
    }
    lines_.push_back(std::move(line));
  }

  std::size_t indent(std::size_t i) const {
    const Token& token = tokens_.all[i];
    if (token.of_block || token.opener == Token::nothing) return token.indent;
    const std::size_t opener = token.opener;
    const bool hanging = tokens_.all[opener + 1].newlines > 0 || tokens_.all[opener + 1].comment();
    if (hanging) return line_indent_[opener] + (token.closes ? 0 : step);
    return begins_[opener] + (token.closes ? 0 : 1);
  }

  /// Keeps comments at the ends of neighbouring lines in one column if the author wrote them so.
  void align_comments() {
    for (std::size_t begin = 0; begin < lines_.size();) {
      std::size_t end = begin + 1;
      if (lines_[begin].commented)
        while (end < lines_.size() && lines_[end].commented && lines_[end].newlines == 1 &&
               lines_[end].column == lines_[begin].column)
          ++end;
      if (lines_[begin].commented) align(begin, end);
      begin = end;
    }
  }

  void align(std::size_t begin, std::size_t end) {
    std::size_t widest = 0, distance = static_cast<std::size_t>(-1);
    for (std::size_t i = begin; i < end; ++i) {
      if (lines_[i].code.empty()) continue;
      widest = std::max(widest, end_column(lines_[i].code));
      distance = std::min(distance, lines_[i].distance);
    }
    const std::size_t column = widest + std::max(distance, least_before_comment);
    for (std::size_t i = begin; i < end; ++i) {
      Line& line = lines_[i];
      line.code.append(column - end_column(line.code), ' ');
      line.code += line.comment;
    }
  }

  std::string text() const {
    std::string out;
    if (tokens_.marked) out += "\xEF\xBB\xBF";
    for (const Line& line : lines_) {
      for (std::size_t i = 0; i < line.newlines; ++i) out += tokens_.newline;
      out += line.code;
    }
    return out;
  }

  const Tokens& tokens_;
  std::vector<std::size_t> blanks_;
  std::vector<std::size_t> begins_;       // the column of each token in the output
  std::vector<std::size_t> line_indent_;  // the indentation of each token's line
  std::vector<Line> lines_;
  std::size_t indent_ = 0;
};

std::string layout(const Node& tree, std::string_view text) {
  const Tokens tokens = tokens_of(tree, text);
  std::string out = Layout(tokens).run();
  if (tokens.all.empty()) return out;
  const Token& last = tokens.all.back();
  if (last.broken())
    out += text.substr(static_cast<std::size_t>(last.text.end() - text.begin()));
  else
    out += tokens.newline;
  return out;
}

bool layout_only(const Node& node) { return node.is(NodeKind::blank) || node.is(NodeKind::newline); }

bool same_shape(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  auto x = a.children.begin(), y = b.children.begin();
  while (true) {
    while (x != a.children.end() && layout_only(*x)) ++x;
    while (y != b.children.end() && layout_only(*y)) ++y;
    if (x == a.children.end() || y == b.children.end()) return x == a.children.end() && y == b.children.end();
    if (!same_shape(*x++, *y++)) return false;
  }
}

bool same(const Node& tree, std::string_view text, const Node& other_tree, std::string_view other) {
  const Tokens a = tokens_of(tree, text), b = tokens_of(other_tree, other);
  return std::equal(a.all.begin(), a.all.end(), b.all.begin(), b.all.end(),
                    [](const Token& x, const Token& y) { return x.kind == y.kind && x.text == y.text; }) &&
         same_shape(tree, other_tree);
}

}  // namespace

bool same_but_for_layout(std::string_view text, std::string_view other) {
  return same(parse(text).tree, text, parse(other).tree, other);
}

Formatted format(std::string_view text) {
  const Parsed parsed = parse(text);
  std::string out = layout(parsed.tree, text);
  if (parsed.diagnostics.empty()) return {std::move(out), false, false};
  const Parsed again = parse(out);
  const bool stable = again.diagnostics.size() == parsed.diagnostics.size() &&
                      same(parsed.tree, text, again.tree, out) && layout(again.tree, out) == out;
  if (!stable) out = text;
  return {std::move(out), true, !stable};
}

}  // namespace trl::language
