#include "base/contract/measures.hpp"

#include <algorithm>

namespace trl::contract {
namespace {

/// Whether a list such as "finetune, pretrain" has a word.
bool lists(std::string_view list, std::string_view word) {
  while (true) {
    const auto comma = list.find(", ");
    if (list.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 2);
  }
}

}  // namespace

std::string Measure::heading() const {
  std::string text(!curve.empty() ? curve : !title.empty() ? title : name);
  if (curve.empty() && title.empty()) std::replace(text.begin(), text.end(), '_', ' ');
  if (!unit.empty() && unit != name) text += ", " + std::string(unit);
  return text;
}

std::string Measure::definition() const {
  return std::string(meaning) + (formula.empty() ? "" : " (" + std::string(formula) + ")");
}

const Measure* measure_called(std::string_view name, std::string_view kind, bool of_step) {
  std::string general(name);
  if (const auto last = general.find_last_not_of("0123456789"); last + 1 < general.size())
    general.replace(last + 1, std::string::npos, "N");
  for (const auto& one : measures())
    if ((one.name == name || one.name == general) && one.of_step == of_step && lists(one.of, kind))
      return &one;
  return nullptr;
}

bool has_curve(std::string_view name) {
  const auto all = measures();
  return std::any_of(all.begin(), all.end(), [&](const Measure& one) {
    return one.of_step && one.name == name && !one.curve.empty();
  });
}

// In the formulas, r is the ratio of a token's probability to its probability before the round's first step,
// and A is the answer's advantage. Means of a step are over the tokens of answers whose loss isn't constant.
std::span<const Measure> measures() {
  static constexpr Measure all[] = {
      {"loss", "finetune, pretrain", "", "what the step minimises", "", true, "", "loss", 3},
      {"gradient_norm", "finetune, pretrain", "", "the length of the gradient before it is clipped",
       "sqrt(sum of squares over all trained weights)", true, "norm of the gradient before it is clipped"},
      {"learning_rate", "finetune, pretrain", "", "AdamW's learning rate in the step", "", true},
      {"tokens_per_second", "finetune, pretrain", "tokens a second",
       "tokens of prompts and answers trained on so far, by the time", "", true},
      {"peak_bytes", "finetune, pretrain", "bytes", "the most memory that was taken so far", "", true},
      {"entropy", "finetune", "nats a token", "the entropy of the policy's distribution of the next token",
       "mean of -sum p log p", true, "", "entropy", 4},
      {"ratio", "finetune", "", "the ratio of a token's probability to that before the round's first step",
       "mean of r", true, "ratio of a token's probability to that before the round"},
      {"ratio_deviation", "finetune", "", "how far the probability of any token has moved in the round",
       "largest |r - 1|", true, "largest |ratio - 1| of a token"},
      {"clip_share", "finetune", "share",
       "the share of the tokens whose ratio is past the bound that counts, so that they have no gradient",
       "share of r > 1 + clip_higher where A > 0, or r < 1 - clip_ratio where A < 0", true,
       "share of tokens past the ratio's bound"},
      {"kl", "finetune", "nats a token", "the divergence of the policy from the reference, estimated (k3)",
       "mean of exp(d) - d - 1, d = log reference - log policy", true, "", "divergence from the reference",
       5},
      {"plan_tokens", "finetune", "tokens", "tokens of an answer's plan, the text before its code",
       "mean over answers", true, "plan tokens of an answer"},
      {"code_tokens", "finetune", "tokens", "tokens of an answer's code and of what follows it",
       "mean over answers", true, "code tokens of an answer"},
      {"sampled_share", "finetune", "share",
       "the share of the tokens of which it is known with which probability they were drawn", "", true,
       "share of tokens of known sampling probability"},
      {"sampling_ratio", "finetune", "",
       "the ratio of a token's probability in training, before the first step, to that with which it was "
       "drawn",
       "mean of old / drawn", true, "ratio of probabilities, training to sampling"},
      {"sampling_deviation", "finetune", "", "how far training and sampling are apart in any token",
       "largest |old / drawn - 1|", true, "largest |ratio - 1|, training to sampling"},
      {"mismatch_share", "finetune", "share",
       "the share of the tokens whose ratio of training to sampling is past `mismatch_cap`", "", true,
       "share of tokens past mismatch_cap"},
      {"rejected_answers", "finetune", "share",
       "the share of the answers that are dropped, since the geometric mean of their tokens' ratios of "
       "training "
       "to sampling is past `mismatch_answer_cap`, or a token's ratio is below `mismatch_veto`",
       "share of exp(mean of log(old / drawn)) > mismatch_answer_cap or < 1 / mismatch_answer_cap, or least "
       "old / drawn < mismatch_veto",
       true, "share of answers dropped for their mismatch"},
      {"margin", "finetune", "",
       "how much more likely than by the reference the right answer of a pair is than the wrong one",
       "mean of beta (d right - d wrong), d = log policy - log reference", true,
       "margin of right over wrong answers"},
      {"won", "finetune", "share", "the share of the pairs whose margin is above 0", "", true,
       "share of pairs with a margin above 0"},

      {"loss_first", "finetune", "", "the loss of the first step", ""},
      {"loss_last", "finetune", "", "the loss of the last step", ""},
      {"loss", "pretrain", "", "the loss of the last step", ""},
      {"steps", "finetune", "steps", "optimiser steps", ""},
      {"tokens", "finetune, pretrain", "tokens", "tokens of prompts and answers that were trained on", ""},
      {"peak_bytes", "finetune, pretrain", "bytes", "the most memory that was taken", ""},
      {"seconds", "finetune, pretrain, sample, rollout, verify", "seconds", "the time that the stage took",
       ""},
      {"candidates", "sample, rollout, verify, select", "answers", "answers that were sampled or judged", ""},
      {"tokens", "sample, rollout", "tokens", "tokens that were sampled", ""},
      {"prompt_tokens", "ask, rollout", "tokens", "tokens of prompts that a server read", ""},
      {"requests", "ask, rollout", "", "requests for answers, with those that failed", ""},
      {"without_tokens", "rollout", "answers", "answers of which the server gave no tokens", ""},
      {"without_scores", "rollout", "answers", "answers of whose tokens the server gave no log-probabilities",
       ""},
      {"other_prompts", "rollout", "answers", "answers to whose prompts the server counts other tokens", ""},
      {"other_texts", "rollout", "answers", "answers whose tokens spell another text at the server", ""},
      {"entropy", "sample", "nats a token",
       "the entropy of the sampling model's distribution of the next token, at temperature 1",
       "mean over the tokens of the first answer to each task", false, "", "entropy while sampling", 6},
      {"kl", "sample", "nats a token",
       "the divergence of the sampling model from the model without an adapter",
       "mean over the tokens of the first answer to each task"},
      {"valid", "verify", "share", "answers that parse and run to a launch plan", ""},
      {"compiled", "verify", "share", "answers whose kernels compile", ""},
      {"correct", "verify", "share", "answers that are correct in every variation", "", false, "",
       "correct answers", 2},
      {"values", "verify", "share", "answers with right values, memory errors aside", ""},
      {"speedup", "verify", "", "how much faster than the reference the correct answers are",
       "geometric mean"},
      {"mean_reward", "select", "", "the reward of an answer; with `plan_reward`, of its code",
       "mean over all answers", false, "", "mean reward", 1},
      {"mean_plan_reward", "select", "", "the reward of an answer's plan", "mean over all answers"},
      {"correct", "select", "answers", "answers that are correct", ""},
      {"kept", "select", "answers", "answers that are trained on, those of weight 0 too", ""},
      {"pairs", "select", "pairs", "pairs of a right and a wrong answer", ""},
      {"tasks_without", "select", "tasks", "tasks of which no answer is trained on", ""},
      {"cut_off", "select, ask, rollout", "answers", "answers that were cut off at max_tokens", ""},
      {"correct_after_N", "select", "share",
       "with several turns, the share of the episodes with a right answer within the first N", ""},
      {"distinct", "select", "answers", "answers that differ from each other or are to different tasks", ""},
      {"tasks", "draw, tasks", "tasks", "tasks of the round or of the exam", ""},
      {"rows", "corpus", "answers", "written answers", ""},
      {"size", "tokenizer", "tokens", "entries of the vocabulary", ""},
  };
  return all;
}

}  // namespace trl::contract
