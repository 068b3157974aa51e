#include "interpreter/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "ground/error.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// What a point is the mean of.
Mean mean_of(const std::string& y) {
  return y == "reward"    ? Mean::plain
         : y == "loss"    ? Mean::by_seed
         : y == "speedup" ? Mean::geometric
                          : Mean::share;
}

/// Adds what was measured of one round under one seed.
void add_round(const std::string& y, const Trace& trace, const Round& round, const Evidence& evidence,
               std::vector<Part>& into) {
  const auto& store = evidence.store();
  if (y == "loss") {
    const json summary = store.stage(round.finetune).at("summary");
    if (const json loss = summary.value("loss_last", json()); loss.is_number())
      into.push_back({trace.seed, "", loss, 1, "", {}});
    return;
  }
  const auto add = [&](const std::string& task, double value) {
    into.push_back({trace.seed, task, value, 1, "", {}});
  };
  if (y == "reward") {
    const auto tasks = store.result(round.draw).value("tasks.json");
    for (const auto& row : store.result(round.select).rows("rewards.jsonl"))
      add(tasks.at(row.at("task").get<std::size_t>()).at("key"), row.at("reward"));
  } else if (y == "purity") {
    if (!round.purity.empty())
      for (const auto& verdict : evidence.verdicts(round.purity)) add(verdict.task, verdict.correct);
  } else if (!round.verify.empty()) {
    for (const auto& verdict : evidence.verdicts(round.verify)) {
      if (y == "valid") add(verdict.task, verdict.valid);
      if (y == "compiled") add(verdict.task, verdict.compiled);
      if (y == "correct") add(verdict.task, verdict.correct);
      if (y == "speedup" && verdict.correct && verdict.speedup > 0)
        add(verdict.task, std::log(verdict.speedup));
    }
  }
}

std::optional<PlotPoint> point_of(const std::vector<Part>& parts, Mean mean) {
  const auto figure = level_of(parts, mean, Tasks::drawn);
  if (!figure.value) return std::nullopt;
  PlotPoint point;
  point.value = *figure.value, point.interval = figure.interval, point.n = figure.n,
  point.scope = figure.scope;
  return point;
}

}  // namespace

const std::vector<PlotMeasure>& plot_measures() {
  static const std::vector<PlotMeasure> measures = {
      {"reward", "mean reward of the round's candidates", "candidates"},
      {"loss", "loss at the end of the round's training", "seeds"},
      {"valid", "share of the round's candidates that are valid", "candidates"},
      {"compiled", "share of the round's candidates that compile", "candidates"},
      {"correct", "share of the round's candidates that are correct", "candidates"},
      {"speedup", "speedup of the round's correct candidates, geometric mean", "candidates"},
      {"purity", "share of the samples kept that the exam's protocol accepts", "samples"},
  };
  return measures;
}

const PlotMeasure& Plot::measure() const {
  const auto& all = plot_measures();
  return *std::find_if(all.begin(), all.end(), [this](const PlotMeasure& one) { return one.name == y; });
}

Plot parse_plot(const std::string& name, const json& plot) {
  const auto choice = [&](const char* field, const std::vector<std::string>& offered) {
    const std::string written = plot.value(field, offered.front());
    if (std::find(offered.begin(), offered.end(), written) == offered.end())
      throw UserError(fmt::format("plot {}: {} = {} isn't drawn by this version", name, field, written),
                      fmt::format("Use {}.", fmt::join(offered, ", ")));
    return written;
  };
  std::vector<std::string> measures;
  for (const PlotMeasure& measure : plot_measures()) measures.push_back(measure.name);
  choice("x", {"round"});
  return {name, choice("y", measures), choice("by", {"cell", "seed"}) == "seed"};
}

std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence) {
  std::vector<PlotPoint> points;
  for (const auto& row : evidence.plan().rows) {
    std::map<int, std::vector<Part>> over_seeds;
    const auto add = [&](const std::vector<Part>& parts, std::optional<std::uint64_t> seed, int round) {
      auto point = point_of(parts, mean_of(plot.y));
      if (!point) return;
      point->row = row.label;
      point->control = row.kind == Row::Kind::control;
      point->seed = seed;
      point->round = round;
      points.push_back(std::move(*point));
    };
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        std::vector<Part> parts;
        add_round(plot.y, trace, round, evidence, parts);
        add(parts, trace.seed, round.number);
        auto& all = over_seeds[round.number];
        all.insert(all.end(), parts.begin(), parts.end());
      }
    if (row.traces.size() > 1 && !plot.by_seed)
      for (const auto& [round, parts] : over_seeds) add(parts, {}, round);
  }
  return points;
}

std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points) {
  std::string text = "row,seed,round," + plot.y + ",n,low,high,about\n";
  for (const auto& point : points) {
    text += fmt::format("{},{},{},{:.12g},{},", csv_field(point.row),
                        point.seed ? std::to_string(*point.seed) : "all", point.round, point.value, point.n);
    text += point.interval ? fmt::format("{:.12g},{:.12g},{}\n", point.interval->low, point.interval->high,
                                         scope_name(point.scope))
                           : ",,\n";
  }
  return text;
}

}  // namespace trl::interpreter
