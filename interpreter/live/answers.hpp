// The answers of a study that is being carried out: how many of them verification accepted and refused, at
// which rates, and the last refused answers.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

class LiveAnswers {
 public:
  /// Counts the answers or tokens of a finished stage, if it has any. Throws DamagedResult.
  void add(const Stage& stage, double seconds, const nlohmann::json& summary, const Evidence& evidence);
  /// Keeps one refused or unjudged answer of a stage `verify` for each class and reason. Of all kept answers,
  /// the oldest are dropped if there are more than eight.
  void keep_refused(const Stage& stage, const Plan& plan, const Store& store);

  /// Returns {"judged", "classes": [{"name", "title", "count", "per_second"}], "reasons": [{"class",
  /// "reason", "count"}], "tokens_per_second", "candidates_per_second"}. Counts are of all stages, rates of
  /// the last ones; a rate is null without such a stage.
  nlohmann::json counts() const;
  /// The last refused answers, the newest first: [{"id", "stage", "task", "class", "reason", "message",
  /// "variation", "line", "answer"}]. Their texts are untrusted, and cut to some thousand bytes.
  nlohmann::json refused() const;

 private:
  /// The work of a finished stage.
  struct Work {
    double seconds = 0, tokens = 0;
    std::map<std::string, int> classes;
  };

  std::map<std::string, int> classes_;
  std::map<std::pair<std::string, std::string>, int> reasons_;  ///< by class and reason
  std::deque<Work> sampled_, judged_;                           ///< of the last stages
  std::deque<nlohmann::json> refused_;
};

}  // namespace trl::interpreter
