// The files of KernelBench's runs besides answers: eval_results.json (its scripts/eval_from_generations.py),
// and files of references' times (its results/timing/HARDWARE/baseline_time_torch.json).
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
  std::optional<double> runtime;  ///< milliseconds; none: it wasn't timed
  nlohmann::ordered_json metadata = nlohmann::ordered_json::object();  ///< all else that the run tells of it
};

/// The results of one level, by problem. Problems count from 1.
using EvalResults = std::map<std::int64_t, std::vector<EvalResult>>;

/// Reads eval_results.json, whose name in errors is `file`. Throws UserError, which says where it is
/// malformed.
EvalResults read_eval_results(const std::string& text, const std::string& file);
/// Values of `judged_by` in the metadata of results: of an exam of `trl`, by its own and by KernelBench's
/// protocol. Results without `judged_by` are by KernelBench's protocol.
inline constexpr const char *judged_by_trl = "trl", *judged_by_protocol = "trl, by KernelBench's protocol";
/// Results as KernelBench writes them.
std::string eval_results_text(const EvalResults& results);

/// A problem of KernelBench.
struct Problem {
  std::int64_t level = 1, number = 1;
  auto operator<=>(const Problem&) const = default;
};

/// The problem that a task is, by its form in the document and its number in its suite; nothing where it is
/// none of KernelBench.
std::optional<Problem> problem_of(const nlohmann::json& task, std::int64_t number);

/// How long a reference takes.
struct ReferenceTime {
  double milliseconds = 0;
  std::string name;  ///< of its problem: "ReLU"
};
using ReferenceTimes = std::map<Problem, ReferenceTime>;

/// Reads a file of references' times: {"level1": {"19_ReLU.py": {"mean": 1.2, …}, …}, …}. Throws UserError.
ReferenceTimes read_reference_times(const std::string& text, const std::string& file);

/// Where results are, as somebody names them.
struct ResultsPlace {
  /// eval_results.json or another file ending so; the folder of a run of KernelBench; or a folder with such a
  /// folder for each level, level1/, level2/, …, as `trl export kernelbench` writes it.
  std::filesystem::path path;
  std::optional<std::int64_t> level = {};  ///< their level; needed unless there is a folder for each
  /// Files of references' times, eager and by torch.compile; empty: none is named. Beside results in a folder
  /// baseline.json counts, if it is there.
  std::filesystem::path baseline = {}, compiled_baseline = {};
};

/// Results of a run that were made elsewhere, of the problems that somebody asks for.
struct RunResults {
  std::set<std::int64_t> levels;                       ///< levels of which it has a file
  std::map<Problem, std::vector<EvalResult>> results;  ///< by sample; problems without a result aren't there
  std::optional<ReferenceTimes> reference, compiled;   ///< none: no times are known

  /// How many answers each problem has: as many as the one that has most.
  std::size_t answers() const;
  /// The results of all answers to a problem. An answer that has no result counts as wrong.
  std::vector<EvalResult> complete(const Problem& problem) const;
  /// Answers without a result to problems that have one.
  std::size_t missing() const;
  /// Whether the verdicts are KernelBench's protocol's.
  bool by_kernelbench() const;
  /// Whether the times are a model's.
  bool modelled() const;
  /// Right answers that weren't timed.
  std::size_t untimed() const;
  /// Whether it has speedups, which takes the references' times and, if any answer is right, right answers'
  /// times.
  bool timed() const;
};

/// Reads a file; nothing if there is none.
using ReadFile = std::function<std::optional<std::string>(const std::filesystem::path& file)>;

/// What is wrong with a run's files, and which argument of `imported` names them: "from", "baseline" or
/// "compiled_baseline".
struct ResultsError : UserError {
  ResultsError(const UserError& error, std::string of) : UserError(error), argument(std::move(of)) {}
  std::string argument;
};

/// Reads a run's results of these problems. Throws ResultsError where a file that is named is missing, where
/// one is malformed, where no level of the problems has results, where verdicts or times are of several
/// kinds, and where references' times lack a problem to which an answer was right and timed.
RunResults read_results(const ResultsPlace& place, const std::vector<Problem>& problems,
                        const ReadFile& read);

/// Why a row of a table can't be called so; empty where it can.
std::string wrong_row_name(const std::string& name);

}  // namespace trl
