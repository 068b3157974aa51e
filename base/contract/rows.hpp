// Rows of the files that stages leave (docs/interfaces.md, 3), but for verdicts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trl::contract {

/// The tokens of an answer as they were drawn, with the end token where it ended at one.
struct Drawn {
  std::vector<std::int64_t> tokens;
  std::vector<double> scores;  ///< their log-probabilities, at temperature 1 and without top_k and top_p

  static Drawn read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of candidates.jsonl: an answer that a model gave.
struct Candidate {
  std::size_t task = 0;     ///< in tasks.json, from 0
  std::string name, group;  ///< of the task
  std::int64_t sample = 0;  ///< of that task, from 0
  std::string prompt, answer;
  std::int64_t tokens = 0;
  std::string finish;               ///< "stop", or "length" where it was cut off
  std::optional<Drawn> drawn = {};  ///< where the spec asks for it
  int turn = 1;                     ///< of its episode, which is the sample of the task with this number

  /// Throws ContractError.
  static Candidate read(const nlohmann::json& row);
  nlohmann::json write() const;
  /// The same with its fields in their own order, as the stage `sample` leaves them.
  nlohmann::ordered_json ordered() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of samples.jsonl: an answer for training.
struct Sample {
  std::string task, group, key;  ///< the task's name, suite and key
  std::string prompt, answer;
  std::string flaw;                       ///< of a written answer that is wrong on purpose; empty: none
  std::optional<std::string> finish;      ///< "length" if the answer was cut off, so that it has no end
  double weight = 1;                      ///< factor of the loss of its tokens; it may be negative
  std::optional<double> plan = {};        ///< the same of its plan tokens, where these have another weight
  std::optional<std::int64_t> pair = {};  ///< of two rows, a right and a wrong answer to one task
  std::optional<Drawn> drawn = {};        ///< the candidate's

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
  int turn = 1;                            ///< of its episode
  std::optional<double> returned = {};     ///< with several turns: the discounted rewards from here on
  std::optional<double> plan_reward = {};  ///< of its plan tokens, where they have another one

  static Reward read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
