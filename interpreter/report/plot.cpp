#include "interpreter/report/plot.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "base/contract/measures.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/support/error.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/store/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Returns the kind of mean that a point shows.
Mean mean_of(const Plot& plot) {
  if (plot.column) return plot.column->mean;
  const auto& y = plot.y.name;
  return y == "reward" || y == "plan_reward"                             ? Mean::plain
         : y == "loss" || y == "entropy" || y == "kl" || plot.y.of_steps ? Mean::by_seed
                                                                         : Mean::share;
}

/// Whether every value of the measure is from 0 to 1. For rewards, the rule `reward_range` has proven it.
bool is_share(const Plot& plot) {
  if (plot.y.name == "reward" || plot.y.name == "plan_reward") return true;
  if (plot.column) return plot.column->unit == Column::Unit::percent;
  if (mean_of(plot) == Mean::share) return true;
  const auto all = contract::measures();
  return plot.y.of_steps && std::any_of(all.begin(), all.end(), [&](const contract::Measure& one) {
           return one.of_step && one.name == plot.y.name && one.unit == "share";
         });
}

/// The stages of one round under one seed whose results a point of a plot shows.
struct Answers {
  std::uint64_t seed = 0;
  std::string sample, verify;
  std::vector<Turn> later;       ///< turns after the first
  const Round* round = nullptr;  ///< null for the answers to `dev`
};

/// Adds a number from a stage's summary, if the summary has it.
void add_summary(const std::string& stage, const char* field, const Answers& answers,
                 const Evidence& evidence, std::vector<Part>& into) {
  const json summary = evidence.store().stage(stage).at("summary");
  if (const json number = summary.value(field, json()); number.is_number())
    into.push_back({answers.seed, "", number, 1, "", {}});
}

/// Adds the mean of a metric over a stage's training steps, if it was reported.
void add_steps(const std::string& stage, const std::string& measure, const Answers& answers,
               const Evidence& evidence, std::vector<Part>& into) {
  const auto result = evidence.store().result(stage);
  if (!std::filesystem::exists(result.folder() / "metrics.jsonl")) return;
  double sum = 0;
  int steps = 0;
  for (const auto& row : result.rows("metrics.jsonl"))
    if (row.at("name") == measure) sum += row.at("value").get<double>(), ++steps;
  if (steps > 0) into.push_back({answers.seed, "", sum / steps, 1, "", {}});
}

void add_candidates(const std::string& y, const Answers& answers, const Evidence& evidence,
                    std::vector<Part>& into) {
  const auto& store = evidence.store();
  const auto tasks = tasks_of(store.result(evidence.plan().find(answers.sample)->inputs.at("tasks")));
  auto candidates = rows_as<contract::Candidate>(store.result(answers.sample), "candidates.jsonl");
  for (const auto& turn : answers.later)
    for (auto& one : rows_as<contract::Candidate>(store.result(turn.sample), "candidates.jsonl"))
      candidates.push_back(std::move(one));
  std::set<std::pair<std::size_t, std::string_view>> seen;
  for (const auto& one : candidates) {
    const bool counts = y == "truncated" ? one.finish == "length" : seen.emplace(one.task, one.answer).second;
    into.push_back({answers.seed, tasks.at(one.task).key, double(counts), 1, "", {}});
  }
}

/// Adds the numbers that were measured in one round under one seed.
void add_answers(const Plot& plot, const Answers& answers, const Evidence& evidence,
                 std::vector<Part>& into) {
  const auto& store = evidence.store();
  const auto& y = plot.y.name;
  if (plot.column && plot.column->on == MeasuredOn::training_answers) {
    add_round(*plot.column, "", answers.seed, *answers.round, evidence, into);
  } else if (plot.column) {
    if (!answers.verify.empty())
      add_verdicts(*plot.column, "", answers.seed, evidence.ended(answers.verify, answers.later), into);
  } else if (y == "truncated" || y == "distinct") {
    add_candidates(y, answers, evidence, into);
  } else if (y == "entropy" || y == "kl") {
    add_summary(answers.sample, y.c_str(), answers, evidence, into);
  } else if (y == "loss") {
    add_summary(answers.round->finetune, "loss_last", answers, evidence, into);
  } else if (plot.y.of_steps) {
    add_steps(answers.round->finetune, y, answers, evidence, into);
  } else if (y == "reward" || y == "plan_reward") {
    const auto tasks = store.result(answers.round->draw).value("tasks.json");
    for (const auto& row : store.result(answers.round->select).rows("rewards.jsonl"))
      if (row.contains(y))
        into.push_back(
            {answers.seed, tasks.at(row.at("task").get<std::size_t>()).at("key"), row.at(y), 1, "", {}});
  }
}

