#include "language/syntax/syntax.hpp"

#include <array>

namespace trl::language {
namespace {

constexpr std::array<std::string_view, 48> names = {
    "file",       "import",      "allow",       "declaration", "section",  "field", "block",
    "dimensions", "dimension",   "parameters",  "parameter",   "base",     "type",  "limits",
    "value",      "quantity",    "reference",   "list",        "call",     "index", "member",
    "argument",   "minus",       "not",         "power",       "product",  "sum",   "range",
    "comparison", "conjunction", "disjunction", "conditional", "pipeline", "name",  "path",
    "label",      "kind",        "declared",    "number",      "unit",     "text",  "op",
    "doc",        "broken",      "blank",       "newline",     "comment",  "mark"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Splits source[begin, end) into trivia leaves.
void scan(std::string_view source, std::size_t begin, std::size_t end, std::vector<Node>& out) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  for (std::size_t i = begin; i < end;) {
    std::size_t j = i + 1;
    NodeKind kind = NodeKind::mark;
    const char c = source[i];
    if (is_blank(c)) {
      kind = NodeKind::blank;
      while (j < end && is_blank(source[j])) ++j;
    } else if (c == '\n' || (c == '\r' && j < end && source[j] == '\n')) {
      kind = NodeKind::newline;
      if (c == '\r') ++j;
    } else if (c == '#') {
      kind = NodeKind::comment;
      while (j < end && source[j] != '\n' && !(source[j] == '\r' && j + 1 < end && source[j + 1] == '\n'))
        ++j;
    } else if (is_word(c)) {
      while (j < end && is_word(source[j])) ++j;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      while (j < end && static_cast<unsigned char>(source[j]) >= 0x80) ++j;
    }
    out.push_back({kind, i, j, {}});
    i = j;
  }
}

bool leaf(NodeKind kind) { return kind >= NodeKind::name; }

void write(const Node& node, std::string_view source, std::string& out) {
  if (leaf(node.kind))
    out += node.text(source);
  else
    for (const Node& child : node.children) write(child, source, out);
}

}  // namespace

std::string_view to_string(NodeKind kind) { return names.at(static_cast<std::size_t>(kind)); }

const Node* Node::child(NodeKind k) const {
  for (const Node& c : children)
    if (c.kind == k) return &c;
  return nullptr;
}

void fill_gaps(Node& branch, std::string_view source) {
  if (leaf(branch.kind)) return;
  std::vector<Node> all;
  all.reserve(branch.children.size() * 2 + 1);
  std::size_t at = branch.begin;
  for (Node& child : branch.children) {
    scan(source, at, child.begin, all);
    at = child.end;
    fill_gaps(child, source);
    all.push_back(std::move(child));
  }
  scan(source, at, branch.end, all);
  branch.children = std::move(all);
}

std::string text_of(const Node& tree, std::string_view source) {
  std::string out;
  out.reserve(source.size());
  write(tree, source, out);
  return out;
}

}  // namespace trl::language
