// The loss that fine-tuning minimises if it isn't the weighted likelihood of the answers: the field
// `objective` of the spec of `finetune` (docs/interfaces.md, 3). runtime/train/objective.hpp has the
// formulas.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/contract/words.hpp"

namespace trl::contract {

/// The kind of loss:
/// - `clipped_ratio`: the clipped surrogate of GRPO and RLOO, from the advantage of each answer;
/// - `preference`: DPO's loss of a pair of answers.
enum class LossKind { clipped_ratio, preference };
template <>
struct Words<LossKind> {
  static constexpr std::array<std::pair<LossKind, const char*>, 2> list = {
      {{LossKind::clipped_ratio, "clipped_ratio"}, {LossKind::preference, "preference"}}};
};

/// Whether the ratio of new to old probability is computed for each token or for the whole answer.
enum class RatioOf { token, answer };
template <>
struct Words<RatioOf> {
  static constexpr std::array<std::pair<RatioOf, const char*>, 2> list = {
      {{RatioOf::token, "token"}, {RatioOf::answer, "answer"}}};
};

/// How the losses of a step's tokens are averaged:
/// - `answers`: each answer's mean over its tokens, then the mean over answers;
/// - `tokens`: the mean over all tokens of the step;
/// - `constant`: the sum, divided by the number of answers times a constant.
enum class MeanOver { answers, tokens, constant };
template <>
struct Words<MeanOver> {
  static constexpr std::array<std::pair<MeanOver, const char*>, 3> list = {
      {{MeanOver::answers, "answers"}, {MeanOver::tokens, "tokens"}, {MeanOver::constant, "constant"}}};
};

/// The policy from which the KL divergence is measured:
/// - `base`: the model without an adapter;
/// - `start`: the model with the adapter with which the training phase began.
enum class Reference { base, start };
template <>
struct Words<Reference> {
  static constexpr std::array<std::pair<Reference, const char*>, 2> list = {
      {{Reference::base, "base"}, {Reference::start, "start"}}};
};

/// How a token's loss is corrected if training computes another probability for the token than sampling did
/// (Drawn::scores). The ratio is training's probability / sampling's:
/// - `ignore`: no correction;
/// - `measure`: the ratio is only reported;
/// - `truncate`: the loss is multiplied by the ratio, at most by the cap;
/// - `reject`: the loss is multiplied by the ratio, or by 0 if the ratio is above the cap or below 1 / cap.
enum class Mismatch { ignore, measure, truncate, reject };
template <>
struct Words<Mismatch> {
  static constexpr std::array<std::pair<Mismatch, const char*>, 4> list = {{{Mismatch::ignore, "ignore"},
                                                                            {Mismatch::measure, "measure"},
                                                                            {Mismatch::truncate, "truncate"},
                                                                            {Mismatch::reject, "reject"}}};
};

struct Objective {
  LossKind loss = LossKind::clipped_ratio;
  // Fields of LossKind::clipped_ratio:
  RatioOf ratio = RatioOf::token;
  /// The ratio is clipped to 1 - clip_low … 1 + clip_high; none: no bound on that side.
  std::optional<double> clip_low, clip_high;
  double kl = 0;  ///< weight of the KL divergence from the reference policy
  /// Only with RatioOf::token; ratios of answers are averaged over answers.
  MeanOver mean_over = MeanOver::answers;
  std::int64_t constant = 0;             ///< the divisor of MeanOver::constant, in tokens for each answer
  Mismatch mismatch = Mismatch::ignore;  ///< only with RatioOf::token
  double mismatch_cap = 0;               ///< for `truncate` and `reject`
  /// An answer is dropped if the geometric mean of its tokens' mismatch ratios is above `mismatch_answer_cap`
  /// or below its inverse, or if the ratio of one token is below `mismatch_veto`; none: no such check. Only
  /// with RatioOf::token, and not with Mismatch::ignore.
  std::optional<double> mismatch_answer_cap, mismatch_veto;
  /// The weight of the loss of an answer's plan tokens beside the loss of its code tokens; each loss is a
  /// mean over its own tokens (TritonRL). None: plan and code aren't told apart. Only with RatioOf::token.
  std::optional<double> plan_weight;
  // Field of LossKind::preference:
  double beta = 0;  ///< DPO's β: the factor of the difference of the log-ratios

  static Objective read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