std::optional<PlotPoint> point_of(const std::vector<Part>& parts, const Plot& plot) {
  const auto figure = level_of(parts, mean_of(plot), plot.on_dev ? Tasks::crossed : Tasks::drawn);
  if (!figure.value) return std::nullopt;
  PlotPoint point;
  point.value = *figure.value, point.interval = figure.interval, point.n = figure.n,
  point.scope = figure.scope;
  // An interval that is cut to the measure's possible values contains the true mean as often as before.
  if (point.interval && is_share(plot)) {
    point.interval->low = std::clamp(point.interval->low, 0.0, 1.0);
    point.interval->high = std::clamp(point.interval->high, 0.0, 1.0);
  }
  return point;
}

/// Returns the training stages up to the end of a round. Round 0 is the time before the first round.
std::vector<std::string> stages_until(int round, const Trace& trace) {
  std::vector<std::string> stages;
  const std::string last = round == 0 ? "" : trace.rounds.at(static_cast<std::size_t>(round) - 1).finetune;
  const std::string first = trace.rounds.empty() ? "" : trace.rounds.front().sample;
  for (const auto& key : trace.training) {
    if (round == 0 && key == first) break;
    stages.push_back(key);
    if (key == last) break;
  }
  return stages;
}

/// Returns the amount of training at the end of a round: the round's number, or the sum over all training
/// stages until then.
double taken(Plot::Axis axis, const Trace& trace, int round, const Evidence& evidence) {
  if (axis == Plot::Axis::round) return round;
  const auto stages = stages_until(round, trace);
  if (axis != Plot::Axis::candidates)
    return amount_of(column_of(axis == Plot::Axis::tokens ? ColumnName::tokens : ColumnName::cost), stages,
                     evidence);
  double candidates = 0;
  for (const auto& key : stages)
    if (const auto stage = evidence.store().stage(key);
        contract::samples_answers(stage.at("kind").get<std::string>()))
      candidates += stage.at("summary").value("candidates", 0.0);
  return candidates;
}

/// Returns the measure for a plot whose `y` names this column.
PlotMeasure measure_of(const contract::ColumnFacts& column) {
  PlotMeasure measure{
      std::string(column.name), std::string(column.axis), "answers", true, false, column.which};
  if (column.on == MeasuredOn::training_answers) measure.of = "samples", measure.on_dev = false;
  if (!column.of_answers()) measure.of = "seeds";
  return measure;
}

constexpr std::array<std::pair<Plot::Axis, const char*>, 4> axes = {{{Plot::Axis::round, "round"},
                                                                     {Plot::Axis::tokens, "tokens"},
                                                                     {Plot::Axis::candidates, "candidates"},
                                                                     {Plot::Axis::cost, "cost"}}};

}  // namespace

std::string axis_name(Plot::Axis axis) {
  for (const auto& [one, name] : axes)
    if (one == axis) return name;
  return {};
}

const std::vector<PlotMeasure>& plot_measures() {
  static const std::vector<PlotMeasure> measures = [] {
    std::vector<PlotMeasure> all = {
        {"reward", "mean reward of the round's candidates", "candidates"},
        {"loss", "loss at the end of the round's training", "seeds"},
        {"truncated", "share of the answers that were cut off", "answers", true},
        {"distinct", "distinct answers to a task for each answer", "answers", true},
        {"entropy", "entropy of the model's next token, nats", "seeds"},
        {"kl", "divergence from the base model, nats a token", "seeds"},
        {"plan_reward", "mean reward of the round's plans", "candidates"},
    };
    for (const auto& column : contract::columns)
      if (!column.axis.empty()) all.push_back(measure_of(column));
    for (const auto& measure : contract::measures())
      if (!measure.title.empty())
        all.push_back({std::string(measure.name), std::string(measure.title), "seeds", false, true});
    return all;
  }();
  return measures;
}

