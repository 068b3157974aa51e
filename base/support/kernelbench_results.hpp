// Reads and writes the results of KernelBench's runs: eval_results.json (written by its
// scripts/eval_from_generations.py), and the files with the times of the reference modules (its
// results/timing/HARDWARE/baseline_time_torch.json).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/support/error.hpp"

namespace trl {

/// A run's result for one answer.
struct EvalResult {
  std::int64_t sample = 0;  ///< from 0
  bool compiled = false, correct = false;
  std::optional<double> runtime;  ///< milliseconds; nothing if it wasn't timed
  nlohmann::ordered_json metadata = nlohmann::ordered_json::object();  ///< the field `metadata` of the result
};

/// The results of one level, by the problem's number, from 1.
using EvalResults = std::map<std::int64_t, std::vector<EvalResult>>;

/// Reads the text of an eval_results.json; errors call it `file`. Throws UserError, which names the malformed
/// place.
EvalResults read_eval_results(const std::string& text, const std::string& file);
/// The values of `judged_by` in a result's metadata:
/// - judged_by_trl: an exam of `trl` by its own protocol;
/// - judged_by_protocol: an exam of `trl` by KernelBench's protocol.
/// A result without `judged_by` was judged by KernelBench's protocol.
inline constexpr const char *judged_by_trl = "trl", *judged_by_protocol = "trl, by KernelBench's protocol";
/// Returns the text of an eval_results.json, in KernelBench's format.
std::string eval_results_text(const EvalResults& results);

/// A problem of KernelBench.
struct Problem {
  std::int64_t level = 1, number = 1;
  auto operator<=>(const Problem&) const = default;
};

/// Returns the KernelBench problem of a task. `task` is the task in JSON, `number` its number in its suite.
/// Returns nothing if the task isn't a problem of KernelBench.
std::optional<Problem> problem_of(const nlohmann::json& task, std::int64_t number);

/// The time of a problem's reference module.
struct ReferenceTime {
  double milliseconds = 0;
  std::string name;  ///< the problem's name: "ReLU"
};
using ReferenceTimes = std::map<Problem, ReferenceTime>;

/// Reads the text of a file with the times of reference modules; errors call it `file`: {"level1":
/// {"19_ReLU.py": {"mean": 1.2, …}, …}, …}. Throws UserError.
ReferenceTimes read_reference_times(const std::string& text, const std::string& file);

/// The files of a run's results, as a user names them.
struct ResultsPlace {
  /// One of these:
  /// - a file that is named eval_results.json or ends so;
  /// - the folder of a run of KernelBench;
  /// - a folder with such a folder for each level (level1/, level2/, …), as `trl export kernelbench` writes
  ///   it.
  std::filesystem::path path;
  /// The results' level; needed unless there is a folder for each level
  std::optional<std::int64_t> level = {};
  /// The files with the times of reference modules: in eager mode (`baseline`) and by torch.compile
  /// (`compiled_baseline`). If `baseline` is empty and the results are in a folder, its baseline.json is used
  /// if it exists.
  std::filesystem::path baseline = {}, compiled_baseline = {};
};

/// Imported results of a run, for the requested problems.
struct RunResults {
  std::set<std::int64_t> levels;  ///< the levels for which the run has a file
  /// Sorted by sample; problems without results are left out
  std::map<Problem, std::vector<EvalResult>> results;
  std::optional<ReferenceTimes> reference, compiled;  ///< nothing if no times are known

  /// Returns the number of answers to each problem: the largest number of results of any problem.
  std::size_t answers() const;
  /// Returns the results of all answers to a problem. A missing result is added as a wrong answer.
  std::vector<EvalResult> complete(const Problem& problem) const;
  /// Returns the number of missing results of problems that have at least one result.
  std::size_t missing() const;
  /// Whether the answers were judged by KernelBench's protocol.
  bool by_kernelbench() const;
  /// Whether times are modelled instead of measured.
  bool modelled() const;
  /// Returns the number of right answers that weren't timed.
  std::size_t untimed() const;
  /// Whether speedups can be computed. The times of the reference modules must be known. In addition, if
  /// any answer is right, at least one right answer must have been timed.
  bool timed() const;
};

/// Returns a file's text; nothing if there is no such file.
using ReadFile = std::function<std::optional<std::string>(const std::filesystem::path& file)>;

/// Reads the files of a run from the disk. No link may lead out of a folder of results.
ReadFile files_of_run(const ResultsPlace& place);

/// An error in the files of a run. `argument` is the argument of `imported` that names the faulty file:
/// "from", "baseline" or "compiled_baseline".
struct ResultsError : UserError {
  ResultsError(const UserError& error, std::string of) : UserError(error), argument(std::move(of)) {}
  std::string argument;
};

/// Reads a run's results for these problems. Throws ResultsError:
/// - when a named file is missing or a file is malformed;
/// - when no level of the problems has results;
/// - when answers were judged by several protocols, or some times are measured and some modelled;
/// - when the reference's time is missing for a problem with a right and timed answer.
RunResults read_results(const ResultsPlace& place, const std::vector<Problem>& problems,
                        const ReadFile& read);

/// Returns the reason why `name` can't be the name of a table's row; empty if it can.
std::string wrong_row_name(const std::string& name);

}  // namespace trl
