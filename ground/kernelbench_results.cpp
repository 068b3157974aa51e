#include "ground/kernelbench_results.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "ground/counted.hpp"
#include "ground/error.hpp"

namespace trl {
namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
namespace {

constexpr const char* results_name = "eval_results.json";

/// Of a problem: samples beyond are no run's, and would only cost time.
constexpr std::int64_t most_samples = 100'000;

[[noreturn]] void malformed(const std::string& file, const std::string& what, const char* form) {
  throw UserError(file + ": " + what, form);
}

constexpr const char* results_form =
    "KernelBench's scripts/eval_from_generations.py writes {\"19\": [{\"sample_id\": 0, \"compiled\": true, "
    "\"correctness\": true, \"runtime\": 1.2, …}, …], …}.";
constexpr const char* times_form =
    "KernelBench has them as {\"level1\": {\"19_ReLU.py\": {\"mean\": 1.2, …}, …}, …}, in milliseconds.";

ordered_json parsed(const std::string& text, const std::string& file, const char* form) {
  try {
    auto parsed = ordered_json::parse(text);
    if (parsed.is_object()) return parsed;
  } catch (const ordered_json::exception&) {
    malformed(file, "it isn't JSON", form);
  }
  malformed(file, "it is no object", form);
}

/// The number with which a text begins; nothing where it begins with none, or one out of range.
std::optional<std::int64_t> leading_number(const std::string& text, std::size_t& length) {
  length = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
  if (length == 0 || length > 9) return std::nullopt;
  return std::stoll(text.substr(0, length));
}

EvalResult read_result(const ordered_json& from, const std::string& file, const std::string& where) {
  if (!from.is_object()) malformed(file, where + " is no object", results_form);
  const auto boolean = [&](const char* name) {
    const auto found = from.find(name);
    if (found == from.end() || !found->is_boolean())
      malformed(file, fmt::format("{} says no `{}`, true or false", where, name), results_form);
    return found->get<bool>();
  };
  EvalResult result;
  const auto sample = from.find("sample_id");
  if (sample == from.end() || !sample->is_number_integer() || *sample < 0 || *sample >= most_samples)
    malformed(file, fmt::format("{} has no `sample_id`, a number from 0 to {}", where, most_samples - 1),
              results_form);
  result.sample = sample->get<std::int64_t>();
  result.compiled = boolean("compiled"), result.correct = boolean("correctness");
  if (result.correct && !result.compiled)
    malformed(file, where + " is correct, though it doesn't compile", results_form);
  if (const auto runtime = from.find("runtime"); runtime != from.end() && runtime->is_number()) {
    const double milliseconds = runtime->get<double>();
    if (std::isfinite(milliseconds) && milliseconds > 0) result.runtime = milliseconds;
  }
  if (const auto metadata = from.find("metadata"); metadata != from.end() && metadata->is_object())
    result.metadata = *metadata;
  return result;
}

ReferenceTimes read_times(const fs::path& file, const ReadFile& read) {
  const auto text = read(file);
  if (!text)
    throw UserError("there is no file " + file.string(),
                    "Name one with references' times, such as results/timing/H100_Modal/"
                    "baseline_time_torch.json of KernelBench.");
  return read_reference_times(*text, file.string());
}

void require_references(const RunResults& results, const std::vector<Problem>& problems,
                        const std::optional<ReferenceTimes>& times, const fs::path& file) {
  if (!times) return;
  for (const Problem& problem : problems) {
    const auto of_it = results.of(problem);
    const bool needed =
        std::any_of(of_it.begin(), of_it.end(), [](const auto& one) { return one.correct && one.runtime; });
    if (needed && !times->contains(problem))
      throw UserError(fmt::format("{} has no time of problem {} of level {}, to which an answer is right",
                                  file.string(), problem.number, problem.level),
                      "Name the times of the run's own machine, with all problems.");
  }
}

}  // namespace

EvalResults read_eval_results(const std::string& text, const std::string& file) {
  EvalResults results;
  const ordered_json all_results = parsed(text, file, results_form);
  for (const auto& [key, listed] : all_results.items()) {
    std::size_t length = 0;
    const auto problem = leading_number(key, length);
    if (!problem || *problem == 0 || key != std::to_string(*problem))
      malformed(file, "`" + key + "` is no problem's number", results_form);
    auto& of_it = results[*problem];
    // Where each problem has one answer, earlier versions wrote no list.
    const auto all = listed.is_array() ? listed : ordered_json::array({listed});
    std::set<std::int64_t> samples;
    for (const auto& one : all) {
      of_it.push_back(
          read_result(one, file, fmt::format("result {} of problem {}", of_it.size() + 1, *problem)));
      if (!samples.insert(of_it.back().sample).second)
        malformed(file, fmt::format("problem {} has sample {} twice", *problem, of_it.back().sample),
                  results_form);
    }
    std::sort(of_it.begin(), of_it.end(), [](const auto& a, const auto& b) { return a.sample < b.sample; });
  }
  return results;
}

std::string eval_results_text(const EvalResults& results) {
  ordered_json out = ordered_json::object();
  for (const auto& [problem, of_it] : results) {
    auto& listed = out[std::to_string(problem)] = ordered_json::array();
    for (const auto& one : of_it) {
      listed.push_back({{"sample_id", one.sample},
                        {"compiled", one.compiled},
                        {"correctness", one.correct},
                        {"metadata", one.metadata},
                        {"runtime", one.runtime.value_or(-1)},
                        {"runtime_stats", ordered_json::object()}});
      if (one.runtime) listed.back()["runtime_stats"]["mean"] = *one.runtime;
    }
  }
  return out.dump(4) + "\n";
}

std::optional<Problem> problem_of(const json& task, std::int64_t number) {
  const auto module = task.find("module");
  if (module == task.end() || !module->is_object()) return std::nullopt;
  const auto level = module->value("level", std::int64_t{0});
  if (level == 0) return std::nullopt;
  return Problem{level, number};
}

ReferenceTimes read_reference_times(const std::string& text, const std::string& file) {
  ReferenceTimes times;
  const ordered_json all_times = parsed(text, file, times_form);
  for (const auto& [level_name, of_level] : all_times.items()) {
    std::size_t length = 0;
    const std::string prefix = "level";
    const auto level = level_name.starts_with(prefix)
                           ? leading_number(level_name.substr(prefix.size()), length)
                           : std::nullopt;
    if (!level || prefix.size() + length != level_name.size() || !of_level.is_object())
      malformed(file, "`" + level_name + "` is no level with its problems", times_form);
    for (const auto& [name, time] : of_level.items()) {
      const auto problem = leading_number(name, length);
      const auto mean = time.is_object() ? time.value("mean", ordered_json()) : ordered_json();
      if (!problem || !mean.is_number() || !(mean.get<double>() > 0))
        malformed(file, fmt::format("`{}` of {} is no problem with a `mean` above 0", name, level_name),
                  times_form);
      times[{*level, *problem}] = mean.get<double>();
    }
  }
  return times;
}

std::vector<EvalResult> RunResults::of(const Problem& problem) const {
  const auto level = levels.find(problem.level);
  if (level == levels.end()) return {};
  const auto found = level->second.find(problem.number);
  return found == level->second.end() ? std::vector<EvalResult>() : found->second;
}

bool RunResults::by_kernelbench() const {
  for (const auto& [level, results] : levels)
    for (const auto& [problem, of_it] : results)
      for (const auto& one : of_it)
        if (const auto by = one.metadata.find("judged_by"); by != one.metadata.end() && *by == judged_by_trl)
          return false;
  return true;
}

bool RunResults::timed() const {
  if (!reference) return false;
  bool right = false, times = false;
  for (const auto& [level, results] : levels)
    for (const auto& [problem, of_it] : results)
      for (const auto& one : of_it) right |= one.correct, times |= one.correct && one.runtime;
  return times || !right;
}

RunResults read_results(const ResultsPlace& place, const std::vector<Problem>& problems,
                        const ReadFile& read) {
  const bool file = place.path.extension() == ".json";
  if (file && !place.level)
    throw UserError("which level the results in " + place.path.string() + " are of isn't said",
                    "Write it: imported(path(\"…\"), level = 1, …).");
  std::set<std::int64_t> wanted;
  for (const Problem& problem : problems)
    if (!place.level || problem.level == *place.level) wanted.insert(problem.level);
  RunResults out;
  fs::path first;
  for (const std::int64_t level : wanted) {
    const fs::path of_level = file          ? place.path
                              : place.level ? place.path / results_name
                                            : place.path / fmt::format("level{}", level) / results_name;
    if (first.empty()) first = of_level;
    const auto text = read(of_level);
    if (!text) continue;
    for (const auto& [problem, of_it] : out.levels[level] = read_eval_results(*text, of_level.string()))
      out.answers = std::max(out.answers, of_it.size());
  }
  if (wanted.empty())
    throw UserError(place.level ? fmt::format("the exam has no task of level {} of KernelBench", *place.level)
                                : std::string("the exam has no task of KernelBench"),
                    "Evaluate on suites whose `source` is kernelbench(…), of the level that was run.");
  if (out.levels.empty())
    throw UserError(
        "there is no file " + first.string(),
        "Name what a run of KernelBench left: path(\"runs/NAME/eval_results.json\") with its level, "
        "or a folder with level1/eval_results.json.");
  const fs::path beside = file ? fs::path() : place.path / "baseline.json";
  if (!place.baseline.empty())
    out.reference = read_times(place.baseline, read);
  else if (const auto text = beside.empty() ? std::nullopt : read(beside))
    out.reference = read_reference_times(*text, beside.string());
  if (!place.compiled_baseline.empty()) out.compiled = read_times(place.compiled_baseline, read);
  require_references(out, problems, out.reference, place.baseline.empty() ? beside : place.baseline);
  require_references(out, problems, out.compiled, place.compiled_baseline);
  return out;
}

}  // namespace trl