Plot parse_plot(const std::string& name, const json& plot) {
  const auto choice = [&](const char* field, const std::vector<std::string>& offered) {
    const std::string written = plot.value(field, offered.front());
    if (std::find(offered.begin(), offered.end(), written) == offered.end())
      throw UserError(fmt::format("plot {}: {} = {} isn't drawn by this version", name, field, written),
                      fmt::format("Use {}.", fmt::join(offered, ", ")));
    return written;
  };
  Plot out;
  out.name = name;
  std::vector<std::string> offered;
  for (const auto& [axis, word] : axes) offered.emplace_back(word);
  const auto x = choice("x", offered);
  for (const auto& [axis, word] : axes)
    if (x == word) out.x = axis;
  out.on_dev = choice("on", {"training", "dev"}) == "dev";
  out.by_seed = choice("by", {"cell", "seed"}) == "seed";
  const json y = plot.value("y", json("reward"));
  for (const PlotMeasure& measure : plot_measures())
    if (y == measure.name) out.y = measure;
  if (out.y.name.empty() || out.y.column) out.column = parse_column(y);
  if (out.y.name.empty() && out.column->on != MeasuredOn::exam_answers)
    throw UserError(fmt::format("plot {}: {} isn't drawn by this version", name, out.column->id),
                    "Use a column of the exam's answers.");
  if (out.y.name.empty()) out.y = {out.column->id, out.column->title + " of the answers", "answers", true};
  if (out.on_dev && !out.y.on_dev)
    throw UserError(fmt::format("plot {}: answers to `dev` have no {}", name, out.y.name),
                    "Write `on = training`, or a column of tables.");
  return out;
}

std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence) {
  struct OfRound {
    std::vector<Part> parts;
    double x = 0;
    int seeds = 0;
  };
  const bool amount = plot.column && !plot.column->of_answers();
  std::vector<PlotPoint> points;
  for (const auto& row : evidence.plan().rows) {
    std::map<int, OfRound> over_seeds;
    const auto add = [&](const std::vector<Part>& parts, std::optional<std::uint64_t> seed, int round,
                         double x) {
      auto point = point_of(parts, plot);
      if (!point) return;
      point->row = row.label;
      point->control = row.kind == Row::Kind::control;
      point->seed = seed;
      point->round = round, point->x = x;
      points.push_back(std::move(*point));
    };
    for (const auto& trace : row.traces) {
      std::map<int, Answers> rounds;
      if (plot.on_dev)
        for (const auto& dev : trace.dev) rounds[dev.round] = {trace.seed, dev.sample, dev.verify, dev.later};
      else
        for (const auto& round : trace.rounds)
          rounds[round.number] = {trace.seed, round.sample, round.verify, round.later, &round};
      for (const auto& [number, answers] : rounds) {
        std::vector<Part> parts;
        if (amount)
          parts.push_back(
              {trace.seed, "", amount_of(*plot.column, stages_until(number, trace), evidence), 1, "", {}});
        else
          add_answers(plot, answers, evidence, parts);
        const double x = taken(plot.x, trace, number, evidence);
        add(parts, trace.seed, number, x);
        auto& all = over_seeds[number];
        all.parts.insert(all.parts.end(), parts.begin(), parts.end());
        all.x += x, ++all.seeds;
      }
    }
    if (row.traces.size() > 1 && !plot.by_seed)
      for (const auto& [round, all] : over_seeds) add(all.parts, {}, round, all.x / all.seeds);
  }
  return points;
}

std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points) {
  const bool amount = plot.x != Plot::Axis::round;
  std::string text = "row,seed,round," + (amount ? axis_name(plot.x) + "," : "") + csv_field(plot.y.name) +
                     ",n,low,high,about\n";
  for (const auto& point : points) {
    text += fmt::format("{},{},{},", csv_field(point.row), point.seed ? std::to_string(*point.seed) : "all",
                        point.round);
    if (amount) text += fmt::format("{:.12g},", point.x);
    text += fmt::format("{:.12g},{},", point.value, point.n);
    text += point.interval ? fmt::format("{:.12g},{:.12g},{}\n", point.interval->low, point.interval->high,
                                         scope_name(point.scope))
                           : ",,\n";
  }
  return text;
}

}  // namespace trl::interpreter
