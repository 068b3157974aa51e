// The spec of the stage `select` (docs/interfaces.md, 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/contract/formula.hpp"
#include "base/contract/words.hpp"

namespace trl::contract {

/// Which of a task's candidates are kept.
enum class KeepBy { reward, random };
template <>
struct Words<KeepBy> {
  static constexpr std::array<std::pair<KeepBy, const char*>, 2> list = {
      {{KeepBy::reward, "reward"}, {KeepBy::random, "random"}}};
};

/// Whether identical answers to a task are kept once or as often as they were sampled.
enum class Duplicates { drop, keep };
template <>
struct Words<Duplicates> {
  static constexpr std::array<std::pair<Duplicates, const char*>, 2> list = {
      {{Duplicates::drop, "drop"}, {Duplicates::keep, "keep"}}};
};

/// What weight an answer's loss gets. `none`: 1, for those that are kept. `pairs`: 1 for a right and -1 for a
/// wrong answer of each pair. The others are for all of a task's candidates: the reward; exp((reward - 1) /
/// temperature); the reward less the mean reward of the task's candidates, or of its other ones; or that
/// difference from the mean, divided by the rewards' standard deviation (of a sample, plus 1e-4).
enum class Weigh { none, reward, exponential, mean, leave_one_out, standardised, pairs };
template <>
struct Words<Weigh> {
  static constexpr std::array<std::pair<Weigh, const char*>, 7> list = {
      {{Weigh::none, "none"},
       {Weigh::reward, "reward"},
       {Weigh::exponential, "exponential"},
       {Weigh::mean, "mean"},
       {Weigh::leave_one_out, "leave_one_out"},
       {Weigh::standardised, "standardised"},
       {Weigh::pairs, "pairs"}}};
};

/// How much is kept at random: `keep` of each task, or in all as many answers, or answers of as many tokens,
/// as the reward would have kept of the same candidates.
enum class Match { none, samples, tokens };
template <>
struct Words<Match> {
  static constexpr std::array<std::pair<Match, const char*>, 3> list = {
      {{Match::none, "none"}, {Match::samples, "samples"}, {Match::tokens, "tokens"}}};
};

/// What candidates are worth, and which are trained on.
struct SelectSpec {
  static constexpr const char* kind = "select";
  std::uint64_t seed = 0;
  int round = 0;
  std::size_t keep = 0;  ///< of each task; with Weigh::pairs, pairs
  KeepBy keep_by = KeepBy::reward;
  Duplicates duplicates = Duplicates::keep;
  Match match = Match::none;  ///< of what is kept at random
  Weigh weigh = Weigh::none;
  std::optional<double> temperature;  ///< of Weigh::exponential
  double min_reward = 0;              ///< exceeded by what is kept
  Formula reward;
  std::optional<Formula> plan_reward;  ///< another one, of plan tokens; with mean and standardised
  std::optional<std::map<std::string, double>> failing;  ///< credit by the stage that was failed
  std::optional<double> timing_noise;                    ///< coefficient of variation of a time that is read
  int turns = 1;  ///< of episodes: inputs candidates, verdicts, candidates_2, verdicts_2, …
  /// By what a reward is multiplied for each turn between it and the answer that is weighed by it.
  double discount = 1;
  /// Whether all answers are trained on: those that are weighed, unless `keep` says how many.
  bool keeps_all() const { return weigh != Weigh::none && weigh != Weigh::pairs && keep == 0; }
  /// Whether rewards choose what is kept, but don't weigh it: another choice could be made without them.
  bool filters() const { return weigh == Weigh::none && keep_by == KeepBy::reward; }
  /// Whether what is trained on, or how much it counts, depends on rewards.
  bool uses_rewards() const {
    return weigh != Weigh::none || keep_by == KeepBy::reward || match != Match::none;
  }
  static SelectSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The input of a select stage that has something of a turn: "candidates", "candidates_2", …
std::string input_of_turn(const std::string& what, int turn);

}  // namespace trl::contract
