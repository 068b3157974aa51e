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

/// "3fa2c1d09e.17": the first ten digits of the sample stage's key, a dot, and the line of candidates.jsonl.
std::string candidate_id(const std::string& sample_key, std::size_t row);

/// A verdict on a candidate and its protocol.
struct Judgement {
  std::string stage, slot;
  bool strict = false;  ///< whether it is by the exam's protocol
  std::vector<std::string> variations;
  Verdict verdict;
};

/// The reward that a select stage gave the candidate.
struct Rewarded {
  std::string stage, slot;
  double reward = 0;
  bool kept = false;
  std::optional<double> returned;     ///< in episodes of several turns
  std::optional<double> plan_reward;  ///< of its plan, where that has one of its own
};

/// A row of a finished experiment whose chain contains the candidate.
struct UsedBy {
  std::string experiment, row, slot;
  std::uint64_t seed = 0;
};

struct Candidate {
  std::string id, stage, slot;
  std::string name, group, prompt, answer, finish;
  nlohmann::json task;  ///< docs/interfaces.md, section 1
  std::string purpose;  ///< train, measure, exam
  int round = 0, sample = 0, tokens = 0;
  int turn = 1;            ///< of its episode
  std::string last, next;  ///< IDs of the episode's answers before and after it; empty: none
  std::uint64_t seed = 0;
  std::vector<Judgement> judgements;
  std::vector<Rewarded> rewards;
  std::vector<std::string> trained;  ///< slots of the finetune stages that trained on it
  std::vector<UsedBy> used_by;
};

/// Thrown if no stage's key begins with the given digits.
struct UnknownStage : UserError {
  UnknownStage(const std::string& message, const std::string& help, std::vector<std::string> stages)
      : UserError(message, help), known(std::move(stages)) {}
  std::vector<std::string> known;  ///< the first ten digits of every sample stage
};

/// Finds a candidate by its ID, which names its stage by ten or more digits of its key. `reports` contains
/// the experiments' folders, whose provenance says which rows contain the stage. Throws UserError for a
/// malformed ID or a number that the stage doesn't have, UnknownStage for an unknown stage.
Candidate find_candidate(const Store& store, const std::filesystem::path& reports, const std::string& id);

std::vector<std::string> split_lines(const std::string& text);

}  // namespace trl::interpreter
