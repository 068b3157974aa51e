// One candidate: its prompt and answer, its verdicts, and its uses.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "interpreter/report/evidence.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// A candidate's ID, such as "3fa2c1d09e.17": the first ten digits of the sample stage's key, a dot, and the
/// row of candidates.jsonl.
std::string candidate_id(const std::string& sample_key, std::size_t row);

/// A verdict on a candidate, and the protocol by which it was verified.
struct Judgement {
  std::string stage, slot;
  bool strict = false;  ///< whether the protocol is the exam's
  std::vector<std::string> variations;
  Verdict verdict;
};

/// The reward that a select stage gave the candidate.
struct Rewarded {
  std::string stage, slot;
  double reward = 0;
  bool kept = false;
  /// In episodes of several turns: the sum of the discounted rewards from this turn on.
  std::optional<double> returned;
  /// The reward of the answer's plan tokens, if they have a reward of their own.
  std::optional<double> plan_reward;
};

/// A row of a finished experiment whose chain of stages contains the candidate.
struct UsedBy {
  std::string experiment, row, slot;
  std::uint64_t seed = 0;
};

struct Candidate {
  std::string id, stage, slot;
  std::string name, group, prompt, answer, finish;
  nlohmann::json task;  ///< a task as docs/interfaces.md, section 1 describes it
  std::string purpose;  ///< "train", "measure" or "exam"
  int round = 0, sample = 0, tokens = 0;
  int turn = 1;            ///< the number of the turn in its episode, from 1
  std::string last, next;  ///< the IDs of the episode's answers in the turn before and the turn after; empty
                           ///< if there is none
  std::uint64_t seed = 0;
  std::vector<Judgement> judgements;
  std::vector<Rewarded> rewards;
  std::vector<std::string> trained;  ///< the slots of the finetune stages that trained on this candidate
  std::vector<UsedBy> used_by;
};

/// Thrown if no stage's key begins with the digits in a candidate's ID.
struct UnknownStage : UserError {
  UnknownStage(const std::string& message, const std::string& help, std::vector<std::string> stages)
      : UserError(message, help), known(std::move(stages)) {}
  std::vector<std::string> known;  ///< the first ten digits of every sample stage
};

/// Finds a candidate by its ID. An ID begins with ten or more digits of the sample stage's key. `reports` is
/// the folder of all experiments' reports; their provenance.json files list the rows that contain the stage.
/// Throws UserError for a malformed ID or a row that the stage doesn't have, and UnknownStage for an unknown
/// stage.
Candidate find_candidate(const Store& store, const std::filesystem::path& reports, const std::string& id);

std::vector<std::string> split_lines(const std::string& text);

}  // namespace trl::interpreter
