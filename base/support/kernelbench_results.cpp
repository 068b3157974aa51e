#include "base/support/kernelbench_results.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/support/reading.hpp"

namespace trl {
namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
namespace {

constexpr const char* results_name = "eval_results.json";

/// The largest number of samples for a problem. No real run has more, and a false number would cost time.
constexpr std::int64_t most_samples = 100'000;

[[noreturn]] void malformed(const std::string& file, const std::string& what, const char* form) {
  throw UserError(file + ": " + what, form);
}

constexpr const char* results_form =
    "KernelBench's scripts/eval_from_generations.py writes {\"19\": [{\"sample_id\": 0, \"compiled\": true, "
    "\"correctness\": true, \"runtime\": 1.2, …}, …], …}.";
constexpr const char* times_form =
    "KernelBench has them as {\"level1\": {\"19_ReLU.py\": {\"mean\": 1.2, …}, …}, …}, in milliseconds.";

/// The largest depth of nested values. Files of KernelBench have a depth of five.
constexpr int deepest = 64;

/// The text with null for NaN, Infinity and -Infinity, which Python's json writes, though they are no JSON.
std::string with_null(const std::string& text) {
  std::string out;
  bool inside = false;  // of a string
  for (std::size_t i = 0; i < text.size();) {
    if (!inside) {
      const auto word = [&](const char* one) { return text.compare(i, std::strlen(one), one) == 0; };
      const char* found = nullptr;
      for (const char* one : {"NaN", "Infinity", "-Infinity"})
        if (word(one)) found = one;
      if (found != nullptr) {
        out += "null", i += std::strlen(found);
        continue;
      }
    }
    if (inside && text[i] == '\\' && i + 1 < text.size())
      out += text[i++];
    else if (text[i] == '"')
      inside = !inside;
    out += text[i++];
  }
  return out;
}

ordered_json parsed(const std::string& text, const std::string& file, const char* form) {
  const std::string strict = with_null(text);
  try {
    auto parsed = ordered_json::parse(strict, [&](int depth, ordered_json::parse_event_t, ordered_json&) {
      if (depth > deepest) malformed(file, fmt::format("values lie more than {} deep", deepest), form);
      return true;
    });
    if (parsed.is_object()) return parsed;
  } catch (const ordered_json::parse_error& error) {
    const auto end = strict.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, strict.size()));
    malformed(file, fmt::format("it isn't JSON in line {}", 1 + std::count(strict.begin(), end, '\n')), form);
  } catch (const ordered_json::exception&) {
    malformed(file, "it isn't JSON", form);
  }
  malformed(file, "it is no object", form);
}

/// Returns the number at the beginning of a text; nothing if the text doesn't begin with a number, or if the
/// number is out of range. `length` becomes the number of its characters.
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
  if (const auto runtime = from.find("runtime"); runtime != from.end() && !runtime->is_null()) {
    if (!runtime->is_number()) malformed(file, where + " has a `runtime` that is no number", results_form);
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

void require_references(const RunResults& run, const std::optional<ReferenceTimes>& times,
                        const fs::path& file) {
  if (!times) return;
  for (const auto& [problem, of_it] : run.results) {
    const bool needed =
        std::any_of(of_it.begin(), of_it.end(), [](const auto& one) { return one.correct && one.runtime; });
    if (needed && !times->contains(problem))
      throw UserError(fmt::format("{} has no time of problem {} of level {}, to which an answer is right",
                                  file.string(), problem.number, problem.level),
                      "Name the times of the run's own machine, with all problems.");
  }
}

bool judged_by_exam(const EvalResult& result) {
  const auto by = result.metadata.find("judged_by");
  return by != result.metadata.end() && *by == judged_by_trl;
}

bool has_modelled_time(const EvalResult& result) {
  const auto times = result.metadata.find("times");
  return times != result.metadata.end() && *times == "modelled";
}

/// Returns the number of results for which `has` is true.
std::size_t count(const RunResults& run, const std::function<bool(const EvalResult&)>& has) {
  std::size_t number = 0;
  for (const auto& [problem, of_it] : run.results)
    number += static_cast<std::size_t>(std::count_if(of_it.begin(), of_it.end(), has));
  return number;
}

bool right(const EvalResult& result) { return result.correct; }
bool right_and_timed(const EvalResult& result) { return result.correct && result.runtime; }

void require_one_kind(const RunResults& run, const std::string& file) {
  const std::size_t all = count(run, [](const EvalResult&) { return true; });
  const std::size_t by_exam = count(run, judged_by_exam), modelled = count(run, has_modelled_time);
  const char* apart = "Import them as rows of their own.";
  if (by_exam != 0 && by_exam != all)
    throw UserError(file + " has verdicts of an exam of trl and of KernelBench's protocol together", apart);
  if (modelled != 0 && modelled != all)
    throw UserError(file + " has modelled and measured times together", apart);
}

/// Calls `read`, and turns its errors into ResultsErrors about this argument.
template <class Read>
auto about(const char* argument, const Read& read) {
  try {
    return read();
  } catch (const UserError& error) {
    throw ResultsError(error, argument);
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
    // With one answer for each problem, earlier versions of KernelBench wrote no list.
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
  if (!task.is_object()) return std::nullopt;
  const auto module = task.find("module");
  if (module == task.end() || !module->is_object()) {
    // Without a checkout of KernelBench, only the task's number and the name of its level are known.
    const std::string of = "KernelBench/level", source = task.value("source", "");
    std::size_t length = 0;
    if (!source.starts_with(of)) return std::nullopt;
    const auto level = leading_number(source.substr(of.size()), length);
    if (!level || of.size() + length != source.size()) return std::nullopt;
    return Problem{*level, number};
  }
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
      std::string known = name.substr(std::min(length + 1, name.size()));
      if (known.ends_with(".py")) known.resize(known.size() - 3);
      if (!times.try_emplace({*level, *problem}, ReferenceTime{mean.get<double>(), std::move(known)}).second)
        malformed(file, fmt::format("problem {} of {} has two times", *problem, level_name), times_form);
    }
  }
  return times;
}

