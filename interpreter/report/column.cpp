#include "interpreter/report/column.hpp"

#include <cmath>
#include <map>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

const std::vector<Column>& known_columns() {
  using Unit = Column::Unit;
  static const std::vector<Column> columns = {
      {"", "valid", "exam samples", "the answer parses and runs to a launch plan", Unit::percent, false,
       "valid", 0},
      {"", "compiled", "exam samples", "every kernel compiles for the named GPU", Unit::percent, false,
       "compiled", 0},
      {"", "correct", "exam samples", "every variation has the reference's values, and no memory error",
       Unit::percent, false, "correct", 0},
      {"", "values", "exam samples", "every variation has the reference's values, memory errors aside",
       Unit::percent, false, "values", 0},
      {"", "pass@{}", "exam tasks", "chance that one of {} samples is correct", Unit::percent, false,
       "pass_at", 1},
      {"", "fast({})", "exam samples", "correct, and more than {} times as fast as the reference",
       Unit::percent, false, "fast", 1},
      {"", "speedup", "correct samples", "geometric mean over the correct samples, times", Unit::factor,
       false, "speedup", 0},
      {"", "purity", "kept samples", "share of the samples trained on that the exam's protocol accepts",
       Unit::percent, false, "purity", 0},
      {"", "tokens", "seeds", "tokens sampled in training, mean over seeds", Unit::count, false, "tokens", 0},
      {"", "cost", "seeds", "measured seconds of sampling, verifying and training, mean over seeds",
       Unit::seconds, true, "cost", 0},
  };
  return columns;
}

void count(Cluster& cluster, bool yes) { cluster.sum += yes, cluster.weight += 1; }

/// Adds one seed's exam to the clusters.
void measure_exam(const Column& column, const Trace& trace, const Plan& plan, const Store& store,
                  Measurement& into) {
  if (trace.exam_verify.empty()) return;
  std::vector<std::string> order;
  std::map<std::string, std::vector<Verdict>> by_task;
  for (auto& verdict : read_verdicts(store, plan, trace.exam_verify)) {
    if (!by_task.contains(verdict.task)) order.push_back(verdict.task);
    by_task[verdict.task].push_back(verdict);
  }
  for (const auto& task : order) {
    Cluster cluster{trace.seed, task, 0, 0};
    int correct = 0;
    for (const auto& verdict : by_task[task]) {
      correct += verdict.correct;
      if (column.name == "valid") count(cluster, verdict.valid);
      if (column.name == "compiled") count(cluster, verdict.compiled);
      if (column.name == "correct") count(cluster, verdict.correct);
      if (column.name == "values") count(cluster, verdict.values);
      if (column.name == "fast") count(cluster, verdict.correct && verdict.speedup > column.argument);
      if (column.name == "speedup" && verdict.correct && verdict.speedup > 0)
        cluster.sum += std::log(verdict.speedup), cluster.weight += 1;
    }
    if (column.name == "pass_at") {
      const auto chance =
          pass_at(static_cast<int>(column.argument), static_cast<int>(by_task[task].size()), correct);
      if (chance) cluster.sum = *chance, cluster.weight = 1;
    }
    into.clusters.push_back(std::move(cluster));
  }
}

void measure_purity(const Trace& trace, const Plan& plan, const Store& store, Measurement& into) {
  std::map<std::string, Cluster> by_task;
  for (const auto& round : trace.rounds) {
    if (round.purity.empty()) continue;
    for (const auto& verdict : read_verdicts(store, plan, round.purity)) {
      auto& cluster =
          by_task.try_emplace(verdict.task, Cluster{trace.seed, verdict.task, 0, 0}).first->second;
      count(cluster, verdict.correct);
    }
  }
  for (auto& [task, cluster] : by_task) into.clusters.push_back(std::move(cluster));
}

}  // namespace

Column parse_column(const json& written) {
  std::string name;
  std::vector<double> arguments;
  if (written.is_string()) name = written;
  if (written.is_object()) {
    name = written.value("call", written.value("name", std::string()));
    for (const auto& argument : written.value("args", json::array()))
      arguments.push_back(argument.get<double>());
  }
  std::string all;
  for (Column column : known_columns()) {
    all += (all.empty() ? "" : ", ") + column.name;
    if (column.name != name) continue;
    if (!arguments.empty()) column.argument = arguments.front();
    column.id = column.argument > 0 ? fmt::format("{}({})", name, column.argument) : name;
    column.title = fmt::format(fmt::runtime(column.title), column.argument);
    column.meaning = name == "pass_at" && column.argument == 1 ? "chance that a sample is correct"
                     : name == "fast" && column.argument == 1
                         ? "correct, and faster than the reference"
                         : fmt::format(fmt::runtime(column.meaning), column.argument);
    return column;
  }
  throw UserError("there is no column " + (name.empty() ? written.dump() : name),
                  "Columns are: " + all + ".");
}

std::vector<Verdict> read_verdicts(const Store& store, const Plan& plan, const std::string& verify_key) {
  const Stage* stage = plan.find(verify_key);
  const auto tasks = read_json(store.file(stage->inputs.at("tasks"), "tasks.json"));
  std::vector<Verdict> verdicts;
  for (const auto& row : read_json_lines(store.file(verify_key, "verdicts.jsonl"))) {
    Verdict verdict;
    verdict.task = tasks.at(row.at("task").get<std::size_t>()).at("key");
    verdict.valid = row.at("valid");
    verdict.compiled = row.at("compiled").is_boolean() && row["compiled"].get<bool>();
    verdict.correct = row.at("correct");
    verdict.values =
        row.contains("values") && row["values"].is_boolean() ? row["values"].get<bool>() : verdict.correct;
    verdict.speedup = row.at("speedup").is_number() ? row["speedup"].get<double>() : 0.0;
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

Measurement measure(const Column& column, const Row& row, const Plan& plan, const Store& store) {
  Measurement measurement;
  measurement.geometric = column.unit == Column::Unit::factor;
  for (const auto& trace : row.traces) {
    if (column.name == "purity") {
      measure_purity(trace, plan, store, measurement);
    } else if (column.name == "cost") {
      Cluster cluster{trace.seed, "", 0, 1};
      for (const auto& key : trace.training) {
        const auto stage = store.stage(key);
        const auto& kind = stage.at("kind");
        if (kind == "sample" || kind == "verify" || kind == "finetune" || kind == "pretrain")
          cluster.sum += stage.at("seconds").get<double>();
      }
      measurement.clusters.push_back(cluster);
    } else if (column.name == "tokens") {
      Cluster cluster{trace.seed, "", 0, 1};
      for (const auto& key : trace.training) {
        const auto stage = store.stage(key);
        if (stage.at("kind") == "sample") cluster.sum += stage.at("summary").value("tokens", 0.0);
      }
      measurement.clusters.push_back(cluster);
    } else {
      measure_exam(column, trace, plan, store, measurement);
    }
  }
  return measurement;
}

std::optional<double> pass_at(int k, int n, int c) {
  if (k > n || k < 1) return std::nullopt;
  if (n - c < k) return 1.0;
  double none = 1;
  for (int i = n - c + 1; i <= n; ++i) none *= 1.0 - double(k) / i;
  return 1 - none;
}

}  // namespace trl::interpreter
