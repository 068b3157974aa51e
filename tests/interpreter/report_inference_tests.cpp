// Which statistics a study gets: what intervals are about, and what stands for their error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpreter/report/effect_pictures.hpp"
#include "interpreter/report/findings.hpp"
#include "interpreter/report/planning.hpp"
#include "interpreter/report/runs.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

/// The study with three seeds a row.
FinishedStudy& three_seeds() {
  static FinishedStudy finished([] {
    auto document = study();
    document["experiments"]["study"]["seeds"] = {1, 2, 3};
    return document;
  }());
  return finished;
}

const json& experiment(const FinishedStudy& run) { return run.document.at("experiments").at("study"); }

std::vector<HypothesisResult> tested(const FinishedStudy& run, const std::vector<json>& hypotheses) {
  std::vector<std::pair<std::string, json>> named;
  for (const auto& hypothesis : hypotheses)
    named.emplace_back("h" + std::to_string(named.size()), hypothesis);
  return test_hypotheses(named, run.inference, experiment(run));
}

const json inputs = {{"contrast", "inputs"}, {"metric", "correct"}, {"expect", "greater"}};

}  // namespace

TEST(OneSeed, SpeaksOfItsTrainingRunAlone) {
  auto& run = finished_study();
  for (const auto& row : run.plan.rows)
    for (const char* column : {"correct", "speedup", "purity"}) {
      const auto figure = run.inference.figure(parse_column(column), row);
      if (figure.interval) {
        EXPECT_EQ(figure.scope, Scope::these_runs) << row.label << " " << column;
      }
    }
  EXPECT_TRUE(has(run.report().files.at("main.md"), "]†"));
  EXPECT_TRUE(has(run.report().files.at("main.csv"), ",these runs"));
}

TEST(OneSeed, AnEffectIsOfTheRecipeOnlyWhereInteractionsStandForItsError) {
  auto& run = finished_study();
  for (const auto& comparison : all_comparisons(run.plan)) {
    if (comparison.pairs.empty()) continue;
    const auto difference = run.inference.difference(comparison, parse_column("correct"));
    const bool stands = run.inference.question(comparison, 1).pooled_contrasts >= statistics::fewest_pooled;
    EXPECT_EQ(difference->estimate.scope, stands ? Scope::recipe : Scope::these_runs) << comparison.name;
  }
}

TEST(OneSeed, SupportsNothingAgainstAControl) {
  auto& run = finished_study();
  const json different = {
      {"against", experiment(run)["controls"][0]}, {"metric", "correct"}, {"expect", "different"}};
  const auto result = tested(run, {different}).front();
  EXPECT_EQ(result.verdict(), "undecided");
  EXPECT_TRUE(has(sentence(result), "of this training run only"));
}

TEST(SeveralSeeds, SpeakOfTheRecipe) {
  auto& run = three_seeds();
  for (const auto& row : run.plan.rows) {
    const auto figure = run.inference.figure(parse_column("correct"), row);
    EXPECT_EQ(figure.scope, Scope::recipe) << row.label;
    EXPECT_EQ(figure.n, 30);
  }
  const auto result = tested(run, {inputs}).front();
  EXPECT_EQ(result.difference->estimate.scope, Scope::recipe);
  EXPECT_TRUE(result.difference->interval);
}

