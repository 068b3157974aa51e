// The loss that a training step minimises: from the log-probabilities of answers' tokens to a loss and its
// derivatives.
//
// Every trainer does the same with every objective: forward pass → log-probabilities of the answer
// tokens → `Objective::answer` → a coefficient for each token, d loss / d log-probability → backward pass of
// Σ coefficient · log-probability. The coefficients are constants of that backward pass.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/objective.hpp"
#include "runtime/train/documents.hpp"

namespace trl::runtime {

/// The facts about one answer that an objective needs beside its tokens' current log-probabilities. Each span
/// has a number for each answer token (the end token too, where the answer has one), or none where it isn't
/// needed.
struct AnswerFacts {
  double weight = 1;           // of the answer's likelihood; its advantage; of a pair: 1 right, -1 wrong
  std::span<const float> old;  // log-probabilities by the policy before the stage's first step
  std::span<const float> reference;  // by the reference model
  std::span<const float> sampled;    // as the sampler computed them, at temperature 1 and over the whole
                                     // vocabulary; none where that is unknown
  double other = 0;                  // in a pair: the other answer's Σ (log-probability - reference)
  // Where plan tokens have an advantage of their own (contract::Objective::plan_weight), `weight` is the
  // advantage of the others:
  double plan = 0;
  std::int64_t plan_tokens = 0;  // so many of the first tokens are of the plan, or all
};

/// The facts that an objective needs about the optimiser step that has the answer.
struct StepFacts {
  std::int64_t answers = 0;      // all of them, also answers whose weight is 0; of pairs both
  std::int64_t tokens = 0;       // of all answers together
  std::int64_t plan_tokens = 0;  // of these
};
/// The facts of the step that takes these documents.
StepFacts facts_of(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                   std::int64_t context);

/// The measures beside the loss: sums over the tokens of answers whose loss isn't constant, unless said
/// otherwise.
struct ObjectiveMeasures {
  std::int64_t tokens = 0, answers = 0;
  std::int64_t plan_tokens = 0;  // of these tokens
  double entropy = 0;            // of the policy's distributions of the next token, in nats; trainers add it
  double ratio = 0;              // of the current probability to the old one
  double deviation = 0;          // the largest |ratio - 1| of a token
  double clipped = 0;            // tokens whose ratio is past the bound that the advantage's sign makes count
  double kl = 0;                 // the estimate k3 of the divergence from the reference, in nats
  // Of tokens that are known to have been drawn as they are trained on:
  std::int64_t sampled = 0;
  double sampling_ratio = 0;      // of the old probability to that with which the token was drawn
  double sampling_deviation = 0;  // the largest |that ratio - 1|
  double corrected = 0;           // tokens whose ratio is past its cap
  // Of answers all of whose tokens are known so:
  double sampled_answers = 0;
  double rejected = 0;  // answers without loss, since training and sampling differ too much in them
  // For pairs these are sums over pairs.
  double pairs = 0;
  double margin = 0;  // β · (the right answer's logarithm of ratio - the wrong one's)
  double won = 0;     // pairs whose margin is above 0

  void add(const ObjectiveMeasures& other);
};

struct AnswerLoss {
  double loss = 0;  // the answer's part: a step's loss is the sum over its answers
  ObjectiveMeasures measures;
};

class Objective;
/// The averages of a step's measures, under the names of the metrics that the objective has.
std::vector<std::pair<std::string, double>> means_of(const Objective& objective,
                                                     const ObjectiveMeasures& sums);

class Objective {
 public:
  /// The weighted likelihood: - 1/N Σ weight Σ log-probability over the step's N answer tokens. With
  /// advantages as weights that is REINFORCE (Williams 1992), whose coefficients need no log-probabilities.
  Objective() = default;
  /// Throws UserError where numbers are out of range.
  explicit Objective(const contract::Objective& settings);

  /// Whether it is the weighted likelihood, for which trainers have a shorter way: one pass in which the
  /// coefficient of each token is known beforehand, - weight / N.
  bool likelihood() const { return !settings_; }
  bool needs_old() const { return settings_ && settings_->loss == contract::LossKind::clipped_ratio; }
  bool needs_reference() const { return settings_ && (pairs() || settings_->kl > 0); }
  /// Whether an answer's loss is constant, since its weights are 0: nothing is computed of it then, and
  /// nothing measured, but it counts in StepFacts.
  bool constant(const Document& document) const {
    return document.weight == 0 && document.plan.value_or(0) == 0 && !needs_reference();
  }
  /// Whether plan tokens and code tokens have advantages of their own.
  bool splits() const { return settings_ && settings_->plan_weight; }
  bool needs_sampled() const { return settings_ && settings_->mismatch != contract::Mismatch::ignore; }
  /// Whether answers are dropped in which training and sampling differ too much.
  bool rejects_answers() const {
    return settings_ && (settings_->mismatch_answer_cap || settings_->mismatch_veto);
  }
  /// Whether an answer's loss needs the other one's of its pair (AnswerFacts::other): a step then consists of
  /// whole pairs, and begins with a pass without gradients, under the same dropout masks.
  bool pairs() const { return settings_ && settings_->loss == contract::LossKind::preference; }
  /// The loss of one answer, in f64. `logp` are its tokens' log-probabilities; `coefficients`, as many, get
  /// the derivatives of the loss by them. An answer without tokens has no loss.
  AnswerLoss answer(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                    std::span<float> coefficients) const;

 private:
  AnswerLoss likelihood(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                        std::span<float> coefficients) const;
  AnswerLoss token_ratios(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                          std::span<float> coefficients) const;
  /// Tokens of an answer that follow each other and have one advantage, and the weight of each in the loss.
  struct Part {
    std::size_t begin, end;
    double advantage, share;
  };
  std::vector<Part> parts_of(std::size_t tokens, const AnswerFacts& facts, const StepFacts& step) const;
  /// The factor of a token's surrogate, given the logarithm of old / drawn.
  double correction(double log_ratio, ObjectiveMeasures& measures) const;
  /// Whether an answer of so many tokens is dropped.
  bool rejects(const AnswerFacts& facts, std::size_t tokens) const;
  AnswerLoss answer_ratio(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                          std::span<float> coefficients) const;
  AnswerLoss preference(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                        std::span<float> coefficients) const;

  std::optional<contract::Objective> settings_;
};

/// An objective and the numbers that it needs for each document of a stage. Vectors are empty where the
/// objective doesn't need them; else they have an entry for each document, with a number for each answer
/// token, or none where the document's loss is constant.
struct Learning {
  Objective objective;
  std::vector<std::vector<float>> old, reference;

  /// The facts of one document, except AnswerFacts::other.
  AnswerFacts facts(const std::vector<Document>& documents, std::size_t document) const;
  /// For pairs: Σ (log-probability - reference) of a document, given its current log-probabilities.
  double log_ratio(std::size_t document, std::span<const float> logp) const;
};

}  // namespace trl::runtime