std::size_t RunResults::answers() const {
  std::size_t most = 0;
  for (const auto& [problem, of_it] : results) most = std::max(most, of_it.size());
  return most;
}

std::vector<EvalResult> RunResults::complete(const Problem& problem) const {
  const auto found = results.find(problem);
  auto all = found == results.end() ? std::vector<EvalResult>() : found->second;
  std::set<std::int64_t> known;
  for (const auto& one : all) known.insert(one.sample);
  const std::size_t number = answers();
  for (std::int64_t sample = 0; all.size() < number; ++sample)
    if (!known.contains(sample)) all.emplace_back().sample = sample;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.sample < b.sample; });
  return all;
}

std::size_t RunResults::missing() const {
  std::size_t number = 0;
  for (const auto& [problem, of_it] : results) number += answers() - of_it.size();
  return number;
}

bool RunResults::by_kernelbench() const { return count(*this, judged_by_exam) == 0; }
bool RunResults::modelled() const { return count(*this, has_modelled_time) > 0; }
std::size_t RunResults::untimed() const { return count(*this, right) - count(*this, right_and_timed); }
bool RunResults::timed() const {
  return reference && (count(*this, right_and_timed) > 0 || count(*this, right) == 0);
}

std::string wrong_row_name(const std::string& name) {
  constexpr std::size_t longest = 60;
  if (name.empty() || name.front() == ' ' || name.back() == ' ')
    return "it is empty, or has a blank at an end";
  if (name.size() > longest) return fmt::format("it is longer than {} bytes", longest);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x80 || std::isalnum(byte) != 0 || std::strchr(" .,:+-_()/@=#", c) != nullptr;
    if (!plain || c == '\0') return "it has a character that tables and pictures can't show";
  }
  return {};
}

ReadFile files_of_run(const ResultsPlace& place) {
  return [place, folder = fs::is_directory(place.path)](const fs::path& file) {
    const bool named = !folder || file == place.baseline || file == place.compiled_baseline;
    return text_if_there(file, {.within = named ? fs::path() : place.path});
  };
}

RunResults read_results(const ResultsPlace& place, const std::vector<Problem>& problems,
                        const ReadFile& read) {
  const bool file = place.path.extension() == ".json";
  RunResults out;
  about("from", [&] {
    if (file && !place.level)
      throw UserError("which level the results in " + place.path.string() + " are of isn't said",
                      "Write it: imported(path(\"…\"), level = 1, …).");
    std::map<std::int64_t, std::set<Problem>> wanted;
    for (const Problem& problem : problems)
      if ((!place.level || problem.level == *place.level) && !wanted[problem.level].insert(problem).second)
        throw UserError(
            fmt::format("the exam has problem {} of level {} twice, and its results would count twice",
                        problem.number, problem.level),
            "Take one of the two suites out of the exam.");
    if (wanted.empty())
      throw UserError(place.level
                          ? fmt::format("the exam has no task of level {} of KernelBench", *place.level)
                          : std::string("the exam has no task of KernelBench"),
                      "Evaluate on suites whose `source` is kernelbench(…), of the level that was run.");
    fs::path first;
    for (const auto& [level, its_problems] : wanted) {
      const fs::path of_level = file          ? place.path
                                : place.level ? place.path / results_name
                                              : place.path / fmt::format("level{}", level) / results_name;
      if (first.empty()) first = of_level;
      const auto text = read(of_level);
      if (!text) continue;
      out.levels.insert(level);
      for (auto& [number, of_it] : read_eval_results(*text, of_level.string()))
        if (its_problems.contains({level, number}) && !of_it.empty())
          out.results.emplace(Problem{level, number}, of_it);
    }
    if (out.levels.empty())
      throw UserError("there is no file " + first.string(),
                      "Name what a run of KernelBench left: path(\"runs/NAME/eval_results.json\") with its "
                      "level, or a folder with level1/eval_results.json.");
    if (out.results.empty())
      throw UserError(first.string() + " has no result for any task of the exam",
                      "Name the results of the level that the exam asks.");
    require_one_kind(out, place.path.string());
  });
  about("baseline", [&] {
    const fs::path beside = file ? fs::path() : place.path / "baseline.json";
    if (!place.baseline.empty())
      out.reference = read_times(place.baseline, read);
    else if (const auto text = beside.empty() ? std::nullopt : read(beside))
      out.reference = read_reference_times(*text, beside.string());
    require_references(out, out.reference, place.baseline.empty() ? beside : place.baseline);
  });
  about("compiled_baseline", [&] {
    if (!place.compiled_baseline.empty()) out.compiled = read_times(place.compiled_baseline, read);
    require_references(out, out.compiled, place.compiled_baseline);
  });
  return out;
}

}  // namespace trl
