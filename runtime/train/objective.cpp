#include "runtime/train/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

using Log = std::span<const float>;

double difference(Log a, Log b, std::size_t t) {
  return static_cast<double>(a[t]) - static_cast<double>(b[t]);
}

double sum_of_differences(Log a, Log b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.size(); ++t) sum += difference(a, b, t);
  return sum;
}

/// The estimate k3 of KL(policy || reference) from a token that the policy drew (Schulman 2020,
/// "Approximating KL divergence"; DeepSeekMath, eq. 4): r - log r - 1 with r = reference / policy. It is
/// never negative.
struct K3 {
  explicit K3(double log_r) : value(std::exp(log_r) - log_r - 1), slope(1 - std::exp(log_r)) {}
  double value, slope;  // slope: by the policy's log-probability
};

/// PPO's surrogate (Schulman et al. 2017, eq. 7): - min(ratio · A, clamp(ratio, 1 - low, 1 + high) · A), and
/// its derivative by the logarithm of the ratio, which is 0 once the ratio is past the bound that counts.
struct Surrogate {
  Surrogate(double ratio, double advantage, const contract::Objective& settings) {
    const double lowest = settings.clip_low ? 1 - *settings.clip_low : 0;
    const double highest = settings.clip_high ? 1 + *settings.clip_high : HUGE_VAL;
    clipped = (advantage > 0 && ratio > highest) || (advantage < 0 && ratio < lowest);
    value = -advantage * (clipped ? std::clamp(ratio, lowest, highest) : ratio);
    slope = clipped ? 0 : value;
  }
  bool clipped;
  double value, slope;
};

bool corrects(const contract::Objective& settings) {
  return settings.mismatch == contract::Mismatch::truncate || settings.mismatch == contract::Mismatch::reject;
}

double at_least_one(std::int64_t count) { return static_cast<double>(std::max<std::int64_t>(count, 1)); }

/// Returns log(1 / (1 + exp(-x))) without overflow.
double log_sigmoid(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }

}  // namespace

void ObjectiveMeasures::add(const ObjectiveMeasures& other) {
  tokens += other.tokens;
  answers += other.answers;
  plan_tokens += other.plan_tokens;
  entropy += other.entropy;
  ratio += other.ratio;
  deviation = std::max(deviation, other.deviation);
  clipped += other.clipped;
  kl += other.kl;
  sampled += other.sampled;
  sampling_ratio += other.sampling_ratio;
  sampling_deviation = std::max(sampling_deviation, other.sampling_deviation);
  corrected += other.corrected;
  sampled_answers += other.sampled_answers;
  rejected += other.rejected;
  pairs += other.pairs;
  margin += other.margin;
  won += other.won;
}

std::vector<std::pair<std::string, double>> means_of(const Objective& objective,
                                                     const ObjectiveMeasures& sums) {
  if (sums.tokens == 0) return {};  // a step whose answers teach nothing
  const double tokens = at_least_one(sums.tokens);
  std::vector<std::pair<std::string, double>> means = {{"entropy", sums.entropy / tokens}};
  if (objective.needs_old()) {
    means.emplace_back("ratio", sums.ratio / tokens);
    means.emplace_back("ratio_deviation", sums.deviation);
    means.emplace_back("clip_share", sums.clipped / tokens);
  }
  if (objective.needs_reference()) means.emplace_back("kl", sums.kl / tokens);
  if (objective.splits()) {
    const double answers = at_least_one(sums.answers);
    means.emplace_back("plan_tokens", static_cast<double>(sums.plan_tokens) / answers);
    means.emplace_back("code_tokens", static_cast<double>(sums.tokens - sums.plan_tokens) / answers);
  }
  if (objective.needs_sampled()) {
    means.emplace_back("sampled_share", static_cast<double>(sums.sampled) / tokens);
  }
  if (objective.needs_sampled() && sums.sampled > 0) {
    means.emplace_back("sampling_ratio", sums.sampling_ratio / at_least_one(sums.sampled));
    means.emplace_back("sampling_deviation", sums.sampling_deviation);
    means.emplace_back("mismatch_share", sums.corrected / at_least_one(sums.sampled));
  }
  if (objective.rejects_answers() && sums.sampled_answers > 0)
    means.emplace_back("rejected_answers", sums.rejected / sums.sampled_answers);
  if (objective.pairs() && sums.pairs > 0) {
    means.emplace_back("margin", sums.margin / sums.pairs);
    means.emplace_back("won", sums.won / sums.pairs);
  }
  return means;
}

