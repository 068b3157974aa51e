// Objectives compared with autograd on their published formulas: alone, in double precision, and through both
// trainers on a random model.
#include <gtest/gtest.h>

#include "base/contract/measures.hpp"
#include "runtime/train/loss.hpp"
#include "runtime/train/trainer.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using contract::LossKind, contract::MeanOver, contract::RatioOf;
using testing::stage_error;
using testing::tiny_config;

/// What an answer's loss is made of: [answer tokens] each, of the type of `logp`.
struct AnswerLogs {
  at::Tensor logp, old, reference;
  double weight;
  at::Tensor drawn;  // undefined: not known
  double plan = 0;   // the advantage of the plan tokens, which come first
  std::int64_t plan_tokens = 0;
};

at::Tensor correction_of(const AnswerLogs& answer, const contract::Objective& settings) {
  if (!answer.drawn.defined()) return at::ones({}, at::kDouble);
  const auto ratio = (answer.old - answer.drawn).exp();
  const double cap = settings.mismatch_cap;
  if (settings.mismatch == contract::Mismatch::truncate) return ratio.clamp_max(cap);
  if (settings.mismatch != contract::Mismatch::reject) return at::ones({}, at::kDouble);
  return at::where(ratio.gt(cap).logical_or(ratio.lt(1 / cap)), at::zeros_like(ratio), ratio);
}

/// 1 where an answer counts, and 0 where the geometric mean of its ratios, or a ratio, is out of bounds.
double counts(const AnswerLogs& answer, const contract::Objective& settings) {
  if (!answer.drawn.defined()) return 1;
  const auto ratio = (answer.old - answer.drawn).exp();
  const double w = ratio.log().mean().exp().item<double>(),
               cap = settings.mismatch_answer_cap.value_or(HUGE_VAL);
  return w <= cap && w >= 1 / cap && ratio.min().item<double>() >= settings.mismatch_veto.value_or(0) ? 1 : 0;
}

at::Tensor k3(const AnswerLogs& answer) {
  const auto d = answer.reference - answer.logp;
  return d.exp() - d - 1;
}

at::Tensor clipped(const at::Tensor& ratio, double advantage, const contract::Objective& settings) {
  const auto bounded = ratio.clamp(1 - settings.clip_low.value_or(1), 1 + settings.clip_high.value_or(1e9));
  return at::min(ratio * advantage, bounded * advantage);
}

/// GRPO's loss of some of each answer's tokens, `from(answer)` … `to(answer)`, as if there were no others.
template <typename From, typename To, typename Advantage>
at::Tensor loss_of_tokens(const contract::Objective& settings, const std::vector<AnswerLogs>& answers,
                          const From& from, const To& to, const Advantage& advantage) {
  std::vector<at::Tensor> parts;
  std::int64_t tokens = 0;
  for (const auto& answer : answers) tokens += to(answer) - from(answer);
  for (const auto& answer : answers) {
    const auto length = to(answer) - from(answer);
    if (length == 0) continue;
    const auto ratio = (answer.logp - answer.old).exp();
    const auto loss = (-clipped(ratio, advantage(answer), settings) * correction_of(answer, settings) +
                       settings.kl * k3(answer)) *
                      counts(answer, settings);
    const double count = static_cast<double>(answers.size());
    parts.push_back(loss.slice(0, from(answer), to(answer)).sum() /
                    (settings.mean_over == MeanOver::answers  ? static_cast<double>(length) * count
                     : settings.mean_over == MeanOver::tokens ? static_cast<double>(tokens)
                                                              : settings.constant * count));
  }
  return at::stack(parts).sum();
}

