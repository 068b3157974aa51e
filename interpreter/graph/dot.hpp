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

/// The same bytes for the same graph.
std::string dot_text(const DotGraph& graph);

/// The picture of a graph, by the program `dot`; `TRL_DOT` names another. Throws UserError where there is
/// none, or where it fails.
std::string draw_with_dot(const std::string& dot);

}  // namespace trl::interpreter
