// Assessments of tasks by trl-verify: the trivial answers that pass a task. Assessments are cached under a
// hash of everything that they depend on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/user_cache.hpp"
#include "language/modules/assessment.hpp"

namespace trl::interpreter {

/// SHA-256 of everything that an assessment depends on: the task without names and prose, the exam's input
/// variations, the allowed precision, and the version of verification.
std::string assessment_key(const nlohmann::json& task, const std::string& precision);

/// SHA-256 of everything that a task's row of verifier/kernelbench/trivial_answers.py depends on: the program
/// below `home`, PyTorch's version, the limits of the request, and the task's text.
std::string trivial_answers_key(const std::filesystem::path& home, const nlohmann::json& request,
                                const nlohmann::json& task);

/// `$XDG_CACHE_HOME/trl/assessments`, or `~/.cache/trl/assessments`; empty without a home folder.
std::filesystem::path assessments_folder();

/// Converts a row of trl-verify's answer to an `assess` request (docs/interfaces.md, section 4) for the
/// checker's rules. Nothing if the row is malformed.
std::optional<language::Assessment> read_assessment(const nlohmann::json& row);

class Assessments {
 public:
  /// Sends a request to trl-verify and passes each row of the answer to `row`. Throws UserError if trl-verify
  /// fails.
  using Ask = std::function<void(const nlohmann::json& request,
                                 const std::function<void(const nlohmann::json&)>& row)>;
  /// Called with the number of missing assessments that are done, and the number of all that were missing.
  using Progress = std::function<void(std::size_t done, std::size_t all)>;

  /// `shipped` is a text with a line `KEY ROW` for each task of the library. `cache` is the folder with a
  /// file for each assessed task that isn't in the library; if the path is empty, nothing is cached.
  Assessments(std::string_view shipped, std::filesystem::path cache, Ask ask);

  /// The assessment of each task, in the order of `tasks`. A task without a known assessment is assessed by
  /// the next call of `ask`.
  std::vector<language::Assessment> of(const std::vector<const nlohmann::json*>& tasks,
                                       const std::string& precision);
  bool wants_more() const { return !wanted_.empty(); }
  /// Requests all missing assessments from trl-verify, once for each precision. If trl-verify gives no
  /// assessment of a task, the task's assessment is recorded as unknown, with the reason.
  void ask(const Progress& progress);

 private:
  struct Wanted {
    nlohmann::json task;
    std::string precision;
  };
  std::optional<nlohmann::json> remembered(const std::string& key) const;

  std::string_view shipped_;
  UserCache cache_;
  Ask ask_;
  std::map<std::string, language::Assessment> known_;
  std::map<std::string, Wanted> wanted_;
};

/// The text of stdlib/assessed.txt, which is embedded in the binary.
std::string_view shipped_assessments();

}  // namespace trl::interpreter
