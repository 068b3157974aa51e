#include "interpreter/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/escape.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Adds what one round under one seed measured.
void add_round(const std::string& y, const Trace& trace, const Round& round, const Evidence& evidence,
               Measurement& into) {
  const auto& store = evidence.store();
  if (y == "loss") {
    const json summary = store.stage(round.finetune).at("summary");
    if (const json loss = summary.value("loss_last", json()); loss.is_number())
      into.clusters.push_back({trace.seed, "", loss, 1});
    return;
  }
  std::map<std::string, Cluster> by_task;
  const auto add = [&](const std::string& task, double value) {
    auto& cluster = by_task.try_emplace(task, Cluster{trace.seed, task, 0, 0}).first->second;
    cluster.sum += value, cluster.weight += 1;
  };
  if (y == "reward") {
    const auto tasks = read_json(store.file(round.draw, "tasks.json"));
    for (const auto& row : read_json_lines(store.file(round.select, "rewards.jsonl")))
      add(tasks.at(row.at("task").get<std::size_t>()).at("key"), row.at("reward"));
  } else if (const auto& key = y == "correct" ? round.verify : round.purity; !key.empty()) {
    for (const auto& verdict : evidence.verdicts(key)) add(verdict.task, verdict.correct);
  }
  for (auto& [task, cluster] : by_task) into.clusters.push_back(std::move(cluster));
}

std::optional<PlotPoint> point_of(const Measurement& measurement) {
  const auto value = measurement.estimate();
  if (!value) return std::nullopt;
  PlotPoint point;
  point.value = *value;
  point.interval = bootstrap(measurement);
  point.n = static_cast<int>(std::lround(measurement.weight()));
  return point;
}

}  // namespace

Plot parse_plot(const std::string& name, const json& plot) {
  const auto text = [&](const char* field, const char* otherwise) {
    return plot.value(field, std::string(otherwise));
  };
  const Plot parsed{name, text("y", "reward")};
  const auto x = text("x", "round"), by = text("by", "cell");
  if (x != "round")
    throw UserError("plot " + name + ": x = " + x + " isn't drawn by this version", "Use x = round.");
  if (by != "cell" && by != "control")
    throw UserError("plot " + name + ": by = " + by + " isn't drawn by this version", "Use by = cell.");
  static const std::vector<std::string> known = {"reward", "loss", "correct", "purity"};
  if (std::find(known.begin(), known.end(), parsed.y) == known.end())
    throw UserError("plot " + name + ": y = " + parsed.y + " isn't drawn by this version",
                    "Use reward, loss, correct or purity.");
  return parsed;
}

std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence) {
  std::vector<PlotPoint> points;
  for (const auto& row : evidence.plan().rows) {
    std::map<int, Measurement> over_seeds;
    const auto add = [&](const Measurement& measurement, std::optional<std::uint64_t> seed, int round) {
      auto point = point_of(measurement);
      if (!point) return;
      point->row = row.label;
      point->control = row.kind == Row::Kind::control;
      point->seed = seed;
      point->round = round;
      points.push_back(std::move(*point));
    };
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        Measurement measurement;
        add_round(plot.y, trace, round, evidence, measurement);
        add(measurement, trace.seed, round.number);
        auto& all = over_seeds[round.number].clusters;
        all.insert(all.end(), measurement.clusters.begin(), measurement.clusters.end());
      }
    if (row.traces.size() > 1)
      for (const auto& [round, measurement] : over_seeds) add(measurement, {}, round);
  }
  return points;
}

std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points) {
  std::string text = "row,seed,round," + plot.y + ",n,low,high\n";
  for (const auto& point : points) {
    text += fmt::format("{},{},{},{:.12g},{},", csv_field(point.row),
                        point.seed ? std::to_string(*point.seed) : "all", point.round, point.value, point.n);
    if (point.interval) text += fmt::format("{:.12g},{:.12g}", point.interval->low, point.interval->high);
    text += point.interval ? "\n" : ",\n";
  }
  return text;
}

}  // namespace trl::interpreter