/// The formulas as they are published, of all answers of a step together.
at::Tensor published(const contract::Objective& settings, const std::vector<AnswerLogs>& answers) {
  std::vector<at::Tensor> parts;
  if (settings.loss == LossKind::preference) {  // answers 2 i and 2 i + 1 are a pair, the right one first
    for (std::size_t i = 0; i < answers.size(); i += 2) {
      const auto& right = answers[i];
      const auto& wrong = answers[i + 1];
      const auto d = (right.logp.sum() - right.reference.sum()) - (wrong.logp.sum() - wrong.reference.sum());
      parts.push_back(-at::log_sigmoid(settings.beta * d));
    }
    return at::stack(parts).mean();
  }
  if (settings.ratio == RatioOf::answer) {
    for (const auto& answer : answers) {
      const auto ratio = (answer.logp.sum() - answer.old.sum()).exp();
      const auto loss = -clipped(ratio, answer.weight, settings) + settings.kl * k3(answer).sum();
      parts.push_back(loss / static_cast<double>(answers.size()));
    }
    return at::stack(parts).sum();
  }
  const auto begin = [](const AnswerLogs&) { return std::int64_t{0}; };
  const auto end = [](const AnswerLogs& answer) { return answer.logp.size(0); };
  const auto plan_end = [&](const AnswerLogs& answer) { return std::min(answer.plan_tokens, end(answer)); };
  const auto weight = [](const AnswerLogs& answer) { return answer.weight; };
  if (!settings.plan_weight) return loss_of_tokens(settings, answers, begin, end, weight);
  // TritonRL: J = plan_weight · J_plan + J_code.
  return *settings.plan_weight * loss_of_tokens(settings, answers, begin, plan_end,
                                                [](const AnswerLogs& answer) { return answer.plan; }) +
         loss_of_tokens(settings, answers, plan_end, end, weight);
}

struct ObjectiveCase {
  std::string name;
  contract::Objective settings;
};

std::vector<ObjectiveCase> cases_of_objectives() {
  contract::Objective grpo;
  grpo.clip_low = grpo.clip_high = 0.2;
  auto with_kl = grpo, dapo = grpo, dr_grpo = grpo, free = grpo, rloo = grpo, truncated = grpo,
       dpo = contract::Objective();
  with_kl.kl = 0.04;
  dapo.clip_high = 0.28, dapo.mean_over = MeanOver::tokens;
  dr_grpo.mean_over = MeanOver::constant, dr_grpo.constant = 48;
  free.clip_low = free.clip_high = {};
  rloo.ratio = RatioOf::answer, rloo.kl = 0.05;
  truncated.mismatch = contract::Mismatch::truncate, truncated.mismatch_cap = 1.1, truncated.kl = 0.03;
  auto rejected = truncated;
  rejected.mismatch = contract::Mismatch::reject;
  auto dropped = with_kl, vetoed = rejected, both = truncated;
  dropped.mismatch = contract::Mismatch::measure, dropped.mismatch_answer_cap = 1.03;
  vetoed.mismatch_veto = 0.8, vetoed.mean_over = MeanOver::tokens;
  both.mismatch_answer_cap = 1.05, both.mismatch_veto = 0.65, both.plan_weight = 0.4;
  dpo.loss = LossKind::preference, dpo.beta = 0.3;
  auto planned = with_kl, planned_tokens = truncated, planned_constant = dr_grpo;
  planned.plan_weight = 0.1;
  planned_tokens.plan_weight = 0.7, planned_tokens.mean_over = MeanOver::tokens;
  planned_constant.plan_weight = 3;
  return {{"GRPO", grpo},
          {"GRPO with a divergence", with_kl},
          {"DAPO", dapo},
          {"Dr. GRPO", dr_grpo},
          {"without bounds", free},
          {"RLOO", rloo},
          {"truncated", truncated},
          {"rejected", rejected},
          {"answers dropped", dropped},
          {"answers with a token below the veto dropped", vetoed},
          {"answers dropped, tokens truncated, plan and code", both},
          {"DPO", dpo},
          {"plan and code", planned},
          {"plan and code over all tokens", planned_tokens},
          {"plan and code over a constant", planned_constant}};
}

