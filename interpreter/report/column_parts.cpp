#include "interpreter/report/column_parts.hpp"

#include <cmath>
#include <map>
#include <type_traits>

#include "base/contract/endpoint.hpp"
#include "base/contract/stages/kinds.hpp"

namespace trl::interpreter {
namespace {

/// The logarithm of a speed-up; nothing where none was measured.
std::optional<double> logarithm(double times) {
  return times > 0 ? std::optional(std::log(times)) : std::nullopt;
}

/// For each column, a function that returns what it counts: of a verdict for columns of answers, of a stage
/// for columns of stages.
namespace counting {

std::optional<double> valid(const Judged& one) { return one.verdict.valid; }
std::optional<double> compiled(const Judged& one) { return one.verdict.compiled; }
std::optional<double> correct(const Judged& one) { return one.verdict.correct; }
std::optional<double> values(const Judged& one) { return one.verdict.values; }
std::optional<double> masked_without_other(const Judged& one) {
  return one.verdict.correct && one.verdict.masked_without_other > 0;
}
std::optional<double> kernelbench(const Judged& one) { return one.verdict.kernelbench; }
std::optional<double> survives(const Judged& one) {
  return one.verdict.kernelbench.value_or(false) ? std::optional<double>(one.verdict.correct) : std::nullopt;
}
std::optional<double> pass_at(const Judged& one) {
  return one.first ? interpreter::pass_at(static_cast<int>(one.column.argument), one.samples, one.correct)
                   : std::nullopt;
}
std::optional<double> correct_after(const Judged& one) {
  return one.verdict.correct && one.verdict.turn <= one.column.argument;
}
std::optional<double> fast(const Judged& one) {
  return one.verdict.correct && one.verdict.speedup > one.column.argument;
}
std::optional<double> speedup(const Judged& one) {
  return one.verdict.correct ? logarithm(one.verdict.speedup) : std::nullopt;
}
std::optional<double> fast_over_compiled(const Judged& one) {
  const auto& times = one.verdict.over_compiled;
  return times ? std::optional<double>(*times > one.column.argument) : std::nullopt;
}
std::optional<double> speedup_over_compiled(const Judged& one) {
  return logarithm(one.verdict.over_compiled.value_or(0));
}
std::optional<double> purity(const Judged& one) { return one.verdict.correct; }
std::optional<double> kernel_share(const Judged& one) {
  return one.verdict.valid ? std::optional(one.verdict.kernel_share) : std::nullopt;
}

std::optional<double> tokens(const Evidence& evidence, const std::string& key) {
  const auto stage = evidence.store().stage(key);
  if (!contract::samples_answers(stage.at("kind").get<std::string>())) return std::nullopt;
  return stage.value("summary", nlohmann::json::object()).value("tokens", 0.0);
}
std::optional<double> cost(const Evidence& evidence, const std::string& key) {
  const auto stage = evidence.store().stage(key);
  const auto& kind = stage.at("kind");
  if (kind != "sample" && kind != "rollout" && kind != "verify" && kind != "finetune" && kind != "pretrain")
    return std::nullopt;
  return seconds_of(stage);
}
/// The stage's price in usd; nothing if the model runs here, or if its server declares no price.
std::optional<double> usd(const Evidence& evidence, const std::string& key) {
  const auto endpoint = evidence.plan().endpoints.find(key);
  if (endpoint == evidence.plan().endpoints.end() || !endpoint->second.price) return std::nullopt;
  return price_of(*endpoint->second.price, evidence.store().stage(key).at("summary"));
}

}  // namespace counting

template <ColumnName which>
using CountingOf = std::conditional_t<contract::facts_of(which).of_answers(), OfVerdict, OfStage>;

/// Returns the verify stages of a round whose verdicts a column of training answers counts.
std::vector<std::string> counted_in_round(const Column& column, const Round& round) {
  if (column.needs == ColumnNeeds::kept_verdicts)
    return round.purity.empty() ? std::vector<std::string>() : std::vector{round.purity};
  std::vector<std::string> stages = {round.verify};
  for (const auto& turn : round.later) stages.push_back(turn.verify);
  return stages;
}

/// Adds the amount that stages take, summed for the seed. A trace without such stages takes 0 in training,
/// and has no price.
void add_stages(const Column& column, const std::vector<std::string>& stages, const Trace& trace,
                const Evidence& evidence, std::vector<Part>& parts) {
  std::vector<Part> counted;
  for (const auto& key : stages)
    if (const auto amount = std::get<OfStage>(column.adds)(evidence, key))
      counted.push_back({trace.seed, "", *amount, 0, key, {}});
  if (counted.empty() && column.on == MeasuredOn::exam_stages) return;
  parts.push_back({trace.seed, "", 0, 1, "", {}});
  parts.insert(parts.end(), counted.begin(), counted.end());
}

std::vector<std::string> samples_of_exam(const Trace& trace) {
  std::vector<std::string> stages = {trace.exam_sample};
  for (const auto& turn : trace.exam_later) stages.push_back(turn.sample);
  return stages;
}

}  // namespace

std::variant<OfVerdict, OfStage> adds_of(ColumnName which) {
  switch (which) {
#define TRL_COLUMN(name, ...)                                     \
  case ColumnName::name: {                                        \
    const CountingOf<ColumnName::name> function = counting::name; \
    return function;                                              \
  }
#include "base/contract/columns.def"
  }
  return OfVerdict{};
}

void add_verdicts(const Column& column, const std::string& suite, std::uint64_t seed,
                  const std::vector<Verdict>& verdicts, std::vector<Part>& parts) {
  const auto adds = std::get<OfVerdict>(column.adds);
  struct OfTask {
    int correct = 0, samples = 0;
    bool asked = false;
  };
  // The counts are by the task's index, since tasks that differ only in sizes have the same key.
  std::map<std::size_t, OfTask> tasks;
  for (const auto& verdict : verdicts) {
    auto& task = tasks[verdict.task_number];
    task.samples += verdict.judged, task.correct += verdict.correct;
  }
  for (const auto& verdict : verdicts) {
    if (!suite.empty() && verdict.group != suite) continue;
    auto& task = tasks[verdict.task_number];
    const auto value =
        verdict.judged ? adds({column, verdict, task.samples, task.correct, !task.asked}) : std::nullopt;
    task.asked = task.asked || verdict.judged;
    parts.push_back({seed, verdict.task, value.value_or(0), value ? 1.0 : 0.0, verdict.stage, verdict.row});
  }
}

void add_round(const Column& column, const std::string& suite, std::uint64_t seed, const Round& round,
               const Evidence& evidence, std::vector<Part>& parts) {
  const auto adds = std::get<OfVerdict>(column.adds);
  for (const auto& stage : counted_in_round(column, round))
    for (const auto& verdict : evidence.verdicts(stage))
      if (verdict.judged && (suite.empty() || verdict.group == suite))
        if (const auto value = adds({column, verdict}))
          parts.push_back({seed, verdict.task, *value, 1, stage, verdict.row});
}

double amount_of(const Column& column, const std::vector<std::string>& stages, const Evidence& evidence) {
  double sum = 0;
  for (const auto& key : stages) sum += std::get<OfStage>(column.adds)(evidence, key).value_or(0);
  return sum;
}

std::vector<Part> parts_of(const Column& column, const Row& row, const Evidence& evidence) {
  std::vector<Part> parts;
  // Stages belong to no suite.
  if (!row.suite.empty() && !column.of_answers()) return parts;
  for (const auto& trace : row.traces) switch (column.on) {
      case MeasuredOn::exam_answers:
        add_verdicts(column, row.suite, trace.seed, evidence.exam(trace), parts);
        break;
      case MeasuredOn::training_answers:
        for (const auto& round : trace.rounds)
          add_round(column, row.suite, trace.seed, round, evidence, parts);
        break;
      case MeasuredOn::training_stages:
        // A server's model isn't trained: its tokens are those of the exam's answers.
        add_stages(column,
                   column.which == ColumnName::tokens && evidence.plan().endpoints.contains(trace.exam_sample)
                       ? samples_of_exam(trace)
                       : trace.training,
                   trace, evidence, parts);
        break;
      case MeasuredOn::exam_stages:
        add_stages(column, samples_of_exam(trace), trace, evidence, parts);
        break;
    }
  return parts;
}

}  // namespace trl::interpreter