Objective::Objective(const contract::Objective& settings) : settings_(settings) {
  const auto refuse = [](const std::string& what, const std::string& help) { throw UserError(what, help); };
  if (pairs()) {
    if (settings.plan_weight)
      refuse("plan tokens have a weight of their own, and a preference is of whole answers",
             "leave plan_weight out");
    if (!(settings.beta > 0))
      refuse(fmt::format("the preference's beta is {}", settings.beta), "use beta = 0.1");
    return;
  }
  if (settings.clip_low && !(*settings.clip_low >= 0 && *settings.clip_low <= 1))
    refuse(fmt::format("clip_low is {}", *settings.clip_low), "use a number from 0 to 1");
  if (settings.clip_high && !(*settings.clip_high >= 0))
    refuse(fmt::format("clip_high is {}", *settings.clip_high), "use 0 or more");
  if (!(settings.kl >= 0))
    refuse(fmt::format("the weight of the divergence is {}", settings.kl), "use kl = 0 or more");
  if (corrects(settings) && !(settings.mismatch_cap >= 1))
    refuse(fmt::format("mismatch_cap is {}", settings.mismatch_cap), "use 1 or more, such as 2");
  if (settings.mismatch_answer_cap && !(*settings.mismatch_answer_cap >= 1))
    refuse(fmt::format("mismatch_answer_cap is {}", *settings.mismatch_answer_cap),
           "use 1 or more, such as 1.001");
  if (settings.mismatch_veto && !(*settings.mismatch_veto > 0 && *settings.mismatch_veto <= 1))
    refuse(fmt::format("mismatch_veto is {}", *settings.mismatch_veto),
           "use a number from 0 to 1, such as 1e-4");
  if (rejects_answers() && (!needs_sampled() || settings.ratio == contract::RatioOf::answer))
    refuse("answers are to be dropped by ratios of training to sampling, which aren't taken up",
           "take them up by tokens: mismatch = measure");
  if (settings.mean_over == contract::MeanOver::constant && settings.constant < 1)
    refuse("a step's sum is divided by no tokens", "use constant = 1 or more");
  if (settings.plan_weight && !(*settings.plan_weight >= 0))
    refuse(fmt::format("the weight of plan tokens is {}", *settings.plan_weight),
           "use plan_weight = 0 or more");
  if (settings.plan_weight && settings.ratio == contract::RatioOf::answer)
    refuse("plan tokens have a weight of their own, and the ratio is of whole answers",
           "take the ratio of tokens");
}

AnswerLoss Objective::answer(Log logp, const AnswerFacts& facts, const StepFacts& step,
                             std::span<float> coefficients) const {
  if (logp.empty()) return {};
  auto answer = likelihood() ? likelihood(logp, facts, step, coefficients)
                : pairs()    ? preference(logp, facts, step, coefficients)
                : settings_->ratio == contract::RatioOf::token
                    ? token_ratios(logp, facts, step, coefficients)
                    : answer_ratio(logp, facts, step, coefficients);
  answer.measures.tokens = static_cast<std::int64_t>(logp.size());
  answer.measures.answers = 1;
  answer.measures.plan_tokens = splits() ? std::min(facts.plan_tokens, answer.measures.tokens) : 0;
  return answer;
}

AnswerLoss Objective::likelihood(Log logp, const AnswerFacts& facts, const StepFacts& step,
                                 std::span<float> coefficients) const {
  AnswerLoss answer;
  const double coefficient = -facts.weight / at_least_one(step.tokens);
  for (std::size_t t = 0; t < logp.size(); ++t) {
    answer.loss += coefficient * static_cast<double>(logp[t]);
    coefficients[t] = static_cast<float>(coefficient);
  }
  return answer;
}

