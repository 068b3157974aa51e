// Graphs in Graphviz's language.
#pragma once

#include <string>
#include <vector>

namespace trl::interpreter {

struct DotNode {
  std::string id, label;  ///< the label may have several lines
  std::string shape = "box", colour = "#ffffff";
  bool bold = false;
};

struct DotEdge {
  std::string from, to, label;
  std::string style = "solid";
};

struct DotGraph {
  std::string title;  ///< may be empty
  std::vector<DotNode> nodes;
  std::vector<DotEdge> edges;
};

/// The graph in the DOT language; equal graphs give the same bytes.
std::string dot_text(const DotGraph& graph);

/// Draws a graph in the DOT language as SVG, by the program `dot` or the program that `TRL_DOT` names. Throws
/// UserError if the program doesn't exist or fails.
std::string draw_with_dot(const std::string& dot);

}  // namespace trl::interpreter
