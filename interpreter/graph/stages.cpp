#include "interpreter/graph/stages.hpp"

#include <map>
#include <set>

namespace trl::interpreter {
namespace {

constexpr const char* grey = "#d0d7de";

std::string colour_of(const Stage& stage) {
  static const std::map<std::string, std::string> colours = {
      {"corpus", "#fff8c5"}, {"tokenizer", "#fff8c5"}, {"pretrain", "#ffd8b5"}, {"finetune", "#ffd8b5"},
      {"sample", "#ddf4ff"}, {"ask", "#ddf4ff"},       {"rollout", "#ddf4ff"},  {"verify", "#dafbe1"},
  };
  const auto colour = colours.find(stage.kind);
  return colour == colours.end() ? "#ffffff" : colour->second;
}

/// The last stage of a chain: its exam or, without one, the stage that trained last.
std::string end_of(const Trace& trace) {
  if (!trace.exam_later.empty()) return trace.exam_later.back().verify;
  if (!trace.exam_verify.empty()) return trace.exam_verify;
  return trace.training.empty() ? "" : trace.training.back();
}

}  // namespace

DotGraph stages_graph(const Plan& plan, const std::function<bool(const Stage&)>& done) {
  DotGraph graph;
  std::map<std::string, std::string> ids;
  for (const auto& [key, folder] : plan.models) {
    ids[key] = "model " + std::to_string(ids.size() + 1);
    graph.nodes.push_back({ids[key], "model\n" + folder.filename().string(), "cylinder", "#fbefff", false});
  }
  std::size_t finished = 0;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const Stage& stage = plan.stages[i];
    const bool has = done(stage);
    finished += has;
    ids[stage.key] = "stage " + std::to_string(i + 1);
    const std::size_t slash = stage.slot.rfind('/');
    const std::string what = stage.slot.substr(slash == std::string::npos ? 0 : slash + 1);
    graph.nodes.push_back({ids[stage.key],
                           what + "\n" + stage.slot.substr(0, slash == std::string::npos ? 0 : slash), "box",
                           has ? grey : colour_of(stage), false});
  }
  for (const Stage& stage : plan.stages)
    for (const auto& [name, key] : stage.inputs)
      if (const auto from = ids.find(key); from != ids.end())
        graph.edges.push_back({from->second, ids[stage.key], name, "solid"});
  const auto rows = plan.all_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = *rows[i];
    std::string label = row.label;
    for (const auto& other : row.same_as) label += "\n= " + other;
    const std::string id = "row " + std::to_string(i + 1);
    graph.nodes.push_back({id, label, "plaintext", "#ffffff", true});
    std::set<std::string> ends;
    for (const Trace& trace : row.traces)
      if (const auto end = ids.find(end_of(trace)); end != ids.end() && ends.insert(end->second).second)
        graph.edges.push_back({end->second, id, "", "bold"});
  }
  graph.title = plan.experiment + ": " + std::to_string(plan.stages.size()) + " stages, " +
                std::to_string(finished) + " done (grey)";
  return graph;
}

}  // namespace trl::interpreter