std::vector<Objective::Part> Objective::parts_of(std::size_t tokens, const AnswerFacts& facts,
                                                 const StepFacts& step) const {
  const auto share = [&](std::size_t own, std::int64_t of_all) {
    const double answers = at_least_one(step.answers);
    switch (settings_->mean_over) {
      case contract::MeanOver::tokens:
        return 1 / at_least_one(of_all);
      case contract::MeanOver::constant:
        return 1 / answers / at_least_one(settings_->constant);
      case contract::MeanOver::answers:
        break;
    }
    return 1 / answers / at_least_one(static_cast<std::int64_t>(own));
  };
  if (!splits()) return {{0, tokens, facts.weight, share(tokens, step.tokens)}};
  const auto plan = std::min(static_cast<std::size_t>(facts.plan_tokens), tokens);
  return {{0, plan, facts.plan, *settings_->plan_weight * share(plan, step.plan_tokens)},
          {plan, tokens, facts.weight, share(tokens - plan, step.tokens - step.plan_tokens)}};
}

// GRPO (DeepSeekMath, Shao et al. 2024, eq. 3): each token's surrogate with the answer's advantage, plus kl ·
// k3, averaged
//   over each answer and then over answers: as published there;
//   over all tokens of the step, and with another bound above than below: DAPO (Yu et al. 2025, eq. 8);
//   with a constant in place of each answer's length: Dr. GRPO (Liu et al. 2025), whose advantage isn't
//   divided by the standard deviation either (the stage `select` does that).
// Where tokens were drawn with other probabilities than training computes, a token's surrogate is multiplied
// by old / drawn:
//   at most by the cap: truncated importance sampling (Yao et al. 2025, "Your efficient RL framework secretly
//   brings you off-policy RL training");
//   by 0 outside of 1 / cap … cap: rejection, as IcePop does (Ling team 2025).
// An answer is dropped whole, its loss and its divergence, by the geometric mean of its T tokens' ratios,
// exp(1/T Σ log(old / drawn)), outside of 1 / cap … cap, or by one token whose ratio is below the veto:
//   geometric rejection (Dr. Kernel, Liu et al. 2026, eq. 6). It still counts in the means' denominators.
// With a weight of plan tokens the loss is plan_weight · that of the plan tokens + that of the code tokens:
//   each with an advantage of its own and averaged over its own tokens (TritonRL, Woo et al. 2025).
AnswerLoss Objective::token_ratios(Log logp, const AnswerFacts& facts, const StepFacts& step,
                                   std::span<float> coefficients) const {
  AnswerLoss answer;
  auto& measures = answer.measures;
  const bool known = needs_sampled() && facts.sampled.size() >= logp.size();
  const bool rejected = known && rejects(facts, logp.size());
  measures.sampled_answers = known ? 1 : 0;
  measures.rejected = rejected ? 1 : 0;
  for (const auto& part : parts_of(logp.size(), facts, step))
    for (std::size_t t = part.begin; t < part.end; ++t) {
      const double ratio = std::exp(difference(logp, facts.old, t));
      const Surrogate surrogate(ratio, part.advantage, *settings_);
      const double factor = known ? correction(difference(facts.old, facts.sampled, t), measures) : 1;
      double value = factor * surrogate.value, slope = factor * surrogate.slope;
      measures.ratio += ratio;
      measures.deviation = std::max(measures.deviation, std::abs(ratio - 1));
      measures.clipped += surrogate.clipped;
      if (needs_reference()) {
        const K3 k3(difference(facts.reference, logp, t));
        value += settings_->kl * k3.value, slope += settings_->kl * k3.slope;
        measures.kl += k3.value;
      }
      answer.loss += rejected ? 0 : part.share * value;
      coefficients[t] = rejected ? 0 : static_cast<float>(part.share * slope);
    }
  return answer;
}

bool Objective::rejects(const AnswerFacts& facts, std::size_t tokens) const {
  if (!rejects_answers()) return false;
  double sum = 0, least = HUGE_VAL;
  for (std::size_t t = 0; t < tokens; ++t) {
    const double log_ratio = difference(facts.old, facts.sampled, t);
    sum += log_ratio;
    least = std::min(least, log_ratio);
  }
  if (settings_->mismatch_veto && least < std::log(*settings_->mismatch_veto)) return true;
  return settings_->mismatch_answer_cap &&
         std::abs(sum / static_cast<double>(tokens)) > std::log(*settings_->mismatch_answer_cap);
}