TEST(SeveralSeeds, AreTheUnitsOfSecondsAndOfTasksThatAreDrawn) {
  auto& run = three_seeds();
  const auto cost = run.inference.figure(parse_column("cost"), run.plan.rows.front());
  EXPECT_EQ(cost.n, 3);
  EXPECT_FALSE(cost.interval) << "the fake worker takes as long under every seed: the spread is unknown";
  std::vector<Part> parts;
  for (int seed = 1; seed <= 3; ++seed)
    for (int task = 0; task < 4; ++task)
      parts.push_back({static_cast<std::uint64_t>(seed),
                       std::to_string(10 * seed + task),
                       double(task < seed),
                       1,
                       "",
                       {}});
  // Each seed draws tasks of its own, so that its share is one observation: 1/4, 2/4, 3/4.
  const auto drawn = level_of(parts, Mean::share, Tasks::drawn);
  EXPECT_EQ(drawn.scope, Scope::recipe);
  EXPECT_NEAR(*drawn.value, 0.5, 1e-12);
  EXPECT_NEAR(drawn.interval->low, 0.0770, 1e-4);  // the logistic of 0 - 4.3027 x 0.14434 / 0.25
  parts.clear();
  for (int seed = 1; seed <= 3; ++seed)
    parts.push_back({static_cast<std::uint64_t>(seed), "", 10.0 + seed, 1, "", {}});
  const auto seconds = level_of(parts, Mean::by_seed, Tasks::crossed);
  EXPECT_NEAR(seconds.interval->high - 12, 4.3027 / std::sqrt(3), 1e-3);
  EXPECT_EQ(seconds.scope, Scope::recipe);
  parts.clear();
  for (const double amount : {15.0, 48.0, 99.0})
    parts.push_back({static_cast<std::uint64_t>(amount), "", amount, 1, "", {}});
  const auto spread = level_of(parts, Mean::by_seed, Tasks::crossed);
  ASSERT_TRUE(spread.interval);
  EXPECT_EQ(spread.interval->low, 0) << "by t it would be about -51";
  EXPECT_NEAR(spread.interval->high, 54 + 4.3027 * std::sqrt(1791.0 / 3), 1e-2);
}

TEST(Hypotheses, AreOneFamily) {
  auto& run = three_seeds();
  const auto alone = tested(run, {inputs}).front();
  const auto both = tested(run, {inputs, inputs});
  EXPECT_EQ(alone.family, 1);
  EXPECT_EQ(both.front().family, 2);
  EXPECT_NEAR(both.front().decision.p_different, std::min(1.0, 2 * alone.decision.p_different), 1e-12);
  auto clock = inputs;
  clock["contrast"] = "clock";
  EXPECT_EQ(tested(run, {inputs, clock}).front().family, 1) << "what is inert isn't tested";
}

TEST(Hypotheses, CompareOneCellWithAControlOrWithAnother) {
  auto& run = three_seeds();
  const auto extension = [](const char* name) { return json{{"kind", "extension"}, {"name", name}}; };
  const auto& control = experiment(run)["controls"][0];
  const auto row = [&](const std::string& label) {
    const auto found = std::find_if(run.plan.rows.begin(), run.plan.rows.end(),
                                    [&](const Row& one) { return one.label == label; });
    EXPECT_NE(found, run.plan.rows.end()) << label;
    return static_cast<std::size_t>(found - run.plan.rows.begin());
  };
  const json hypothesis = {{"metric", "correct"}, {"expect", "greater"}};
  auto with_control = hypothesis, with_cell = hypothesis, inert = hypothesis;
  with_control["cell"] = {extension("inputs")}, with_control["against"] = control;
  with_cell["cell"] = {extension("stages"), extension("inputs")}, with_cell["against"] = json::array();
  inert["cell"] = {extension("clock")}, inert["against"] = json::array();
  const auto results = tested(run, {with_control, with_cell, inert});
  EXPECT_EQ(results[0].comparison.pairs,
            (std::vector<Comparison::Pair>{{row("inputs"), row(pipeline_label(control))}}));
  EXPECT_EQ(results[1].comparison.pairs,
            (std::vector<Comparison::Pair>{{row("inputs + stages"), row("none")}}));
  EXPECT_TRUE(has(sentence(results[1]), "of `inputs + stages` minus of `none` is")) << sentence(results[1]);
  EXPECT_EQ(results[2].verdict(), "inert") << "without a GPU `clock` does nothing";
  auto missing = with_control;
  missing["cell"] = {extension("nothing")};
  EXPECT_THROW(tested(run, {missing}), UserError);
}

