#include "interpreter/report/series.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "interpreter/report/inference.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr std::string_view round_word = "round ";

/// The round in a slot: 2 of "reinforce/round 2/sample"; none of "exam/verify".
std::optional<std::int64_t> round_of(const std::string& slot) {
  const auto at = slot.find(round_word);
  if (at == std::string::npos) return std::nullopt;
  std::int64_t round = 0;
  std::from_chars(slot.data() + at + round_word.size(), slot.data() + slot.size(), round);
  return round;
}

/// "reinforce/sample" of "reinforce/round 2/sample".
std::string without_round(const std::string& slot) {
  const auto at = slot.find(round_word);
  if (at == std::string::npos) return slot;
  const auto end = slot.find('/', at);
  return slot.substr(0, at) + (end == std::string::npos ? "" : slot.substr(end + 1));
}

double made_at(const Store& store, const std::string& key) {
  struct stat status {};
  return ::stat((store.folder(key) / "stage.json").c_str(), &status) == 0 ? double(status.st_mtime) : 0;
}

/// Adds what the stages of one row under one seed measured.
class Chain {
 public:
  Chain(const Row& row, const Trace& trace, const Evidence& evidence, std::vector<Measured>& into)
      : trace_(trace), evidence_(evidence), into_(into) {
    start_.row = row.label, start_.seed = trace.seed;
  }

  /// The shares of an exam's episodes with a right answer within the first turn, the first two, …
  void add_exam() {
    const auto& exam = trace_.exam_later;
    const auto& store = evidence_.store();
    if (exam.empty() ||
        !std::all_of(exam.begin(), exam.end(), [&](const Turn& turn) { return store.has(turn.verify); }))
      return;
    start_.stage = place_ = "exam", start_.time = made_at(store, exam.back().verify);
    start_.step = start_.total = 0;
    for (std::size_t turn = 1; turn <= exam.size() + 1; ++turn) {
      put_figure("correct_after_" + std::to_string(turn),
                 column_of(ColumnName::correct_after, static_cast<double>(turn)), evidence_.exam(trace_));
    }
  }

  void add(const std::string& slot, const Stage& stage) {
    const auto& store = evidence_.store();
    start_.stage = slot, start_.time = made_at(store, stage.key), start_.round = round_of(slot);
    place_ = without_round(slot);
    add_steps(stage.key);
    start_.step.reset(), start_.total = start_.round.value_or(0);
    const json summary = store.stage(stage.key).value("summary", json::object());
    for (const auto& [name, value] : summary.items())
      if (value.is_number()) put(name, value);
    if (stage.kind == "verify") add_verdicts_of(stage.key);
  }

 private:
  void put(const std::string& measure, double value) {
    into_.push_back(start_);
    into_.back().measure = measure, into_.back().value = value;
    into_.back().series = place_ + "/" + measure;
  }

  /// What the worker told at each step. Results of earlier versions don't have it.
  void add_steps(const std::string& key) {
    const auto result = evidence_.store().result(key);
    if (!std::filesystem::exists(result.folder() / "metrics.jsonl")) return;
    auto& before = steps_[place_];
    std::int64_t steps = 0;
    for (const auto& row : result.rows("metrics.jsonl")) {
      const std::int64_t step = row.at("step");
      start_.step = step, start_.total = before + step;
      steps = std::max(steps, step + 1);
      put(row.at("name"), row.at("value"));
    }
    before += steps;
  }

  void add_verdicts_of(const std::string& key) {
    for (const auto which : {ColumnName::valid, ColumnName::compiled, ColumnName::correct, ColumnName::values,
                             ColumnName::speedup}) {
      const auto column = column_of(which);
      put_figure(column.id, column, evidence_.verdicts(key));
    }
  }

  /// What verdicts give for a column, if anything.
  void put_figure(const std::string& name, const Column& column, const std::vector<Verdict>& verdicts) {
    std::vector<Part> parts;
    add_verdicts(column, "", start_.seed, verdicts, parts);
    if (const auto figure = level_of(parts, column.mean, Tasks::drawn); figure.value)
      put(name, *figure.value);
  }

  const Trace& trace_;
  const Evidence& evidence_;
  std::vector<Measured>& into_;
  Measured start_;
  std::string place_;
  std::map<std::string, std::int64_t> steps_;  ///< of training so far, by place
};

}  // namespace

Coverage coverage_of(const Plan& plan, const Store& store) {
  Coverage coverage{0, plan.stages.size()};
  for (const auto& stage : plan.stages) coverage.done += store.has(stage.key);
  return coverage;
}

std::vector<Measured> measured(const Plan& plan, const Store& store) {
  const Evidence evidence(plan, store);
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) place[plan.stages[i].key] = i;
  std::vector<Measured> all;
  for (const auto& row : plan.rows)
    for (const auto& trace : row.traces) {
      std::vector<std::pair<std::size_t, std::string>> slots;
      for (const auto& [slot, key] : trace.slots)
        if (place.contains(key) && store.has(key)) slots.emplace_back(place[key], slot);
      std::sort(slots.begin(), slots.end());
      Chain chain(row, trace, evidence, all);
      for (const auto& [at, slot] : slots) chain.add(slot, plan.stages[at]);
      chain.add_exam();
    }
  return all;
}

}  // namespace trl::interpreter
