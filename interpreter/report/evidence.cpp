#include "interpreter/report/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/contract/protocol.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/imported.hpp"
#include "base/contract/stages/select.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Whether an exam's verdict counts for a share; nothing if the column isn't a share of samples.
std::optional<bool> counts(const Column& column, const Verdict& verdict) {
  if (column.name == "valid") return verdict.valid;
  if (column.name == "compiled") return verdict.compiled;
  if (column.name == "correct") return verdict.correct;
  if (column.name == "values") return verdict.values;
  if (column.name == "masked_without_other") return verdict.correct && verdict.masked_without_other > 0;
  if (column.name == "correct_after") return verdict.correct && verdict.turn <= column.argument;
  if (column.name == "kernelbench") return verdict.kernelbench.value_or(false);
  if (column.name == "fast") return verdict.correct && verdict.speedup > column.argument;
  if (column.name == "fast_over_compiled" && verdict.over_compiled)
    return *verdict.over_compiled > column.argument;
  return std::nullopt;
}

void add_exam(const Column& column, const Row& row, const Trace& trace, const Evidence& evidence,
              std::vector<Part>& parts) {
  add_verdicts(column, row.suite, trace.seed, evidence.exam(trace), parts);
}

void add_purity(const Row& row, const Trace& trace, const Evidence& evidence, std::vector<Part>& parts) {
  for (const auto& round : trace.rounds) {
    if (round.purity.empty()) continue;
    for (const auto& verdict : evidence.verdicts(round.purity))
      if (row.suite.empty() || verdict.group == row.suite)
        parts.push_back({trace.seed, verdict.task, double(verdict.correct), 1, round.purity, verdict.row});
  }
}

void add_kernel_shares(const Row& row, const Trace& trace, const Evidence& evidence,
                       std::vector<Part>& parts) {
  const auto add = [&](const std::string& verify) {
    for (const auto& verdict : evidence.verdicts(verify))
      if (verdict.valid && (row.suite.empty() || verdict.group == row.suite))
        parts.push_back({trace.seed, verdict.task, verdict.kernel_share, 1, verify, verdict.row});
  };
  for (const auto& round : trace.rounds) {
    add(round.verify);
    for (const auto& turn : round.later) add(turn.verify);
  }
}

/// What a stage adds to a row's seconds or tokens.
double cost_of(const Column& column, const json& stage) {
  const auto& kind = stage.at("kind");
  if (column.name == "tokens")
    return kind == "sample" ? stage.value("summary", json::object()).value("tokens", 0.0) : 0.0;
  if (kind != "sample" && kind != "verify" && kind != "finetune" && kind != "pretrain") return 0;
  return seconds_of(stage);
}

/// The price of an exam's answers; nothing where they are of a model here, or of one without a declared
/// price.
void add_price(const Row& row, const Trace& trace, const Evidence& evidence, std::vector<Part>& parts) {
  std::vector<std::string> asked = {trace.exam_sample};
  for (const auto& turn : trace.exam_later) asked.push_back(turn.sample);
  bool any = false;
  for (const auto& key : asked) {
    const auto endpoint = evidence.plan().endpoints.find(key);
    if (endpoint == evidence.plan().endpoints.end() || !endpoint->second.price || !row.suite.empty())
      continue;
    const auto usd = price_of(*endpoint->second.price, evidence.store().stage(key).at("summary"));
    if (!std::exchange(any, true)) parts.push_back({trace.seed, "", 0, 1, "", {}});
    parts.push_back({trace.seed, "", usd, 0, key, {}});
  }
}

void add_cost(const Column& column, const Trace& trace, const Evidence& evidence, std::vector<Part>& parts) {
  parts.push_back({trace.seed, "", 0, 1, "", {}});
  for (const auto& key : trace.training)
    if (const double amount = cost_of(column, evidence.store().stage(key)); amount > 0)
      parts.push_back({trace.seed, "", amount, 0, key, {}});
}

}  // namespace

void add_verdicts(const Column& column, const std::string& suite, std::uint64_t seed,
                  const std::vector<Verdict>& verdicts, std::vector<Part>& parts) {
  struct OfTask {
    int correct = 0, samples = 0;
    bool counted = false;
  };
  // By the task's number: tasks that differ only in sizes have one key.
  std::map<std::size_t, OfTask> tasks;
  for (const auto& verdict : verdicts) {
    auto& task = tasks[verdict.task_number];
    ++task.samples, task.correct += verdict.correct;
  }
  for (const auto& verdict : verdicts) {
    if (!suite.empty() && verdict.group != suite) continue;
    Part part{seed, verdict.task, 0, 0, verdict.stage, verdict.row};
    if (const auto yes = counts(column, verdict)) {
      part.sum = *yes, part.weight = 1;
    } else if (column.name == "survives") {
      if (verdict.kernelbench.value_or(false)) part.sum = verdict.correct, part.weight = 1;
    } else if (column.name == "speedup") {
      if (verdict.correct && verdict.speedup > 0) part.sum = std::log(verdict.speedup), part.weight = 1;
    } else if (column.name == "speedup_over_compiled") {
      if (const double times = verdict.over_compiled.value_or(0); times > 0)
        part.sum = std::log(times), part.weight = 1;
    } else if (column.name == "pass_at") {
      auto& task = tasks[verdict.task_number];
      const auto chance = pass_at(static_cast<int>(column.argument), task.samples, task.correct);
      if (chance && !task.counted) part.sum = *chance, part.weight = 1;
      task.counted = true;
    }
    parts.push_back(std::move(part));
  }
}

