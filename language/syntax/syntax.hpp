// The lossless syntax tree: every byte of the input lies in exactly one leaf.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trl::language {

enum class NodeKind : std::uint8_t {
  // Structure.
  file,
  import_,
  allow,
  declaration,
  section,
  field,
  block,
  dimensions,
  dimension,
  parameters,
  parameter,
  base,
  type,
  limits,
  value,
  // Expressions.
  quantity,
  reference,
  list,
  call,
  index,
  member,
  argument,
  minus,
  no,
  power,
  product,
  sum,
  range,
  comparison,
  conjunction,
  disjunction,
  conditional,
  pipeline,
  // Leaves with a meaning.
  name,
  path,
  label,
  kind,
  declared,
  number,
  unit,
  text,
  op,
  doc,
  broken,
  // Leaves without a meaning, between the leaves with a meaning.
  blank,
  newline,
  comment,
  mark,
};

/// The name of a kind, such as `declaration`.
std::string_view to_string(NodeKind kind);

/// A node of the tree. It covers the bytes begin..end of the input, and its children cover the same bytes
/// without gaps or overlaps.
struct Node {
  NodeKind kind{};
  std::size_t begin = 0, end = 0;
  std::vector<Node> children;

  bool is(NodeKind k) const { return kind == k; }
  /// The first child of a kind; null if there is none.
  const Node* child(NodeKind k) const;
  std::string_view text(std::string_view source) const { return source.substr(begin, end - begin); }
};

/// Adds leaves for the bytes that no child covers: blanks, newlines, comments, punctuation.
void fill_gaps(Node& branch, std::string_view source);

/// Reassembles the input from the leaves of a tree.
std::string text_of(const Node& tree, std::string_view source);

}  // namespace trl::language