TEST(Hypotheses, TakeAnyColumnAndASmallestEffect) {
  auto& run = three_seeds();
  for (const json& metric :
       {json("tokens"), json("speedup"), json("values"), json{{"call", "pass_at"}, {"args", {2}}},
        json{{"call", "fast"}, {"args", {1.0}}}}) {
    auto hypothesis = inputs;
    hypothesis["metric"] = metric, hypothesis["expect"] = "same", hypothesis["smallest_effect"] = 1;
    const auto result = tested(run, {hypothesis}).front();
    ASSERT_TRUE(result.difference) << metric;
    EXPECT_NE(result.verdict(), "equivalent") << "of `same` this is supported";
    EXPECT_FALSE(sentence(result).empty());
    EXPECT_EQ(as_json(result)["metric"], result.metric.id);
  }
  auto wide = inputs;
  wide["smallest_effect"] = 1;
  EXPECT_EQ(tested(run, {wide}).front().verdict(), "equivalent") << "no share differs by 100 points";
  wide["expect"] = "same";
  EXPECT_EQ(tested(run, {wide}).front().verdict(), "supported");
}

TEST(Comparisons, PairsThatAreOneRowCountAsZero) {
  // The second factor changes nothing without the first.
  Plan plan;
  plan.factors = {{"x", {"off", "on"}, true}, {"y", {"off", "on"}, true}};
  Row none, x, both;
  none.levels = {{"x", "off"}, {"y", "off"}}, none.folded = {{{"x", "off"}, {"y", "on"}}};
  x.levels = {{"x", "on"}, {"y", "off"}}, both.levels = {{"x", "on"}, {"y", "on"}};
  plan.rows = {none, x, both};
  const auto y = compare_factor(plan, "y");
  EXPECT_EQ(y.pairs, (std::vector<Comparison::Pair>{{2, 1}}));
  EXPECT_EQ(y.same, 1);
  EXPECT_EQ(y.coefficients(), (std::map<std::size_t, double>{{1, -0.5}, {2, 0.5}}));
  const auto x_on = compare_factor(plan, "x");
  EXPECT_EQ(x_on.coefficients(), (std::map<std::size_t, double>{{0, -1}, {1, 0.5}, {2, 0.5}}));
}

TEST(Runs, AreWhatTheirResultsAre) {
  auto& run = three_seeds();
  auto plan = run.plan;
  const auto twin = plan.rows.size();
  plan.rows.push_back(plan.rows[0]);
  plan.rows[twin].label = "twin";
  const auto runs = runs_of_rows(plan, {0, 1, twin}, run.store);
  EXPECT_EQ(runs[0], runs[2]);
  EXPECT_NE(runs[0].back(), runs[1].back());
  const Evidence evidence(plan, run.store);
  const Inference inference(evidence);
  EXPECT_TRUE(inference.same_runs(0, twin));
  EXPECT_FALSE(inference.same_runs(0, 1));
  const auto correct = parse_column("correct");
  Comparison same, other;
  same.pairs = {{0, twin, 1}}, other.pairs = {{0, 1, 1}};
  EXPECT_FALSE(inference.difference(same, correct)->estimate.testable());
  // The twin is no run more: the error is that of the study without it.
  const auto with = inference.difference(other, correct), without = run.inference.difference(other, correct);
  EXPECT_DOUBLE_EQ(with->estimate.standard_error, without->estimate.standard_error);
  EXPECT_DOUBLE_EQ(with->estimate.degrees_of_freedom, without->estimate.degrees_of_freedom);
}

TEST(Runs, ThatRepeatUnderASeedCountOnce) {
  auto& run = three_seeds();
  auto plan = run.plan;
  auto& row = plan.rows[0];
  EXPECT_TRUE(repeated_seeds(row, run.store).empty());
  const auto seed = row.traces[2].seed;
  row.traces[2] = row.traces[0], row.traces[2].seed = seed;
  EXPECT_EQ(repeated_seeds(row, run.store), (std::set<std::uint64_t>{seed}));
  const Evidence evidence(plan, run.store);
  EXPECT_EQ(Inference(evidence).figure(parse_column("correct"), row).n, 20);
  const auto sentences = run_sentences(plan, run.store);
  ASSERT_FALSE(sentences.empty());
  EXPECT_TRUE(has(sentences.front(), "the answers of an earlier seed")) << sentences.front();
}

