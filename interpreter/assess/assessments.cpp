#include "interpreter/assess/assessments.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "base/contract/form.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "interpreter/assess/shipped.hpp"
#include "interpreter/canonical.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/stage/stage.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using language::Assessment;
using nlohmann::json;
namespace {

Assessment unknown(std::string why) {
  Assessment assessment;
  assessment.why = std::move(why);
  return assessment;
}

/// Returns the row without its task's name and key, so that equal tasks share one row.
json nameless(json row) {
  row.erase("task");
  row.erase("key");
  return row;
}

std::vector<std::string> texts(const json& list) {
  std::vector<std::string> out;
  for (const json& text : list) out.push_back(text.get<std::string>());
  return out;
}

}  // namespace

std::string assessment_key(const json& task, const std::string& precision) {
  json what = task;
  for (const char* name : {"suite", "id", "name", "doc", "key"}) what.erase(name);
  return sha256_hex(canonical({{"task", what},
                               {"variations", contract::written(exam_variations())},
                               {"precision", precision},
                               {"verify", implementation_version("verify")}}));
}

std::string trivial_answers_key(const fs::path& home, const json& request, const json& task) {
  json what = {{"tools", tool_chain()}, {"code", task.at("code")}, {"entry", task.at("entry")}};
  for (const char* name : {"trivial_answers.py", "reference.py", "refusal.py"})
    what["programs"].push_back(sha256_of_file(home / "verifier/kernelbench" / name));
  for (const char* name : {"trials", "operations", "most_bytes"}) what[name] = request.at(name);
  return sha256_hex(canonical(what));
}

fs::path assessments_folder() { return user_cache_folder("assessments"); }

std::optional<Assessment> read_assessment(const json& row) {
  try {
    if (row.contains("unknown")) return unknown(row.at("unknown"));
    Assessment assessment;
    assessment.known =
        row.at("degenerate").get<bool>() ? Assessment::Known::degenerate : Assessment::Known::refused;
    if (const json& passes = row.at("passes"); passes.is_string()) assessment.passes = passes;
    for (const json& variation : row.at("variations"))
      assessment.variations.push_back(
          {variation.at("label"), texts(variation.value("passes", json::array()))});
    return assessment;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

Assessments::Assessments(std::string_view shipped, fs::path cache, Ask ask)
    : shipped_(shipped), cache_(std::move(cache)), ask_(std::move(ask)) {}

std::vector<Assessment> Assessments::of(const std::vector<const json*>& tasks, const std::string& precision) {
  std::vector<Assessment> out;
  for (const json* task : tasks) {
    const auto key = assessment_key(*task, precision);
    auto known = known_.find(key);
    if (known == known_.end())
      if (const auto row = remembered(key))
        if (auto assessment = read_assessment(*row))
          known = known_.emplace(key, std::move(*assessment)).first;
    if (known == known_.end()) wanted_.emplace(key, Wanted{*task, precision});
    out.push_back(known == known_.end() ? Assessment() : known->second);
  }
  return out;
}

void Assessments::ask(const Progress& progress) {
  std::map<std::string, std::vector<std::pair<std::string, json>>> by_precision;
  for (auto& [key, wanted] : std::exchange(wanted_, {}))
    by_precision[wanted.precision].emplace_back(key, std::move(wanted.task));
  std::size_t all = 0, done = 0;
  for (const auto& [precision, tasks] : by_precision) all += tasks.size();
  for (const auto& [precision, tasks] : by_precision) {
    json request = {{"tasks", json::array()},
                    {"variations", contract::written(exam_variations())},
                    {"precision", precision},
                    {"brief", true},
                    {"slots", std::max(1u, std::thread::hardware_concurrency())}};
    for (const auto& [key, task] : tasks) request["tasks"].push_back(task);
    std::string why = "trl-verify didn't assess it";
    try {
      ask_({{"assess", std::move(request)}}, [&, &of = tasks](const json& row) {
        const auto number = row.value("task", of.size());
        auto assessment = read_assessment(row);
        if (number >= of.size() || !assessment) return;
        known_[of[number].first] = std::move(*assessment);
        cache_.keep(of[number].first, nameless(row).dump());
        progress(++done, all);
      });
    } catch (const UserError& error) {
      why = error.what();
    }
    for (const auto& [key, task] : tasks)
      if (!known_.contains(key)) known_[key] = unknown(why);
  }
}

std::optional<json> Assessments::remembered(const std::string& key) const {
  if (const auto at = shipped_.find(key + " "); at != std::string_view::npos) {
    const auto begin = at + key.size() + 1;
    return json::parse(shipped_.substr(begin, shipped_.find('\n', begin) - begin), nullptr, false);
  }
  return cache_.find(key);
}

std::string_view shipped_assessments() {
  static const std::string none;
  const auto text = embedded().find("assessed.txt");
  return text == embedded().end() ? none : text->second;
}

}  // namespace trl::interpreter