std::span<const float> span_of(const at::Tensor& tensor) {
  return {tensor.const_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

double relative(const at::Tensor& found, const at::Tensor& expected) {
  const auto wide = expected.detach().to(at::kDouble);
  return (found.detach().to(at::kDouble) - wide).norm().item<double>() / wide.norm().item<double>();
}

TEST(ObjectiveTest, LossAndCoefficientsAreThoseOfAutogradOnThePublishedFormulas) {
  at::manual_seed(1);
  for (const auto& [name, settings] : cases_of_objectives()) {
    std::vector<at::Tensor> logp, old, reference, drawn, leaves;
    std::vector<AnswerLogs> answers;
    const bool pairs = settings.loss == LossKind::preference;
    const std::vector<double> advantages = {1.25, -0.75, 0.0, 2.0, -1.5, 0.5};
    const std::vector<double> plan_advantages = {0.25, 1.5, -1.0, 0.0, -0.5, 2.0};
    StepFacts step;
    step.answers = 6;
    for (std::size_t i = 0; i < advantages.size(); ++i) {
      const std::int64_t length = 1 + static_cast<std::int64_t>(i * i * 3 % 23);
      logp.push_back(-at::rand({length}) * 3);
      // Whole answers' ratios would all be past their bounds if each token's were far from 1.
      old.push_back(logp.back() + at::randn({length}) * (settings.ratio == RatioOf::answer ? 0.1 : 0.3));
      reference.push_back(logp.back() + at::randn({length}) * 0.5);
      drawn.push_back(i == 1 ? at::Tensor(at::empty({0})) : old.back() + at::randn({length}) * 0.15);
      leaves.push_back(logp.back().to(at::kDouble).requires_grad_(true));
      const double weight = pairs ? (i % 2 == 0 ? 1 : -1) : advantages[i];
      answers.push_back({leaves.back(), old.back().to(at::kDouble), reference.back().to(at::kDouble), weight,
                         i == 1 ? at::Tensor() : drawn.back().to(at::kDouble)});
      // Of the first answer all is plan, and more than there is; of the last one nothing.
      answers.back().plan = plan_advantages[i];
      answers.back().plan_tokens = i == 0 ? 99 : i == 5 ? 0 : length / 3;
      step.tokens += length;
      step.plan_tokens += std::min(answers.back().plan_tokens, length);
    }
    const auto expected = published(settings, answers);
    expected.backward();
    const Objective objective(settings);
    double loss = 0;
    ObjectiveMeasures measures;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      AnswerFacts facts{answers[i].weight, span_of(old[i]), span_of(reference[i]), span_of(drawn[i])};
      facts.plan = answers[i].plan, facts.plan_tokens = answers[i].plan_tokens;
      if (pairs) facts.other = (leaves[i ^ 1] - answers[i ^ 1].reference).sum().item<double>();
      auto coefficients = at::zeros_like(logp[i]);
      const auto found = objective.answer(
          span_of(logp[i]), facts, step,
          {coefficients.mutable_data_ptr<float>(), static_cast<std::size_t>(coefficients.numel())});
      loss += found.loss;
      measures.add(found.measures);
      EXPECT_TRUE(at::allclose(coefficients.to(at::kDouble), leaves[i].grad(), 1e-6, 1e-9))
          << name << ", " << i;
    }
    EXPECT_NEAR(loss, expected.item<double>(), 1e-9 * (1 + std::abs(loss))) << name;
    EXPECT_EQ(measures.tokens, step.tokens);
    EXPECT_EQ(measures.answers, step.answers);
    EXPECT_EQ(measures.plan_tokens, settings.plan_weight ? step.plan_tokens : 0) << name;
    if (objective.needs_sampled()) {
      EXPECT_EQ(measures.sampled, step.tokens - logp[1].size(0)) << "of one answer it isn't known";
      EXPECT_EQ(measures.sampled_answers, 5) << name;
      EXPECT_EQ(measures.corrected > 0, settings.mismatch != contract::Mismatch::measure) << name;
      EXPECT_LT(measures.corrected, static_cast<double>(measures.sampled));
    }
    EXPECT_EQ(measures.rejected > 0, objective.rejects_answers()) << name;
    EXPECT_LT(measures.rejected, 5) << name;
    if (!settings.clip_low) continue;
    EXPECT_GT(measures.clipped, 0) << name << ": no ratio is past its bound";
    EXPECT_LT(measures.clipped, static_cast<double>(step.tokens)) << name;
  }
}

TEST(ObjectiveTest, MeasuresAreThoseOfTheTokens) {
  contract::Objective settings;
  settings.clip_low = settings.clip_high = 0.2, settings.kl = 0.1;
  const Objective objective(settings);
  const std::vector<float> old = {-1, -2, -3, -1}, reference = {-1, -2, -2, -1};
  const std::vector<float> logp = {-1, -2 + std::log(1.5F), -3 + std::log(0.5F), -1};
  std::vector<float> coefficients(4);
  const auto found = objective.answer(logp, {1, old, reference, {}}, {1, 4}, coefficients);
  auto sums = found.measures;
  sums.entropy = 8;
  std::map<std::string, double> means;
  for (const auto& [name, value] : means_of(objective, sums)) means[name] = value;
  EXPECT_NEAR(means.at("ratio"), 1, 1e-6);
  EXPECT_NEAR(means.at("ratio_deviation"), 0.5, 1e-6);
  EXPECT_NEAR(means.at("clip_share"), 0.25, 1e-9)
      << "0.5 is past no bound that counts for a positive advantage";
  EXPECT_EQ(means.at("entropy"), 2);
  const double up = std::log(1.5), down = std::log(0.5);
  EXPECT_NEAR(means.at("kl"), (std::exp(-up) + up - 1 + std::exp(1 - down) - (1 - down) - 1) / 4, 1e-6);
  EXPECT_FALSE(means.contains("margin"));
  EXPECT_FALSE(means.contains("plan_tokens"));
}

TEST(ObjectiveTest, EveryMeasureIsExplained) {
  const auto known = contract::measures();
  ObjectiveMeasures sums;
  sums.tokens = sums.sampled = 1, sums.pairs = sums.sampled_answers = 1;
  for (const auto& [name, settings] : cases_of_objectives())
    for (const auto& measure : means_of(Objective(settings), sums))
      EXPECT_TRUE(std::any_of(known.begin(), known.end(),
                              [&](const auto& one) { return one.of_step && one.name == measure.first; }))
          << measure.first << " has no row in base/contract/measures.cpp";
}

TEST(ObjectiveTest, AnAnswerIsDroppedByItsGeometricMeanWhateverItsLength) {
  contract::Objective settings;
  settings.mismatch = contract::Mismatch::measure, settings.mismatch_answer_cap = 1.001;
  const auto rejected = [&](const std::vector<double>& ratios) {
    std::vector<float> old(ratios.size(), -4), drawn, coefficients(ratios.size());
    for (const double ratio : ratios) drawn.push_back(static_cast<float>(-4 - std::log(ratio)));
    const auto found = Objective(settings).answer(old, {1, old, {}, drawn}, {1, 8}, coefficients);
    EXPECT_EQ(found.loss == 0, found.measures.rejected == 1);
    for (const float one : coefficients) EXPECT_EQ(one == 0, found.measures.rejected == 1);
    return found.measures.rejected == 1;
  };
  EXPECT_FALSE(rejected(std::vector<double>(500, 1.0009)));  // whose product is 1.57
  EXPECT_TRUE(rejected(std::vector<double>(500, 1.0012)));
  EXPECT_TRUE(rejected(std::vector<double>(500, 0.9988)));
  EXPECT_TRUE(rejected({1.0012}));
  EXPECT_FALSE(rejected({1.5, 1 / 1.5}));
  EXPECT_TRUE(rejected({1.5, 1, 1}));
  settings.mismatch_veto = 0.7;
  EXPECT_TRUE(rejected({1.5, 1 / 1.5}));
  settings.mismatch_answer_cap.reset();
  EXPECT_FALSE(rejected({1.5, 1, 0.8}));
  EXPECT_TRUE(rejected({1.5, 1, 0.6}));
}

TEST(ObjectiveTest, PlanAndCodeAreCountedApart) {
  contract::Objective settings;
  settings.clip_low = settings.clip_high = 0.2, settings.plan_weight = 0.1;
  const Objective objective(settings);
  const std::vector<float> logp = {-1, -2, -3, -1, -2};
  std::vector<float> coefficients(5);
  ObjectiveMeasures sums;
  for (const std::int64_t plan_tokens : {2, 0}) {
    AnswerFacts facts{1, logp, {}, {}};
    facts.plan = -1, facts.plan_tokens = plan_tokens;
    sums.add(objective.answer(logp, facts, {2, 10, 2}, coefficients).measures);
    // Without a plan an answer's loss is that of its code: J_plan is a mean over answers, of which it is one.
    EXPECT_NEAR(coefficients[0], plan_tokens > 0 ? 0.1 / 2 / 2 : -1.0 / 2 / 5, 1e-7);
    EXPECT_NEAR(coefficients[4], plan_tokens > 0 ? -1.0 / 2 / 3 : -1.0 / 2 / 5, 1e-7);
  }
  std::map<std::string, double> means;
  for (const auto& [name, value] : means_of(objective, sums)) means[name] = value;
  EXPECT_EQ(means.at("plan_tokens"), 1);
  EXPECT_EQ(means.at("code_tokens"), 4);
}

TEST(ObjectiveTest, AnAnswerTeachesAsLongAsPlanOrCodeDoes) {
  contract::Objective settings;
  settings.plan_weight = 0.1;
  const Objective objective(settings);
  Document document;
  document.weight = 0, document.plan = 0.0F;
  EXPECT_TRUE(objective.constant(document));
  document.plan = -0.5F;
  EXPECT_FALSE(objective.constant(document));
  document.weight = 1, document.plan.reset();
  EXPECT_FALSE(objective.constant(document));
}

TEST(ObjectiveTest, NumbersOutOfRangeAreRefused) {
  const auto refused = [](auto change) {
    contract::Objective settings;
    settings.clip_low = settings.clip_high = 0.2;
    change(settings);
    return stage_error([&] { Objective{settings}; });
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_NE(refused([](auto& s) { s.clip_low = 1.5; }), "");
  EXPECT_NE(refused([](auto& s) { s.clip_high = -0.1; }), "");
  EXPECT_NE(refused([](auto& s) { s.kl = -1; }), "");
  EXPECT_NE(refused([](auto& s) { s.mean_over = MeanOver::constant; }), "");
  EXPECT_NE(refused([](auto& s) { s.loss = LossKind::preference; }), "");
  EXPECT_NE(refused([](auto& s) { s.mismatch = contract::Mismatch::reject; }), "");
  EXPECT_NE(refused([](auto& s) { s.mismatch_answer_cap = 1.1; }), "") << "nothing is known of sampling";
  const auto measured = [&](auto change) {
    return refused([&](auto& s) {
      s.mismatch = contract::Mismatch::measure;
      change(s);
    });
  };
  EXPECT_EQ(measured([](auto& s) { s.mismatch_answer_cap = 1.001, s.mismatch_veto = 1e-4; }), "");
  EXPECT_NE(measured([](auto& s) { s.mismatch_answer_cap = 0.9; }), "");
  EXPECT_NE(measured([](auto& s) { s.mismatch_veto = 0; }), "");
  EXPECT_NE(measured([](auto& s) { s.mismatch_veto = 1.1; }), "");
  EXPECT_NE(measured([](auto& s) { s.mismatch_veto = 0.1, s.ratio = RatioOf::answer; }), "");
  EXPECT_NE(refused([](auto& s) { s.plan_weight = -0.1; }), "");
  EXPECT_NE(refused([](auto& s) { s.plan_weight = 0.1, s.ratio = RatioOf::answer; }), "");
  EXPECT_NE(refused([](auto& s) { s.plan_weight = 0.1, s.loss = LossKind::preference, s.beta = 1; }), "");
}

/// A random model, documents of odd lengths, and three adapters: the one that is trained, that of the old
/// policy, and the reference.
class ObjectiveOfModelTest : public ::testing::Test {
 protected:
  ObjectiveOfModelTest()
      : config_(tiny_config()),
        model_(config_, testing::scattered_weights(config_), at::kFloat, LanguageModel::Use::trained),
        current_(adapter(0.02F, 0)),
        old_(adapter(0.02F, 0.004F)),
        reference_(adapter(0.02F, -0.008F)) {
    for (const int length : {9, 16, 33, 47, 64, 66, 95, 130}) {  // the last one exceeds the context of 96
      Document document;
      for (int t = 0; t < length; ++t)
        document.tokens.push_back(static_cast<Token>((length * 71 + t * t * 13) % config_.vocabulary));
      document.answer_begin = static_cast<std::size_t>(length) / 3;
      documents_.push_back(document);
    }
  }

  Lora adapter(float size, float change) const {
    const auto fresh =
        Lora::fresh(config_, lora_settings({{"rank", 3}, {"alpha", 6}, {"dropout", 0.1}}, config_.family), 3);
    auto pairs = fresh.pairs();
    int number = 0;
    for (auto& [module, pair] : pairs) {
      const auto angle = at::arange(pair.b.numel(), at::kFloat) + ++number;
      pair.b = (at::sin(angle) * size + at::cos(angle * 2) * change).view_as(pair.b);
    }
    Lora lora(fresh.settings(), pairs);
    lora.prepare_training(at::kCPU);
    return lora;
  }

  /// [answer tokens] of one document, unpadded.
  at::Tensor scores(std::size_t i, const Lora* lora) const {
    const auto& document = documents_[i];
    const std::vector<std::int64_t> wide(document.tokens.begin(), document.tokens.end());
    const auto tokens = at::tensor(wide, at::kLong);
    const auto length = std::min<std::int64_t>(tokens.size(0) - 1, config_.context);
    const auto begin = static_cast<std::int64_t>(document.answer_begin) - 1;
    const auto logits = model_.logits(model_.hidden(tokens.narrow(0, 0, length).unsqueeze(0), lora)[0]);
    const auto logp = at::log_softmax(logits, -1).gather(1, tokens.narrow(0, 1, length).unsqueeze(1));
    return logp.squeeze(1).narrow(0, begin, length - begin);
  }

  std::unique_ptr<Trainer> trainer(bool loops) const {
    return loops ? trainer_by_loops(model_, current_.settings(), documents_, 2)
                 : trainer_by_tensors(model_, documents_, 140);
  }

  ModelConfig config_;
  LanguageModel model_;
  Lora current_, old_, reference_;
  std::vector<Document> documents_;
  const std::vector<std::size_t> chosen_ = {6, 0, 7, 2, 5, 1};
  std::vector<RandomKey> keys_ = std::vector<RandomKey>(6);
};

TEST_F(ObjectiveOfModelTest, LogProbabilitiesAreThoseOfTheWholeDistribution) {
  const at::NoGradGuard no_grad;
  for (const bool loops : {true, false}) {
    const auto made = trainer(loops);
    for (const Lora* lora : {static_cast<const Lora*>(nullptr), static_cast<const Lora*>(&current_)}) {
      const auto found = made->log_probabilities(lora, chosen_, {});
      for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const auto expected = scores(chosen_[i], lora);
        ASSERT_EQ(static_cast<std::int64_t>(found[i].size()), expected.size(0));
        EXPECT_LT(relative(at::tensor(found[i]), expected), 1e-6) << loops << ", " << i;
      }
    }
  }
}

TEST_F(ObjectiveOfModelTest, BothTrainersGiveLossAndGradientsOfAutograd) {
  const std::vector<float> advantages = {1.25F, -0.75F, 0, 2, -1.5F, 0.5F};
  const std::vector<float> plan_advantages = {-1, 0.5F, 0, 1.5F, 0, -0.25F};
  for (auto [name, settings] : cases_of_objectives()) {
    const bool pairs = settings.loss == LossKind::preference;
    if (settings.ratio == RatioOf::answer) settings.clip_low = settings.clip_high = 0.9;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      auto& document = documents_[chosen_[i]];
      document.weight = pairs ? (i % 2 == 0 ? 1.0F : -1.0F) : advantages[i];
      document.other = pairs ? std::optional(chosen_[i ^ 1]) : std::nullopt;
      document.plan = settings.plan_weight ? std::optional(plan_advantages[i]) : std::nullopt;
      document.code_begin = document.answer_begin + i * 5;
    }
    auto own = current_.copy_for_thread();
    own.set_dropout({});
    std::vector<AnswerLogs> answers;
    for (const auto i : chosen_) {
      const auto detached = [&](const Lora& lora) { return scores(i, &lora).detach().to(at::kDouble); };
      answers.push_back(
          {scores(i, &own).to(at::kDouble), detached(old_), detached(reference_), documents_[i].weight, {}});
      answers.back().plan = documents_[i].plan.value_or(0);
      answers.back().plan_tokens = plan_tokens(documents_[i]);
    }
    double mean_weight = 0;
    for (const auto i : chosen_)
      mean_weight += std::abs(documents_[i].weight) / static_cast<double>(chosen_.size());
    const auto expected = published(settings, answers);
    expected.backward();
    // Without dropout, so that the formula above needs no masks.
    auto without = current_.settings();
    without.dropout = 0;
    Lora lora(without, current_.pairs());
    for (const bool loops : {true, false}) {
      const auto made = loops ? trainer_by_loops(model_, without, documents_, 2) : trainer(false);
      std::vector<std::size_t> all(documents_.size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
      Learning learning{Objective(settings), made->log_probabilities(&old_, all, {}),
                        made->log_probabilities(&reference_, all, {})};
      made->learn_by(learning);
      const auto found = made->step(lora, chosen_, keys_);
      // The loss is a sum of terms of both signs, about as large as the answers' weights, which nearly
      // cancel: an error is relative to these.
      EXPECT_NEAR(found.loss.item<double>(), expected.item<double>(),
                  1e-5 * std::max(std::abs(expected.item<double>()), mean_weight))
          << name << ", " << loops;
      const auto parameters = own.parameters();
      ASSERT_EQ(found.tensors.size(), parameters.size());
      std::vector<at::Tensor> ours, theirs;
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        ours.push_back(found.tensors[p].flatten());
        theirs.push_back(parameters[p].grad().flatten());
      }
      EXPECT_LT(relative(at::cat(ours), at::cat(theirs)), 1e-5) << name << ", " << loops;
      ASSERT_TRUE(found.measures);
      EXPECT_GT(found.measures->entropy, 0);
      std::int64_t tokens = 0;
      for (const auto i : chosen_)
        if (!learning.objective.constant(documents_[i]))
          tokens += answer_tokens(documents_[i], config_.context);
      EXPECT_EQ(found.measures->tokens, tokens) << name << ", " << loops;
      if (pairs || settings.kl > 0) continue;
      const auto idle = made->step(lora, {chosen_[2]}, {keys_[2]});
      EXPECT_EQ(idle.loss.item<double>(), 0) << name << ": an advantage of 0 teaches nothing";
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        EXPECT_EQ(idle.tensors.at(p).sizes(), parameters[p].sizes());
        EXPECT_EQ(idle.tensors[p].abs().max().item<float>(), 0) << name << ", " << loops;
      }
    }
  }
}

