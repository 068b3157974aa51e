#include "interpreter/report/runs.hpp"

#include <map>
#include <string>

namespace trl::interpreter {
namespace {

/// The recorded digest of the first of these files that the stage has; its key if there is no result.
std::string content_of(const std::string& key, const std::vector<const char*>& names, const Store& store) {
  if (!store.has(key)) return key;
  const auto files = store.stage(key).at("files");
  for (const char* name : names)
    if (const auto file = files.find(name); file != files.end()) return file->at("sha256");
  return key;
}

/// The answers of a trace's exam; empty without an exam.
std::string answers_of(const Trace& trace, const Store& store) {
  if (trace.exam_sample.empty()) return {};
  auto answers = content_of(trace.exam_sample, {"candidates.jsonl"}, store);
  for (const auto& turn : trace.exam_later) answers += content_of(turn.sample, {"candidates.jsonl"}, store);
  return answers;
}

/// The keys of the stages of training that give weights.
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
    std::vector<std::string> chain;
    std::string answers;
    for (const auto& trace : plan.rows[row].traces) {
      const auto keys = trained(trace, plan);
      chain.resize(std::max(chain.size(), keys.size()));
      for (std::size_t depth = 0; depth < keys.size(); ++depth)
        chain[depth] += content_of(keys[depth], {"adapter_model.safetensors", "model.safetensors"}, store);
      answers += answers_of(trace, store);
    }
    if (!answers.empty()) chain.push_back(std::move(answers));
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

}  // namespace trl::interpreter
