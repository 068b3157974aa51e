// Which trivial answers pass a task, as trl-verify found; results are cached by everything that they depend
// on.
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

/// SHA-256 of everything that an assessment depends on: the task without names and prose, the inputs of an
/// exam, the allowed precision, and the version of verification.
std::string assessment_key(const nlohmann::json& task, const std::string& precision);

/// `$XDG_CACHE_HOME/trl/assessments`, or `~/.cache/trl/assessments`; empty without a home folder.
std::filesystem::path assessments_folder();

/// Converts a row of trl-verify's answer to `assess` (docs/interfaces.md, section 4) for the rules; nothing
/// if it isn't one.
std::optional<language::Assessment> read_assessment(const nlohmann::json& row);

class Assessments {
 public:
  /// Sends a request to trl-verify and passes each row of the answer to `row`. Throws UserError when it
  /// can't.
  using Ask = std::function<void(const nlohmann::json& request,
                                 const std::function<void(const nlohmann::json&)>& row)>;
  /// Called with how many of the missing assessments are done.
  using Progress = std::function<void(std::size_t done, std::size_t all)>;

  /// `shipped` has a line `KEY ROW` for each task of the library. `cache` is a folder with a file for each
  /// other task that was assessed; if it is empty, nothing is cached.
  Assessments(std::string_view shipped, std::filesystem::path cache, Ask ask);

  /// The assessment of each task, in their order. Tasks without a known one are assessed by the next `ask`.
  std::vector<language::Assessment> of(const std::vector<const nlohmann::json*>& tasks,
                                       const std::string& precision);
  bool wants_more() const { return !wanted_.empty(); }
  /// Asks trl-verify for all missing assessments, once for each precision. A task without an answer becomes
  /// unknown, with the reason.
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

/// A line of that text, without the variations that refuse every trivial answer, which nothing needs.
std::string shipped_line(const std::string& key, nlohmann::json row);

}  // namespace trl::interpreter
