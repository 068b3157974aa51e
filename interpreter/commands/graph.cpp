#include <map>
#include <memory>

#include "base/support/error.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"
#include "interpreter/graph/stages.hpp"
#include "interpreter/store/store.hpp"
#include "language/diagnostics/render.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/program/references.hpp"

namespace trl::interpreter {
namespace {

struct GraphCommand {
  ProgramOptions program;
  std::string of = "declarations", format, file;
};

DotNode node_of(const language::References::Declaration& declaration) {
  struct Look {
    const char *shape, *colour;
  };
  static const std::map<std::string, Look> looks = {
      {"model", {"cylinder", "#fbefff"}},     {"lora", {"component", "#fbefff"}},
      {"suite", {"folder", "#fff8c5"}},       {"split", {"tab", "#fff8c5"}},
      {"train", {"box", "#ffd8b5"}},          {"extension", {"hexagon", "#ffebe9"}},
      {"evaluation", {"note", "#dafbe1"}},    {"experiment", {"box", "#ddf4ff"}},
      {"hypothesis", {"diamond", "#ffffff"}}, {"let", {"plaintext", "#ffffff"}},
  };
  const auto look = looks.find(declaration.kind);
  DotNode node;
  node.id = declaration.name;
  node.label = declaration.name + "\n" + declaration.kind +
               (declaration.variant.empty() ? "" : " : " + declaration.variant);
  if (look != looks.end()) {
    node.shape = look->second.shape;
    node.colour = look->second.colour;
  }
  node.bold = declaration.kind == "experiment";
  return node;
}

DotGraph declarations_graph(const language::References& references) {
  DotGraph graph;
  for (const auto& declaration : references.declarations) graph.nodes.push_back(node_of(declaration));
  for (const auto& r : references.references) {
    DotEdge edge{references.declarations[r.from].name, references.declarations[r.to].name, r.field, "solid"};
    if (r.kind == language::Reference::Kind::derivation) edge.style = "dashed";
    if (r.kind == language::Reference::Kind::override) edge.style = "dotted";
    // Several references of the same kind from one declaration to another become one arrow, labelled with all
    // their fields.
    if (!graph.edges.empty() && graph.edges.back().from == edge.from && graph.edges.back().to == edge.to &&
        graph.edges.back().style == edge.style)
      graph.edges.back().label += "\n" + edge.label;
    else
      graph.edges.push_back(std::move(edge));
  }
  return graph;
}

std::optional<std::string> dot_of_declarations(const GraphCommand& options, Console& console) {
  const auto references =
      language::references_of(options.program.file, check_options(options.program), options.program.name);
  if (!references.checked.diagnostics.empty()) console.err << diagnostics_text(references.checked, console);
  if (references.checked.has_errors()) return std::nullopt;
  if (!references.found) {
    const auto help = language::suggestion(options.program.name, references.known);
    throw UserError(options.program.file + " declares no " + options.program.name,
                    help.empty() ? "it declares " + language::enumeration(references.known) : help);
  }
  return dot_text(declarations_graph(references));
}

std::optional<std::string> dot_of_stages(const GraphCommand& options, Console& console) {
  const auto program = load_program(options.program, console);
  if (!program) return std::nullopt;
  if (program->jobs.size() != 1) {
    std::vector<std::string> names;
    for (const auto& job : program->jobs) names.push_back(job.plan.experiment);
    throw UserError(
        "a graph shows the stages of one experiment, but the file has " + std::to_string(names.size()),
        "Add one of " + language::enumeration(names) + " to the command.");
  }
  const Store store(options.program.store);
  return dot_text(
      stages_graph(program->jobs.front().plan, [&](const Stage& stage) { return store.has(stage.key); }));
}

int graph(const GraphCommand& options, Console& console) {
  auto text =
      options.of == "stages" ? dot_of_stages(options, console) : dot_of_declarations(options, console);
  if (!text) return failed;
  const bool svg = options.format.empty() ? options.file.ends_with(".svg") : options.format == "svg";
  if (svg) text = draw_with_dot(*text);
  if (options.file.empty())
    console.out << *text;
  else
    replace_text(options.file, *text);
  return fine;
}

}  // namespace

void add_graph(Command trl, Console& console, int& status) {
  auto options = std::make_shared<GraphCommand>();
  auto command = trl.add_command(
      "graph", "Draw the references between a file's declarations, or an experiment's stages");
  add_file(command, options->program);
  command
      .add_option("NAME", options->program.name,
                  "A declaration, drawn with everything that it reaches; with --of stages, an experiment")
      .type_name("");
  command.add_option("--of", options->of, "What to draw").one_of({"declarations", "stages"});
  command
      .add_option("--format", options->format,
                  "dot, Graphviz's language, or svg, which needs Graphviz; by default the ending "
                  "of --out decides")
      .one_of({"dot", "svg"});
  command.add_option("--out", options->file, "The file to write; by default standard output")
      .type_name("FILE");
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_examples(command,
               "  trl graph experiments/ablation.trl --out ablation.svg\n"
               "  trl graph experiments/ablation.trl ablation --of stages --out stages.svg\n"
               "Derivations are dashed, overrides dotted; stages that are done are grey.");
  command.callback([options, &console, &status] { status = graph(*options, console); });
}

}  // namespace trl::interpreter
