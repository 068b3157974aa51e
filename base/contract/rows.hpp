// Rows of the files that stages write (docs/interfaces.md, 3), except verdicts (verdict.hpp).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/no_text.hpp"

namespace trl::contract {

/// The sampled tokens of an answer, including the end token if the answer ended with one.
struct Drawn {
  std::vector<std::int64_t> tokens;
  /// The tokens' log-probabilities, at temperature 1 and without top_k and top_p.
  std::vector<double> scores;

  static Drawn read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of candidates.jsonl: a model's answer to a task.
struct Candidate {
  std::size_t task = 0;     ///< index into tasks.json
  std::string name, group;  ///< the task's name and suite
  std::int64_t sample = 0;  ///< number of the answer among the task's answers, from 0
  std::string prompt, answer;
  std::int64_t tokens = 0;
  std::string finish;               ///< "stop", or "length" if the answer was cut off
  std::optional<Drawn> drawn = {};  ///< only if the spec sets `scores`
  int turn = 1;  ///< the turn of its episode, from 1; task and sample together identify the episode
  std::optional<NoText> no_text = {};  ///< why a server's reply has no text; none: `answer` is its text
  std::string reasoning = {};          ///< the reasoning of a reply without text

  /// Throws ContractError.
  static Candidate read(const nlohmann::json& row);
  nlohmann::json write() const;
  /// Like `write`, but the fields keep the order of `fields`, as in the files of the stage `sample`.
  nlohmann::ordered_json ordered() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of samples.jsonl: an answer to train on.
struct Sample {
  std::string task, group, key;  ///< the task's name, suite and key
  std::string prompt, answer;
  /// The deliberate error in a generated answer of a corpus: "missing_mask"; empty: no error.
  std::string flaw;
  /// "length" if the answer was cut off; it is then trained on without an end token.
  std::optional<std::string> finish;
  double weight = 1;                ///< factor of the loss of the answer's tokens; it may be negative
  std::optional<double> plan = {};  ///< factor of the loss of the plan tokens, if it differs from `weight`
  /// A number that two rows share: a right and a wrong answer to the same task.
  std::optional<std::int64_t> pair = {};
  std::optional<Drawn> drawn = {};  ///< copied from the candidate

  static Sample read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of rewards.jsonl: a candidate's reward, and whether a select stage kept it.
struct Reward {
  std::size_t task = 0;
  std::int64_t sample = 0;
  double reward = 0;
  bool kept = false;
  int turn = 1;  ///< the turn of its episode, from 1
  /// With several turns: the discounted sum of the rewards from this turn on.
  std::optional<double> returned = {};
  /// The reward of the plan tokens, if they have a reward of their own.
  std::optional<double> plan_reward = {};

  static Reward read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
