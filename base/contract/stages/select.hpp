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

/// Whether the candidates of a task that are kept are those with the highest rewards, or random ones.
enum class KeepBy { reward, random };
template <>
struct Words<KeepBy> {
  static constexpr std::array<std::pair<KeepBy, const char*>, 2> list = {
      {{KeepBy::reward, "reward"}, {KeepBy::random, "random"}}};
};

/// Whether identical answers to a task are kept only once (`drop`), or as often as they were sampled
/// (`keep`).
enum class Duplicates { drop, keep };
template <>
struct Words<Duplicates> {
  static constexpr std::array<std::pair<Duplicates, const char*>, 2> list = {
      {{Duplicates::drop, "drop"}, {Duplicates::keep, "keep"}}};
};

/// The weight of an answer's loss. `none` and `pairs` weigh the answers that are kept, the other values all
/// of a task's answers:
/// - `none`: 1;
/// - `reward`: the reward;
/// - `exponential`: exp((reward - 1) / temperature);
/// - `mean`: the reward minus the mean reward of the task's answers;
/// - `leave_one_out`: the reward minus the mean reward of the task's other answers;
/// - `standardised`: the weight of `mean`, divided by the rewards' sample standard deviation plus 1e-4;
/// - `pairs`: 1 for the right and -1 for the wrong answer of each pair.
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

/// How many answers a random choice keeps:
/// - `none`: `keep` answers of each task;
/// - `samples`: in all as many answers as a choice by reward would keep of the same candidates;
/// - `tokens`: in all answers of at most as many tokens as a choice by reward would keep.
enum class Match { none, samples, tokens };
template <>
struct Words<Match> {
  static constexpr std::array<std::pair<Match, const char*>, 3> list = {
      {{Match::none, "none"}, {Match::samples, "samples"}, {Match::tokens, "tokens"}}};
};

/// The spec of a stage `select`: how answers are rewarded, and which answers are trained on.
struct SelectSpec {
  static constexpr const char* kind = "select";
  std::uint64_t seed = 0;
  int round = 0;
  std::size_t keep = 0;  ///< answers kept for each task; with Weigh::pairs, pairs for each task
  KeepBy keep_by = KeepBy::reward;
  Duplicates duplicates = Duplicates::keep;
  Match match = Match::none;  ///< only with KeepBy::random
  Weigh weigh = Weigh::none;
  std::optional<double> temperature;  ///< for Weigh::exponential
  double min_reward = 0;              ///< a choice by reward keeps only answers with a higher reward
  Formula reward;
  /// The reward of the plan tokens, if they have a reward of their own; only with Weigh::mean and
  /// Weigh::standardised.
  std::optional<Formula> plan_reward;
  /// The formula's `credit` of a wrong answer, by the stage of verification that it failed.
  std::optional<std::map<std::string, double>> failing;
  /// Coefficient of variation of random noise that is applied to speed-ups.
  std::optional<double> timing_noise;
  int turns = 1;  ///< turns of each episode; the inputs are candidates, verdicts, candidates_2, verdicts_2, …
  /// The discount of later turns' rewards: the return of turn t is its reward + discount × the return of turn
  /// t + 1.
  double discount = 1;
  /// Whether every answer is trained on. This is so if answers are weighed by reward and `keep` sets no
  /// number.
  bool keeps_all() const { return weigh != Weigh::none && weigh != Weigh::pairs && keep == 0; }
  /// Whether rewards only choose the answers that are kept, and don't weigh them.
  bool filters() const { return weigh == Weigh::none && keep_by == KeepBy::reward; }
  /// Whether the choice of answers or their weights depend on rewards.
  bool uses_rewards() const {
    return weigh != Weigh::none || keep_by == KeepBy::reward || match != Match::none;
  }
  static SelectSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Returns the name of a select stage's input for a turn: "candidates" for turn 1, "candidates_2" for turn 2.
std::string input_of_turn(const std::string& what, int turn);

}  // namespace trl::contract
