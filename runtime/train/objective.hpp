// The loss that a training step minimises: from the log-probabilities of answers' tokens to a loss and its
// derivatives.
//
// Every trainer takes the same steps with every objective:
// - a forward pass computes the log-probabilities of the answer tokens;
// - `Objective::answer` computes a coefficient for each token, d loss / d log-probability;
// - a backward pass computes the gradient of Σ coefficient · log-probability, with constant coefficients.
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

/// The facts about one answer that an objective needs in addition to the current log-probabilities of its
/// tokens. Each span has a number for each answer token (and for the end token, if there is one), or is empty
/// if it isn't needed.
struct AnswerFacts {
  double weight = 1;  // the weight of the answer's likelihood, or its advantage; in a pair: 1 right, -1 wrong
  std::span<const float> old;        // log-probabilities by the policy before the stage's first step
  std::span<const float> reference;  // log-probabilities by the reference model
  std::span<const float> sampled;    // log-probabilities by the sampler, at temperature 1 and over the whole
                                     // vocabulary; empty if unknown
  double other = 0;                  // in a pair: the other answer's Σ (log-probability - reference)
  // If plan tokens have a separate advantage (contract::Objective::plan_weight), it is `plan`, and `weight`
  // is the advantage of all other tokens.
  double plan = 0;
  /// the number of the answer's first tokens that are the plan; may exceed the answer's tokens
  std::int64_t plan_tokens = 0;
};

/// The facts that an objective needs about the optimiser step to which the answer belongs.
struct StepFacts {
  std::int64_t answers = 0;  // all answers of the step, with answers of weight 0 and both answers of a pair
  std::int64_t tokens = 0;   // tokens of all answers together
  std::int64_t plan_tokens = 0;  // the plan tokens among `tokens`
};
/// Returns the facts of an optimiser step with the documents whose indices are `chosen`.
StepFacts facts_of(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                   std::int64_t context);

/// The measures other than the loss. Unless said otherwise, a measure is a sum over the tokens of the answers
/// whose loss isn't constant.
struct ObjectiveMeasures {
  std::int64_t tokens = 0, answers = 0;
  std::int64_t plan_tokens = 0;  // the plan tokens among `tokens`
  /// entropy of the policy's distribution of the next token, in nats; filled in by trainers
  double entropy = 0;
  double ratio = 0;      // the token's current probability divided by its old one
  double deviation = 0;  // the largest |ratio - 1| of a token
  double clipped = 0;    // tokens whose ratio was clipped, so that they have no gradient
  double kl = 0;         // the estimate k3 of the divergence from the reference, in nats
  // The next four measures are for tokens whose log-probabilities at sampling are known.
  std::int64_t sampled = 0;
  double sampling_ratio = 0;      // the old probability divided by the probability at sampling
  double sampling_deviation = 0;  // the largest |old probability / probability at sampling - 1| of a token
  double corrected = 0;           // tokens for which this ratio is past its cap
  // The next two measures count answers for all of whose tokens these log-probabilities are known.
  double sampled_answers = 0;
  /// answers that are dropped because their probabilities in training and sampling differ too much
  double rejected = 0;
  // The next three measures are sums over pairs.
  double pairs = 0;
  double margin = 0;  // β · (right answer's log ratio to the reference - wrong answer's)
  double won = 0;     // pairs whose margin is above 0

  void add(const ObjectiveMeasures& other);
};

struct AnswerLoss {
  double loss = 0;  // the answer's part of the step's loss, which is the sum over the step's answers
  ObjectiveMeasures measures;
};

class Objective;
/// Returns the means of a step's measures, by the names of the objective's metrics.
std::vector<std::pair<std::string, double>> means_of(const Objective& objective,
                                                     const ObjectiveMeasures& sums);

class Objective {
 public:
  /// The weighted likelihood: - 1/N Σ weight Σ log-probability over the step's N answer tokens. With
  /// advantages as weights that is REINFORCE (Williams 1992), whose coefficients need no log-probabilities.
  Objective() = default;
  /// Throws UserError where numbers are out of range.
  explicit Objective(const contract::Objective& settings);

  /// Whether the objective is the weighted likelihood. For it, trainers need only one pass, since each
  /// token's coefficient is known beforehand: - weight / N.
  bool likelihood() const { return !settings_; }
  bool needs_old() const { return settings_ && settings_->loss == contract::LossKind::clipped_ratio; }
  bool needs_reference() const { return settings_ && (pairs() || settings_->kl > 0); }
  /// Whether an answer's loss is constant because its weights are 0. Such an answer counts in StepFacts, but
  /// trainers compute and measure nothing for it.
  bool constant(const Document& document) const {
    return document.weight == 0 && document.plan.value_or(0) == 0 && !needs_reference();
  }
  /// Whether plan tokens and code tokens have separate advantages.
  bool splits() const { return settings_ && settings_->plan_weight; }
  bool needs_sampled() const { return settings_ && settings_->mismatch != contract::Mismatch::ignore; }
  /// Whether answers are dropped if their probabilities in training and sampling differ too much.
  bool rejects_answers() const {
    return settings_ && (settings_->mismatch_answer_cap || settings_->mismatch_veto);
  }
  /// Whether an answer's loss depends on the other answer of its pair (AnswerFacts::other). A step then
  /// consists of whole pairs, and begins with a pass without gradients under the same dropout masks.
  bool pairs() const { return settings_ && settings_->loss == contract::LossKind::preference; }
  /// Returns the loss of one answer, in f64. `logp` has the log-probabilities of the answer's tokens;
  /// `coefficients`, of the same size, receives the derivatives of the loss by them. An answer without tokens
  /// has loss 0.
  AnswerLoss answer(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                    std::span<float> coefficients) const;

 private:
  AnswerLoss likelihood(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                        std::span<float> coefficients) const;
  AnswerLoss token_ratios(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                          std::span<float> coefficients) const;
  /// Consecutive tokens of an answer with the same advantage; `share` is the weight of each token in the
  /// loss.
  struct Part {
    std::size_t begin, end;
    double advantage, share;
  };
  std::vector<Part> parts_of(std::size_t tokens, const AnswerFacts& facts, const StepFacts& step) const;
  /// Returns the factor of a token's surrogate loss. `log_ratio` is the logarithm of the token's old
  /// probability divided by its probability at sampling.
  double correction(double log_ratio, ObjectiveMeasures& measures) const;
  /// Whether an answer of `tokens` tokens is dropped.
  bool rejects(const AnswerFacts& facts, std::size_t tokens) const;
  AnswerLoss answer_ratio(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                          std::span<float> coefficients) const;
  AnswerLoss preference(std::span<const float> logp, const AnswerFacts& facts, const StepFacts& step,
                        std::span<float> coefficients) const;

  std::optional<contract::Objective> settings_;
};

/// An objective and the numbers that it needs for each document of a stage. A vector is empty if the
/// objective doesn't need it. Otherwise it has an entry for each document, with a number for each answer
/// token; the entry is empty if the document's loss is constant.
struct Learning {
  Objective objective;
  std::vector<std::vector<float>> old, reference;

  /// Returns the facts of one document, except AnswerFacts::other.
  AnswerFacts facts(const std::vector<Document>& documents, std::size_t document) const;
  /// For pairs: returns Σ (log-probability - reference log-probability) of a document; `logp` are its current
  /// log-probabilities.
  double log_ratio(std::size_t document, std::span<const float> logp) const;
};

}  // namespace trl::runtime
