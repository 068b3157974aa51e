#include "interpreter/graph/dot.hpp"

#include <cstdlib>
#include <cstring>

#include "base/support/error.hpp"
#include "interpreter/filter.hpp"

namespace trl::interpreter {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// The SVG without the comments that name Graphviz's version.
std::string without_comments(std::string svg) {
  for (std::size_t begin = svg.find("<!--"); begin != std::string::npos; begin = svg.find("<!--", begin)) {
    const std::size_t end = svg.find("-->", begin);
    if (end == std::string::npos) break;
    svg.erase(begin, end + 3 - begin + (svg.compare(end + 3, 1, "\n") == 0 ? 1 : 0));
  }
  return svg;
}

}  // namespace

std::string dot_text(const DotGraph& graph) {
  std::string out = "digraph {\n  rankdir = LR\n";
  if (!graph.title.empty()) out += "  label = " + quoted(graph.title) + "\n  labelloc = t\n";
  out +=
      "  node [fontname = \"sans-serif\", fontsize = 11, style = filled, margin = \"0.12,0.05\"]\n"
      "  edge [fontname = \"sans-serif\", fontsize = 9, color = \"#59636e\", fontcolor = \"#59636e\"]\n";
  for (const DotNode& node : graph.nodes)
    out += "  " + quoted(node.id) + " [label = " + quoted(node.label) + ", shape = " + node.shape +
           ", fillcolor = " + quoted(node.colour) +
           (node.bold ? ", penwidth = 2, fontname = \"sans-serif bold\"" : "") + "]\n";
  for (const DotEdge& edge : graph.edges) {
    out += "  " + quoted(edge.from) + " -> " + quoted(edge.to);
    std::string attributes;
    if (!edge.label.empty()) attributes += "label = " + quoted(edge.label);
    if (edge.style != "solid") attributes += (attributes.empty() ? "" : ", ") + ("style = " + edge.style);
    out += (attributes.empty() ? "" : " [" + attributes + "]") + "\n";
  }
  return out + "}\n";
}

std::string draw_with_dot(const std::string& dot) {
  const char* named = std::getenv("TRL_DOT");
  const std::string program = named && *named ? named : "dot";
  const auto drawn = run_filter(program, {"-Tsvg"}, dot, {"LC_ALL=C.UTF-8"});
  if (drawn.missing())
    throw UserError("the program " + program + ", which draws graphs, is not installed",
                    "Install it with `apt-get install graphviz`, or use `--format dot`.");
  if (drawn.status < 0) throw UserError(program + " can't be started: " + std::strerror(drawn.code));
  if (drawn.status != 0 || drawn.out.find("</svg>") == std::string::npos)
    throw UserError(program + " failed: " + drawn.err.substr(0, drawn.err.find('\n')),
                    "`--format dot` shows its input.");
  return without_comments(drawn.out);
}

}  // namespace trl::interpreter
