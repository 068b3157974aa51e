#include "interpreter/report/runs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {

/// Returns the recorded digest of the first of these files that the stage has; the stage's key if it has no
/// result or none of the files.
std::string content_of(const std::string& key, const std::vector<const char*>& names, const Store& store) {
  if (!store.has(key)) return key;
  const auto files = store.stage(key).at("files");
  for (const char* name : names)
    if (const auto file = files.find(name); file != files.end()) return file->at("sha256");
  return key;
}

/// Returns the digests of the answers of a trace's exam, one after another; empty without an exam.
std::string answers_of(const Trace& trace, const Store& store) {
  if (trace.exam_sample.empty()) return {};
  auto answers = content_of(trace.exam_sample, {"candidates.jsonl"}, store);
  for (const auto& turn : trace.exam_later) answers += content_of(turn.sample, {"candidates.jsonl"}, store);
  return answers;
}

/// Returns the digests of the answers of a row's exams under all its seeds; empty without an exam.
std::string answers_of(const Row& row, const Store& store) {
  std::string answers;
  for (const auto& trace : row.traces) answers += answers_of(trace, store);
  return answers;
}

/// Returns the keys of the training stages that make weights.
std::vector<std::string> trained(const Trace& trace, const Plan& plan) {
  std::vector<std::string> keys;
  for (const auto& key : trace.training)
    if (const auto& kind = plan.find(key)->kind; kind == "finetune" || kind == "pretrain")
      keys.push_back(key);
  return keys;
}

}  // namespace

bool examined(const Row& row, const Store& store) {
  for (const auto& trace : row.traces)
    if (trace.exam_verify.empty() || !store.has(trace.exam_verify) || !store.has(trace.exam_sample))
      return false;
  return !row.traces.empty();
}

statistics::SharedRuns runs_of_rows(const Plan& plan, const std::vector<std::size_t>& rows,
                                    const Store& store) {
  std::map<std::string, std::size_t> numbers;
  statistics::SharedRuns runs;
  for (const auto row : rows) {
    const auto& traces = plan.rows[row].traces;
    // Under a single seed, equal weights after a stage may be chance: with another seed they might differ.
    const bool several = traces.size() > 1;
    std::vector<std::string> chain;
    for (const auto& trace : traces) {
      const auto keys = trained(trace, plan);
      chain.resize(std::max(chain.size(), keys.size()));
      for (std::size_t depth = 0; depth < keys.size(); ++depth)
        chain[depth] +=
            several ? content_of(keys[depth], {"adapter_model.safetensors", "model.safetensors"}, store)
                    : keys[depth];
    }
    if (auto answers = answers_of(plan.rows[row], store); !answers.empty())
      chain.push_back(std::move(answers));
    auto& numbered = runs.emplace_back();
    for (const auto& content : chain)
      numbered.push_back(numbers.try_emplace(content, numbers.size()).first->second);
  }
  return runs;
}

std::set<std::uint64_t> repeated_seeds(const Row& row, const Store& store) {
  std::set<std::string> known;
  std::set<std::uint64_t> repeated;
  for (const auto& trace : row.traces) {
    const auto answers = answers_of(trace, store);
    if (!answers.empty() && !known.insert(answers).second) repeated.insert(trace.seed);
  }
  return repeated;
}

namespace {

/// Returns the sum of the learning rates of a stage's steps; 0 if they aren't recorded.
double reach_of(const std::string& key, const Store& store) {
  if (!store.has(key)) return 0;
  const auto result = store.result(key);
  if (!std::filesystem::exists(result.folder() / "metrics.jsonl")) return 0;
  double sum = 0;
  for (const auto& row : result.rows("metrics.jsonl"))
    if (row.at("name") == "learning_rate") sum += row.at("value").get<double>();
  return sum;
}

/// The labels of rows that gave the same answers, and an upper bound of how far the last training of any of
/// them moved a weight.
struct SameAnswers {
  std::vector<std::string> labels;
  double reach = 0;
};

}  // namespace

std::vector<std::string> run_sentences(const Plan& plan, const Store& store) {
  std::vector<std::string> sentences;
  std::map<std::string, SameAnswers> groups;
  double largest = 0;
  for (const auto& row : plan.rows) {
    if (row.kind == Row::Kind::base || row.kind == Row::Kind::imported || !examined(row, store)) continue;
    if (const auto repeated = repeated_seeds(row, store); !repeated.empty())
      sentences.push_back(
          fmt::format("`{}` gave under seed{} {} the answers of an earlier seed: they count once, and are no "
                      "runs of their own.",
                      row.label, repeated.size() == 1 ? "" : "s", fmt::join(repeated, ", ")));
    double reach = 0;  // the reach of the last training
    for (const auto& key : trained(row.traces.front(), plan)) {
      reach = reach_of(key, store);
      largest = std::max(largest, reach);
    }
    auto& group = groups[answers_of(row, store)];
    group.labels.push_back(row.label);
    group.reach = std::max(group.reach, reach);
  }
  constexpr double little = 0.1;
  for (const auto& [answers, group] : groups)
    if (group.labels.size() > 1 && group.reach > 0 && group.reach < little * largest)
      sentences.push_back(fmt::format(
          "`{}` gave the same answers, and their last training could move a weight by {:.2g} at most (the "
          "sum of "
          "its steps' learning rates), where other training here has {:.2g}: it was too little to change an "
          "answer.",
          fmt::join(group.labels, "`, `"), group.reach, largest));
  return sentences;
}

}  // namespace trl::interpreter
