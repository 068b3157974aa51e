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

double made_at(const Store& store, const std::string& key) {
  struct stat status {};
  return ::stat((store.folder(key) / "stage.json").c_str(), &status) == 0 ? double(status.st_mtime) : 0;
}

/// Returns a column's value by the verdicts, if they give one.
std::optional<double> value_of(const Column& column, std::uint64_t seed,
                               const std::vector<Verdict>& verdicts) {
  std::vector<Part> parts;
  add_verdicts(column, "", seed, verdicts, parts);
  return level_of(parts, column.mean, Tasks::drawn).value;
}

/// Adds the numbers that the stages of one row under one seed measured.
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
      const auto column = column_of(ColumnName::correct_after, static_cast<double>(turn));
      const auto measure = "correct_after_" + std::to_string(turn);
      if (const auto value = value_of(column, start_.seed, evidence_.exam(trace_)))
        put(measure, *value, contract::measure_called(measure, "select", false));
    }
  }

  void add(const std::string& slot, const Stage& stage) {
    const auto place = training_place(slot);
    start_.stage = slot, start_.time = made_at(evidence_.store(), stage.key), start_.round = place.round;
    place_ = place.name;
    auto& before = steps_[place_];
    const auto numbers = numbers_of(stage, evidence_);
    for (const auto& [measure, step, value] : numbers) {
      start_.step = step, start_.total = step ? before + *step : start_.round.value_or(0);
      put(measure, value, contract::measure_called(measure, stage.kind, step.has_value()));
    }
    before += steps_in(numbers);
  }

 private:
  void put(const std::string& measure, double value, const contract::Measure* known) {
    into_.push_back(start_);
    into_.back().measure = measure, into_.back().value = value;
    into_.back().series = place_ + "/" + measure, into_.back().known = known;
  }

  const Trace& trace_;
  const Evidence& evidence_;
  std::vector<Measured>& into_;
  Measured start_;
  std::string place_;
  std::map<std::string, std::int64_t> steps_;  ///< steps of training so far, by place
};

}  // namespace

TrainingPlace training_place(const std::string& slot) {
  constexpr std::string_view word = "round ";
  const auto at = slot.find(word);
  if (at == std::string::npos) return {slot, std::nullopt};
  std::int64_t round = 0;
  std::from_chars(slot.data() + at + word.size(), slot.data() + slot.size(), round);
  const auto end = slot.find('/', at);
  return {slot.substr(0, at) + (end == std::string::npos ? "" : slot.substr(end + 1)), round};
}

std::vector<StageNumber> numbers_of(const Stage& stage, const Evidence& evidence) {
  std::vector<StageNumber> numbers;
  const auto result = evidence.store().result(stage.key);
  // Results of old versions lack this file.
  if (std::filesystem::exists(result.folder() / "metrics.jsonl"))
    for (const auto& row : result.rows("metrics.jsonl"))
      numbers.push_back({row.at("name"), row.at("step").get<std::int64_t>(), row.at("value")});
  const json summary = evidence.store().stage(stage.key).value("summary", json::object());
  for (const auto& [name, value] : summary.items())
    if (value.is_number()) numbers.push_back({name, std::nullopt, value});
  if (stage.kind == "verify")
    for (const auto which : {ColumnName::valid, ColumnName::compiled, ColumnName::correct, ColumnName::values,
                             ColumnName::speedup}) {
      const auto column = column_of(which);
      if (const auto value = value_of(column, 0, evidence.verdicts(stage.key)))
        numbers.push_back({column.id, std::nullopt, *value});
    }
  return numbers;
}

std::int64_t steps_in(const std::vector<StageNumber>& numbers) {
  std::int64_t steps = 0;
  for (const auto& one : numbers)
    if (one.step) steps = std::max(steps, *one.step + 1);
  return steps;
}

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
