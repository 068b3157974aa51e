#include "interpreter/report/evidence.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/contract/protocol.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/generations.hpp"
#include "base/contract/stages/imported.hpp"
#include "base/contract/stages/select.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {

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
    verdict.judged = row.judged();
    verdict.correct = row.correct, verdict.values = row.values;
    verdict.modelled = row.modelled, verdict.speedup = row.speedup;
    // If torch.compile fails, its users get the eager module, so its time counts.
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
    verdict.kernelbench_unasked = row.kernelbench && !row.kernelbench->correct;
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
  std::size_t judged = 0, unasked = 0, accepted = 0, wrong = 0;
  std::map<std::string, std::size_t> reasons;
  std::set<std::string> seen;  // rows share exams
  for (const auto& row : evidence.plan().rows)
    for (const auto& trace : row.traces) {
      if (trace.exam_verify.empty() || !seen.insert(trace.exam_verify).second) continue;
      for (const auto& verdict : evidence.exam(trace)) {
        judged += verdict.kernelbench.has_value(), unasked += verdict.kernelbench_unasked;
        if (!verdict.kernelbench.value_or(false)) continue;
        ++accepted;
        if (verdict.correct) continue;
        ++wrong, ++reasons[verdict.reason];
      }
    }
  if (judged + unasked == 0) return {};
  std::vector<std::pair<std::string, std::size_t>> by_number(reasons.begin(), reasons.end());
  std::stable_sort(by_number.begin(), by_number.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string why;
  for (const auto& [reason, number] : by_number)
    why += fmt::format("{}{} {}", why.empty() ? "" : ", ", reason, number);
  return fmt::format(
      "KernelBench's protocol accepts {} of {} answers; {} of them {} correct{}{}", accepted, judged, wrong,
      wrong == 1 ? "isn't" : "aren't", why.empty() ? "" : " (" + why + ")",
      unasked == 0 ? ""
                   : fmt::format("; of {} more it couldn't be asked, since rules or limits of this verifier "
                                 "refuse them before they run",
                                 unasked));
}

std::string unjudged_sentence(const Evidence& evidence) {
  std::size_t answers = 0, unjudged = 0;
  std::map<std::string, std::size_t> messages;
  std::set<std::string> seen;  // rows share exams
  for (const auto& row : evidence.plan().rows)
    for (const auto& trace : row.traces) {
      if (trace.exam_verify.empty() || !seen.insert(trace.exam_verify).second) continue;
      for (const auto& verdict : evidence.exam(trace)) {
        ++answers;
        if (verdict.judged) continue;
        ++unjudged, ++messages[verdict.message];
      }
    }
  if (unjudged == 0) return {};
  const auto& [message, most] = *std::max_element(
      messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return fmt::format("{} of {} {} not judged, and no column counts {} ({}: {}{})", unjudged,
                     counted(answers, "exam answer"), unjudged == 1 ? "was" : "were",
                     unjudged == 1 ? "it" : "them", most, message,
                     messages.size() > 1 ? "; the others for other reasons" : "");
}

std::vector<std::string> absent_sentences(const Evidence& evidence) {
  std::vector<std::string> sentences;
  for (const auto& row : evidence.plan().rows) {
    // The answers in a folder of generations are the same under every seed.
    const auto found = std::find_if(row.traces.begin(), row.traces.end(), [&](const Trace& trace) {
      const auto* stage = evidence.plan().find(trace.exam_sample);
      return stage != nullptr && stage->kind == contract::GenerationsSpec::kind &&
             evidence.store().has(trace.exam_sample);
    });
    if (found == row.traces.end()) continue;
    const auto summary = evidence.store().stage(found->exam_sample).at("summary");
    const auto absent = summary.value("absent", std::size_t{0});
    if (absent == 0) continue;
    const auto all = summary.value("candidates", std::size_t{0});
    sentences.push_back(
        fmt::format("{} of the {} of `{}` {} absent from the folder, and {}, as in KernelBench's own "
                    "analysis; the other {} were judged.",
                    absent, counted(all, "answer"), row_label(row), absent == 1 ? "is" : "are",
                    absent == 1 ? "counts as a wrong one" : "count as wrong ones", all - absent));
  }
  return sentences;
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

namespace {

/// Returns the reason why rewards taught nothing in a round that kept no answer with a weight other than 0.
std::string why_idle(const contract::SelectSpec& spec) {
  if (spec.weigh == contract::Weigh::none) return "no answer was kept";
  const bool some = !spec.keeps_all() && spec.weigh != contract::Weigh::pairs;
  return std::string(some ? "no answer that was kept" : "no answer") +
         " was worth more or less than another to its task";
}

}  // namespace

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
    std::string why;
    std::vector<std::string> found;
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        if (!store.has(round.select)) continue;
        ++rounds;
        if (!is_idle(round.select)) continue;
        found.push_back(row.traces.size() > 1 ? fmt::format("{} of seed {}", round.number, trace.seed)
                                              : std::to_string(round.number));
        if (const auto* stage = evidence.plan().find(round.select))
          why = why_idle(contract::SelectSpec::read(stage->spec));
      }
    if (found.empty()) continue;
    const auto named = std::min(found.size(), most_named);
    auto listed =
        fmt::format("{}", fmt::join(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (named < found.size()) listed += fmt::format(" and {} more", found.size() - named);
    sentences.push_back(fmt::format("`{}` learnt nothing from rewards in {} of {} (round {}): {}.",
                                    row_label(row), found.size(), counted(rounds, "round"), listed, why));
  }
  return sentences;
}

const std::vector<Verdict>& Evidence::exam(const Trace& trace) const {
  static const std::vector<Verdict> none;
  return trace.exam_verify.empty() ? none : ended(trace.exam_verify, trace.exam_later);
}

std::vector<CandidatePlace> Evidence::candidates(const std::string& verify_key) const {
  const Stage* judging = plan_.find(verify_key);
  // Imported results have their answers in the same stage.
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

}  // namespace trl::interpreter