double amount_of(const Column& column, const std::vector<std::string>& stages, const Evidence& evidence) {
  double sum = 0;
  for (const auto& key : stages) sum += cost_of(column, evidence.store().stage(key));
  return sum;
}

std::vector<Verdict> read_verdicts(const Result& judged, const Result& about, bool compiled) {
  const auto tasks = tasks_of(about);
  std::vector<Verdict> verdicts;
  for (const auto& row : rows_as<contract::VerdictRow>(judged, "verdicts.jsonl")) {
    Verdict verdict;
    verdict.row = verdicts.size();
    verdict.task_number = row.task;
    verdict.sample = static_cast<int>(row.sample);
    const auto& task = tasks.at(verdict.task_number);
    verdict.task = task.key, verdict.id = task.id, verdict.name = task.name, verdict.group = task.suite;
    verdict.valid = row.valid, verdict.compiled = row.compiled.value_or(false);
    verdict.correct = row.correct, verdict.values = row.values;
    verdict.modelled = row.modelled, verdict.speedup = row.speedup;
    // Where torch.compile fails, its users have the eager module.
    if (compiled)
      verdict.over_compiled = row.correct && row.time_us.value_or(0) > 0
                                  ? row.compiled_us.value_or(row.reference_us.value_or(0)) / *row.time_us
                                  : 0;
    verdict.failed = row.failed, verdict.reason = row.reason, verdict.message = row.message;
    verdict.variation = row.variation, verdict.line = row.line;
    verdict.no_evidence = row.no_evidence;
    verdict.masked_without_other = row.masked_without_other;
    verdict.kernel_share = row.kernel_share.value_or(1);
    if (row.kernelbench) verdict.kernelbench = row.kernelbench->correct;
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::string evidence_sentence(const Evidence& evidence) {
  std::set<std::string> tasks, concerned;
  std::map<std::string, std::set<std::string>> by_variation;
  for (const auto& row : evidence.plan().rows)
    for (const auto& trace : row.traces) {
      for (const auto& verdict : evidence.exam(trace)) {
        const std::string task = verdict.group + "/" + verdict.name;
        tasks.insert(task);
        for (const auto& label : verdict.no_evidence)
          concerned.insert(task), by_variation[label].insert(task);
      }
    }
  if (concerned.empty()) return {};
  std::string listed;
  for (const auto& [label, named] : by_variation) {
    listed += (listed.empty() ? "" : "; ") + label + " for ";
    constexpr std::size_t most = 4;
    std::size_t number = 0;
    for (const auto& task : named)
      if (number++ < most) listed += (number == 1 ? "" : ", ") + task;
    if (named.size() > most) listed += fmt::format(" and {} more", named.size() - most);
  }
  return fmt::format(
      "{} of {} exam tasks {} a variation that a trivial answer passes, which is no evidence ({})",
      concerned.size(), tasks.size(), concerned.size() == 1 ? "has" : "have", listed);
}

std::string survival_sentence(const Evidence& evidence) {
  std::size_t judged = 0, accepted = 0, wrong = 0;
  std::map<std::string, std::size_t> reasons;
  std::set<std::string> seen;  // rows share exams
  for (const auto& row : evidence.plan().rows)
    for (const auto& trace : row.traces) {
      if (trace.exam_verify.empty() || !seen.insert(trace.exam_verify).second) continue;
      for (const auto& verdict : evidence.exam(trace)) {
        judged += verdict.kernelbench.has_value();
        if (!verdict.kernelbench.value_or(false)) continue;
        ++accepted;
        if (verdict.correct) continue;
        ++wrong, ++reasons[verdict.reason];
      }
    }
  if (judged == 0) return {};
  std::vector<std::pair<std::string, std::size_t>> by_number(reasons.begin(), reasons.end());
  std::stable_sort(by_number.begin(), by_number.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string why;
  for (const auto& [reason, number] : by_number)
    why += fmt::format("{}{} {}", why.empty() ? "" : ", ", reason, number);
  return fmt::format("KernelBench's protocol accepts {} of {} answers; {} of them {} correct{}", accepted,
                     judged, wrong, wrong == 1 ? "isn't" : "aren't", why.empty() ? "" : " (" + why + ")");
}

const std::vector<Verdict>& Evidence::verdicts(const std::string& verify_key) const {
  const auto found = verdicts_.find(verify_key);
  if (found != verdicts_.end()) return found->second;
  const Stage& stage = *plan_.find(verify_key);
  const auto& tasks = stage.inputs.at("tasks");
  const bool compiled =
      stage.kind == contract::ImportedSpec::kind
          ? store_.stage(verify_key).at("summary").at("compiled_timed").get<bool>()
          : contract::Protocol::read(stage.spec).second_baseline != contract::SecondBaseline::none;
  auto& verdicts = verdicts_[verify_key] =
      read_verdicts(store_.result(verify_key), store_.result(tasks), compiled);
  for (auto& verdict : verdicts) verdict.stage = verify_key;
  return verdicts;
}

const std::vector<Verdict>& Evidence::ended(const std::string& verify_key,
                                            const std::vector<Turn>& later) const {
  if (later.empty()) return verdicts(verify_key);
  const auto found = ended_.find(later.back().verify);
  if (found != ended_.end()) return found->second;
  auto ended = verdicts(verify_key);
  std::map<std::pair<std::size_t, int>, std::size_t> place;
  for (std::size_t i = 0; i < ended.size(); ++i) place[{ended[i].task_number, ended[i].sample}] = i;
  int turn = 1;
  for (const auto& stages : later) {
    ++turn;
    for (const auto& verdict : verdicts(stages.verify)) {
      auto& last = ended.at(place.at({verdict.task_number, verdict.sample}));
      last = verdict, last.turn = turn;
    }
  }
  return ended_[later.back().verify] = std::move(ended);
}

std::vector<std::string> idle_round_sentences(const Evidence& evidence) {
  constexpr std::size_t most_named = 6;
  const auto& store = evidence.store();
  std::map<std::string, bool> idle;  // by select stage: rows share rounds
  const auto is_idle = [&](const std::string& select) {
    const auto [known, added] = idle.try_emplace(select, false);
    if (added) {
      const auto rewards = rows_as<contract::Reward>(store.result(select), "rewards.jsonl");
      known->second = std::none_of(rewards.begin(), rewards.end(), [](const auto& one) { return one.kept; });
    }
    return known->second;
  };
  std::vector<std::string> sentences;
  for (const auto& row : evidence.plan().rows) {
    std::size_t rounds = 0;
    bool weighs = false;
    std::vector<std::string> found;
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        if (!store.has(round.select)) continue;
        ++rounds;
        if (!is_idle(round.select)) continue;
        found.push_back(row.traces.size() > 1 ? fmt::format("{} of seed {}", round.number, trace.seed)
                                              : std::to_string(round.number));
        if (const auto* stage = evidence.plan().find(round.select))
          weighs = contract::SelectSpec::read(stage->spec).weigh != contract::Weigh::none;
      }
    if (found.empty()) continue;
    const auto named = std::min(found.size(), most_named);
    auto listed =
        fmt::format("{}", fmt::join(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (named < found.size()) listed += fmt::format(" and {} more", found.size() - named);
    sentences.push_back(fmt::format(
        "`{}` learnt nothing from rewards in {} of {} (round {}): {}.", row_label(row), found.size(),
        counted(rounds, "round"), listed,
        weighs ? "no answer was worth more or less than another to its task" : "no answer was kept"));
  }
  return sentences;
}

const std::vector<Verdict>& Evidence::exam(const Trace& trace) const {
  static const std::vector<Verdict> none;
  return trace.exam_verify.empty() ? none : ended(trace.exam_verify, trace.exam_later);
}

std::vector<CandidatePlace> Evidence::candidates(const std::string& verify_key) const {
  const Stage* judging = plan_.find(verify_key);
  // Imported results lie beside the answers that they are of.
  const auto& judged =
      judging->kind == contract::ImportedSpec::kind ? verify_key : judging->inputs.at("candidates");
  const Stage* made_by = plan_.find(judged);
  std::vector<CandidatePlace> places;
  if (made_by->kind != "select") {
    for (std::size_t row = 0; row < verdicts(verify_key).size(); ++row) places.push_back({judged, row});
    return places;
  }
  std::map<std::tuple<std::size_t, std::int64_t, int>, CandidatePlace> place_of;
  const auto turns = contract::SelectSpec::read(made_by->spec).turns;
  for (int turn = 1; turn <= turns; ++turn) {
    const auto& sampled = made_by->inputs.at(contract::input_of_turn("candidates", turn));
    const auto candidates = rows_as<contract::Candidate>(store_.result(sampled), "candidates.jsonl");
    for (std::size_t row = 0; row < candidates.size(); ++row)
      place_of[{candidates[row].task, candidates[row].sample, turn}] = {sampled, row};
  }
  for (const auto& kept : rows_as<contract::Candidate>(store_.result(judged), "candidates.jsonl"))
    places.push_back(place_of.at({kept.task, kept.sample, kept.turn}));
  return places;
}

std::vector<Part> parts_of(const Column& column, const Row& row, const Evidence& evidence) {
  std::vector<Part> parts;
  for (const auto& trace : row.traces) {
    if (column.name == "purity")
      add_purity(row, trace, evidence, parts);
    else if (column.name == "kernel_share")
      add_kernel_shares(row, trace, evidence, parts);
    else if (column.name == "usd")
      add_price(row, trace, evidence, parts);
    else if (column.name == "cost" || column.name == "tokens")
      add_cost(column, trace, evidence, parts);
    else
      add_exam(column, row, trace, evidence, parts);
  }
  return parts;
}

}  // namespace trl::interpreter