TEST(Looks, AreJudgedAtTheirShareOfAlphaAndSaySo) {
  auto& run = three_seeds();
  auto several = inputs;
  several["looks"] = 3, several["expect"] = "same", several["smallest_effect"] = 1;
  const auto result = tested(run, {several}).front();
  EXPECT_DOUBLE_EQ(result.certainty().alpha, 0.05 / 3);
  EXPECT_TRUE(has(sentence(result), "Up to 3 looks were declared")) << sentence(result);
  // The interval that decides is within ± the smallest effect exactly if the verdict says so.
  ASSERT_TRUE(result.deciding_interval);
  EXPECT_NEAR(result.deciding_confidence, 1 - 2 * 0.05 / 3, 1e-12);
  const bool within = result.deciding_interval->low > -1 && result.deciding_interval->high < 1;
  EXPECT_EQ(within, result.verdict() == "supported");
  EXPECT_EQ(as_json(result)["looks"], 3);
}

TEST(Power, OfAFinishedStudyIsByItsOwnVariances) {
  auto& run = three_seeds();
  const auto request = request_for(run.document, "study");
  const auto effects = planned_effects(request.hypotheses, run.inference, experiment(run), {});
  ASSERT_FALSE(effects.empty());
  for (const auto& effect : effects) {
    if (effect.comparison.pairs.empty()) continue;
    EXPECT_EQ(effect.variances_of, VariancesOf::its_rows) << effect.comparison.name;
    if (!effect.measured_error) continue;
    ASSERT_TRUE(effect.standard_error);
    EXPECT_NEAR(*effect.standard_error, *effect.measured_error, 1e-9) << effect.comparison.name;
  }
}

TEST(Power, OfOneSeedIsByThePilotAndSaysWhereNothingIsFound) {
  auto& run = finished_study();
  const auto request = request_for(run.document, "study");
  PowerRequest five;
  five.size.seeds = 5;
  const auto effects = planned_effects(request.hypotheses, run.inference, experiment(run), {}),
             larger = planned_effects(request.hypotheses, run.inference, experiment(run), five);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (effects[i].comparison.pairs.empty()) continue;
    EXPECT_EQ(effects[i].variances_of, VariancesOf::pilot);
    EXPECT_EQ(effects[i].detectable.has_value(),
              effects[i].question.pooled_contrasts >= statistics::fewest_pooled);
    EXPECT_TRUE(larger[i].detectable);
    if (effects[i].detectable) {
      EXPECT_LT(*larger[i].detectable, *effects[i].detectable);
    }
  }
}

TEST(Suites, HaveRowsOfTheirOwn) {
  auto& run = three_seeds();
  ASSERT_EQ(run.plan.exam_suites.size(), 2u);
  const auto& whole = run.plan.rows.front();
  TableLayout layout;
  layout.rows = json{{"op", "+"}, {"args", {"cells", "suites"}}};
  layout.columns = {"correct", "cost"};
  const auto rows = rows_of(layout, run.plan);
  const auto of = [&](const std::string& label) {
    for (const auto& row : rows)
      if (row->label == label) return run.inference.figure(parse_column("correct"), *row);
    ADD_FAILURE() << "no row " << label;
    return Figure{};
  };
  // Tasks weigh alike, so that the whole is the mean of its parts by their numbers of answers.
  double sum = 0;
  std::size_t n = 0;
  for (const auto& suite : run.plan.exam_suites) {
    const auto part = of(whole.label + " (" + suite + ")");
    ASSERT_TRUE(part.value && part.interval) << suite;
    sum += *part.value * part.n, n += part.n;
    EXPECT_TRUE(of(run.plan.rows.back().label + " (" + suite + ")").value) << "the baseline";
  }
  const auto all = of(whole.label);
  EXPECT_EQ(n, all.n);
  EXPECT_NEAR(sum / n, *all.value, 1e-12);
  for (const auto& row : rows)
    if (!row->suite.empty()) {
      EXPECT_FALSE(run.inference.figure(parse_column("cost"), *row).value) << row->label;
    }
}

TEST(EffectPictures, OfNothingAreEmpty) {
  const auto column = parse_column("correct");
  EXPECT_TRUE(forest({}, {}, column, 0, {}).empty());
  EXPECT_TRUE(half_normal({{"a", 1.0}}, column).empty());
  EXPECT_TRUE(interactions({}, column).empty());
}
