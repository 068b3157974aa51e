// The loss that fine-tuning minimises where it is more than the weighted likelihood of its answers: the field
// `objective` of the spec of `finetune` (docs/interfaces.md, 3). runtime/train/objective.hpp has the
// formulas.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/contract/words.hpp"

namespace trl::contract {

/// `clipped_ratio`: GRPO's and RLOO's surrogate of the advantage. `preference`: DPO's loss of a pair.
enum class LossKind { clipped_ratio, preference };
template <>
struct Words<LossKind> {
  static constexpr std::array<std::pair<LossKind, const char*>, 2> list = {
      {{LossKind::clipped_ratio, "clipped_ratio"}, {LossKind::preference, "preference"}}};
};

/// Whether a ratio of probabilities is taken of each token or of the whole answer.
enum class RatioOf { token, answer };
template <>
struct Words<RatioOf> {
  static constexpr std::array<std::pair<RatioOf, const char*>, 2> list = {
      {{RatioOf::token, "token"}, {RatioOf::answer, "answer"}}};
};

/// How a step's tokens become one number: the mean over its answers of each answer's mean, the mean over all
/// of its tokens, or their sum divided by the number of answers times a constant.
enum class MeanOver { answers, tokens, constant };
template <>
struct Words<MeanOver> {
  static constexpr std::array<std::pair<MeanOver, const char*>, 3> list = {
      {{MeanOver::answers, "answers"}, {MeanOver::tokens, "tokens"}, {MeanOver::constant, "constant"}}};
};

/// The policy from which the divergence is measured: the model without an adapter, or with the adapter with
/// which the training phase began.
enum class Reference { base, start };
template <>
struct Words<Reference> {
  static constexpr std::array<std::pair<Reference, const char*>, 2> list = {
      {{Reference::base, "base"}, {Reference::start, "start"}}};
};

/// The treatment of a token whose probability in training isn't the one that sampling computed
/// (Drawn::scores): nothing is done; their ratio is measured; the token's loss is multiplied by the ratio, at
/// most by the cap; or by the ratio, and by 0 where that is above the cap or below its inverse.
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
  // Of clipped_ratio:
  RatioOf ratio = RatioOf::token;
  std::optional<double> clip_low,
      clip_high;  ///< a ratio counts within 1 - clip_low … 1 + clip_high; none: any
  double kl = 0;  ///< weight of the divergence from the reference
  MeanOver mean_over =
      MeanOver::answers;      ///< for ratios of tokens; ratios of answers are averaged over answers
  std::int64_t constant = 0;  ///< tokens by which MeanOver::constant divides
  Mismatch mismatch = Mismatch::ignore;  ///< for ratios of tokens
  double mismatch_cap = 0;               ///< of truncate and reject
  /// An answer has no loss where the geometric mean of its tokens' ratios is above this or below its inverse,
  /// or a token's ratio is below the veto; none: any. For ratios of tokens, where mismatch isn't ignored.
  std::optional<double> mismatch_answer_cap, mismatch_veto;
  /// Weight of the plan tokens' loss beside that of the code tokens, each a mean over its own tokens
  /// (TritonRL); none: an answer's tokens are all alike. Of ratios of tokens.
  std::optional<double> plan_weight;
  // Of preference:
  double beta = 0;  ///< factor of the difference of logarithms of ratios

  static Objective read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
