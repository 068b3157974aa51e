// Which trivial answers pass a task: trl-verify's word, remembered by all that it depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "language/modules/assessment.hpp"

namespace trl::interpreter {

/// SHA-256 of what an assessment depends on: the task without its names and prose, the inputs of an exam, the
/// precision that is allowed, and the version of verification.
std::string assessment_key(const nlohmann::json& task, const std::string& precision);

/// `$XDG_CACHE_HOME/trl/assessments`, or `~/.cache/trl/assessments`; empty where there is no home.
std::filesystem::path assessments_folder();

/// A row of trl-verify's answer to `assess` (docs/seams.md, 4) as rules want it; nothing where it isn't one.
std::optional<language::Assessment> read_assessment(const nlohmann::json& row);

class Assessments {
 public:
  /// Hands a request to trl-verify, and each row that it answers to `row`. Throws UserError when it can't.
  using Ask = std::function<void(const nlohmann::json& request,
                                 const std::function<void(const nlohmann::json&)>& row)>;
  /// How many of the tasks that were wanted are assessed.
  using Progress = std::function<void(std::size_t done, std::size_t all)>;

  /// `shipped` holds a line `KEY ROW` for each task of the library; `cache` is a folder with a file for each
  /// other task that was ever assessed, or empty: then nothing is remembered.
  Assessments(std::string_view shipped, std::filesystem::path cache, Ask ask);

  /// Of each of the tasks, in their order. Those of which nothing is known are wanted from here on.
  std::vector<language::Assessment> of(const std::vector<const nlohmann::json*>& tasks,
                                       const std::string& precision);
  bool wants_more() const { return !wanted_.empty(); }
  /// Asks trl-verify about all that is wanted, once for each precision. A task without an answer is unknown
  /// afterwards, and says why.
  void ask(const Progress& progress);

 private:
  struct Wanted {
    nlohmann::json task;
    std::string precision;
  };
  std::optional<nlohmann::json> remembered(const std::string& key) const;
  void remember(const std::string& key, const nlohmann::json& row) const;

  std::string_view shipped_;
  std::filesystem::path cache_;
  Ask ask_;
  std::map<std::string, language::Assessment> known_;
  std::map<std::string, Wanted> wanted_;
};

/// The lines of stdlib/assessed.txt, part of the binary.
std::string_view shipped_assessments();

/// A line of it: without what is refused, which nobody asks for.
std::string shipped_line(const std::string& key, nlohmann::json row);

}  // namespace trl::interpreter