double Objective::correction(double log_ratio, ObjectiveMeasures& measures) const {
  const double ratio = std::exp(log_ratio);
  ++measures.sampled;
  measures.sampling_ratio += ratio;
  measures.sampling_deviation = std::max(measures.sampling_deviation, std::abs(ratio - 1));
  if (!corrects(*settings_)) return 1;
  const double cap = settings_->mismatch_cap;
  const bool rejects = settings_->mismatch == contract::Mismatch::reject;
  const bool past = ratio > cap || (rejects && ratio < 1 / cap);
  measures.corrected += past;
  return !past ? ratio : rejects ? 0 : cap;
}

// RLOO (Ahmadian et al. 2024, with the ratio by which Hugging Face's TRL takes several steps on the same
// answers): the surrogate of the whole answer's probability, Π of its tokens' ratios, averaged over answers.
// In a first step, where the ratio is 1, its gradient is that of - A Σ log-probability. kl · k3 is summed
// over the answer's tokens.
AnswerLoss Objective::answer_ratio(Log logp, const AnswerFacts& facts, const StepFacts& step,
                                   std::span<float> coefficients) const {
  AnswerLoss answer;
  auto& measures = answer.measures;
  const double share = 1 / at_least_one(step.answers);
  const Surrogate surrogate(std::exp(sum_of_differences(logp, facts.old)), facts.weight, *settings_);
  answer.loss = share * surrogate.value;
  measures.clipped = surrogate.clipped ? static_cast<double>(logp.size()) : 0;
  for (std::size_t t = 0; t < logp.size(); ++t) {
    double slope = surrogate.slope;
    const double ratio = std::exp(difference(logp, facts.old, t));
    measures.ratio += ratio;
    measures.deviation = std::max(measures.deviation, std::abs(ratio - 1));
    if (needs_reference()) {
      const K3 k3(difference(facts.reference, logp, t));
      answer.loss += share * settings_->kl * k3.value, slope += settings_->kl * k3.slope;
      measures.kl += k3.value;
    }
    coefficients[t] = static_cast<float>(share * slope);
  }
  return answer;
}

// DPO (Rafailov et al. 2023, eq. 7): - log σ(β (Δ right - Δ wrong)), with Δ = Σ (log-probability - reference)
// of an answer, averaged over pairs. Each of a pair's answers has half of the loss, and the whole derivative
// by its own tokens.
AnswerLoss Objective::preference(Log logp, const AnswerFacts& facts, const StepFacts& step,
                                 std::span<float> coefficients) const {
  AnswerLoss answer;
  const double share = 2 / at_least_one(step.answers), beta = settings_->beta;
  const double margin = beta * facts.weight * (sum_of_differences(logp, facts.reference) - facts.other);
  answer.loss = -share * log_sigmoid(margin) / 2;
  const double slope = -share * facts.weight * beta * std::exp(log_sigmoid(-margin));
  std::fill(coefficients.begin(), coefficients.end(), static_cast<float>(slope));
  answer.measures.pairs = 0.5;
  answer.measures.margin = margin / 2;
  answer.measures.won = margin > 0 ? 0.5 : 0;
  for (std::size_t t = 0; t < logp.size(); ++t)
    answer.measures.kl += K3(difference(facts.reference, logp, t)).value;
  return answer;
}

StepFacts facts_of(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                   std::int64_t context) {
  StepFacts step;
  step.answers = static_cast<std::int64_t>(chosen.size());
  for (const auto i : chosen) {
    const auto tokens = answer_tokens(documents[i], context);
    step.tokens += tokens;
    step.plan_tokens += std::min(plan_tokens(documents[i]), tokens);
  }
  return step;
}

AnswerFacts Learning::facts(const std::vector<Document>& documents, std::size_t document) const {
  AnswerFacts facts;
  facts.weight = documents[document].weight;
  facts.plan = documents[document].plan.value_or(0);
  facts.plan_tokens = plan_tokens(documents[document]);
  facts.sampled = documents[document].sampled;
  if (objective.needs_old()) facts.old = old.at(document);
  if (objective.needs_reference()) facts.reference = reference.at(document);
  return facts;
}

double Learning::log_ratio(std::size_t document, Log logp) const {
  return sum_of_differences(logp, reference.at(document));
}

}  // namespace trl::runtime