/// TRLOO (Dr. Kernel, Liu et al. 2026) as it is published, of rewards [episodes, turns] and which turns were
/// taken: G(i,t) = sum over s >= t of discount^(s - t) r(i,s), A(i,t) = G(i,t) - mean over the others that
/// came to t.
at::Tensor trloo(const at::Tensor& rewards, const at::Tensor& taken, double discount) {
  const auto episodes = rewards.size(0), turns = rewards.size(1);
  const auto lag = at::arange(turns, at::kDouble).unsqueeze(0) - at::arange(turns, at::kDouble).unsqueeze(1);
  const auto powers = at::where(lag >= 0, at::pow(discount, lag.clamp_min(0)), at::zeros_like(lag));
  const auto returns = (rewards * taken).matmul(powers.t());
  const auto others = (1 - at::eye(episodes, at::kDouble)).matmul(taken);
  const auto sums = (1 - at::eye(episodes, at::kDouble)).matmul(returns * taken);
  return (returns - at::where(others > 0, sums / others.clamp_min(1), at::zeros_like(sums))) * taken;
}

// Three episodes of up to three turns. The prompt of a later turn holds the earlier answers, and isn't
// trained on.
TEST_F(ObjectiveOfModelTest, TurnsOfEpisodesGiveLossAndGradientsOfTheirPublishedFormula) {
  const std::vector<std::vector<double>> rewards = {{1}, {0, 0.7}, {0.2, 0, 1}};
  at::Tensor matrix = at::zeros({3, 3}, at::kDouble), taken = at::zeros({3, 3}, at::kDouble);
  std::vector<std::pair<int, int>> places;
  documents_.clear();
  for (int i = 0; i < 3; ++i) {
    Document last;
    for (int t = 0; t < static_cast<int>(rewards[static_cast<std::size_t>(i)].size()); ++t) {
      matrix[i][t] = rewards[static_cast<std::size_t>(i)][static_cast<std::size_t>(t)], taken[i][t] = 1;
      for (int k = 0; k < 5 + 3 * t; ++k)  // the task, or what the verdict says
        last.tokens.push_back(static_cast<Token>((i * 71 + t * 7 + k * k * 13) % config_.vocabulary));
      last.answer_begin = last.tokens.size();
      for (int k = 0; k < 9 + 4 * i + t; ++k)
        last.tokens.push_back(static_cast<Token>((i * 31 + t * 5 + k * k * 17) % config_.vocabulary));
      documents_.push_back(last);
      places.emplace_back(i, t);
    }
  }
  const auto advantages = trloo(matrix, taken, 0.4);
  EXPECT_NEAR(advantages[0][0].item<double>(), 1 - (0.28 + 0.36) / 2, 1e-12);
  EXPECT_NEAR(advantages[2][2].item<double>(), 1, 1e-12) << "no other came to the third turn";
  contract::Objective settings;
  settings.clip_low = 0.02, settings.clip_high = 0.03, settings.mean_over = MeanOver::tokens;
  std::vector<std::size_t> all;
  std::vector<AnswerLogs> answers;
  auto without = current_.settings();
  without.dropout = 0;
  Lora own(without, current_.pairs()), lora(without, current_.pairs());
  own.prepare_training(at::kCPU);
  for (std::size_t d = 0; d < documents_.size(); ++d) {
    const double advantage = advantages[places[d].first][places[d].second].item<double>();
    documents_[d].weight = static_cast<float>(advantage);
    answers.push_back({scores(d, &own).to(at::kDouble),
                       scores(d, &old_).detach().to(at::kDouble),
                       scores(d, &reference_).detach().to(at::kDouble),
                       advantage,
                       {}});
    all.push_back(d);
  }
  const auto expected = published(settings, answers);
  expected.backward();
  for (const bool loops : {true, false}) {
    const auto made = loops ? trainer_by_loops(model_, without, documents_, 2)
                            : trainer_by_tensors(model_, documents_, 140);
    made->learn_by({Objective(settings), made->log_probabilities(&old_, all, {}), {}});
    const auto found = made->step(lora, all, std::vector<RandomKey>(all.size()));
    EXPECT_NEAR(found.loss.item<double>(), expected.item<double>(), 1e-5 * std::abs(expected.item<double>()));
    std::vector<at::Tensor> ours, theirs;
    const auto parameters = own.parameters();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      ours.push_back(found.tensors[p].flatten());
      theirs.push_back(parameters[p].grad().flatten());
    }
    EXPECT_LT(relative(at::cat(ours), at::cat(theirs)), 1e-5) << loops;
  }
}

}  // namespace
}  // namespace trl::runtime
