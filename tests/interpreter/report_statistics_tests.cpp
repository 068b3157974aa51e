// The report's figures, compared with values computed by hand from the definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/contract/measures.hpp"
#include "base/statistics/power.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/report/fast_profile.hpp"
#include "interpreter/report/findings.hpp"
#include "interpreter/report/plot.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/report/trace.hpp"
#include "language/modules/library.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

const json& experiment() { return finished_study().document.at("experiments").at("study"); }

HypothesisResult tested(const std::string& contrast, const std::string& metric, const std::string& expect) {
  return test_hypotheses({{"h", {{"contrast", contrast}, {"metric", metric}, {"expect", expect}}}},
                         finished_study().inference, experiment())
      .front();
}

/// The value of a row in a column.
double value(const std::string& column, const Row& row, const Inference& inference) {
  return *inference.figure(parse_column(column), row).value;
}

}  // namespace

TEST(Hypothesis, SupportedAndRefutedAreOppositeExpectations) {
  for (const char* metric : {"valid", "correct", "purity"}) {
    const auto greater = tested("inputs", metric, "greater"), less = tested("inputs", metric, "less");
    EXPECT_DOUBLE_EQ(greater.difference->value, less.difference->value);
    const auto verdict = greater.verdict();
    EXPECT_EQ(less.verdict(), verdict == "supported" ? "refuted"
                              : verdict == "refuted" ? "supported"
                                                     : verdict)
        << metric;
  }
  // In the fake worker, a kernel with a hidden mistake passes with one input but not with several.
  EXPECT_EQ(tested("inputs", "purity", "greater").verdict(), "supported");
  EXPECT_EQ(tested("inputs", "purity", "less").verdict(), "refuted");
}

TEST(Hypothesis, SaysWhatThisSizeFinds) {
  const auto result = tested("inputs", "correct", "greater");
  ASSERT_TRUE(result.difference->detectable);
  EXPECT_DOUBLE_EQ(*result.difference->detectable,
                   *statistics::smallest_detectable(result.difference->estimate, result.certainty()));
  const auto text = sentence(result);
  EXPECT_NE(text.find("With the standard error of this one, a study finds " +
                      value_text(result.metric, *result.difference->detectable) + " points or more."),
            std::string::npos)
      << text;
  EXPECT_DOUBLE_EQ(as_json(result)["smallest_detectable"], *result.difference->detectable);
}

TEST(Hypothesis, HeadlineSaysThatAnEffectIsWhollyAnInteractionAndWhatIsModelled) {
  auto result = tested("inputs", "speedup", "greater");
  ASSERT_GT(result.comparison.pairs.size(), 1u);
  EXPECT_TRUE(result.modelled);
  EXPECT_TRUE(has(sentence(result), "h is " + result.verdict() + ": modelled speedup with `inputs`"))
      << sentence(result);
  result.twins = 1;
  EXPECT_TRUE(
      has(sentence(result), "h is " + result.verdict() + ", wholly as an interaction: modelled speedup"))
      << sentence(result);
  EXPECT_TRUE(has(sentence(result), "In 1 of these pairs both rows gave the same answers"));
  EXPECT_FALSE(tested("inputs", "correct", "greater").modelled);
}

TEST(Effects, AreTheDifferencesOfTheHypotheses) {
  auto& run = finished_study();
  const auto columns = std::vector{parse_column("correct"), parse_column("cost"), parse_column("speedup")};
  const auto hypotheses = std::vector{tested("inputs", "correct", "greater")};
  const auto effects = effects_of(columns, run.inference, hypotheses);
  ASSERT_EQ(effects.size(), 4u);
  EXPECT_DOUBLE_EQ(effects[0].differences[0]->value, hypotheses[0].difference->value);
  EXPECT_EQ(effects[0].declared, (std::vector<std::string>{"h"}));
  EXPECT_TRUE(effects[1].declared.empty());
  EXPECT_FALSE(effects[0].differences[1]->interval) << "one seed has no spread of seconds";
  EXPECT_TRUE(effects[0].differences[2]->common_tasks);
  EXPECT_EQ(effects[3].comparison.name, "clock");
  EXPECT_TRUE(effects[3].comparison.pairs.empty());
  EXPECT_FALSE(effects[3].differences[0]);
}

TEST(Effects, InWordsNameWhatIsClearOfZero) {
  Table table;
  table.columns = {parse_column("correct"), parse_column("cost"), parse_column("purity"),
                   parse_column("valid")};
  const auto contrast = [](double value, double low, double high) {
    Difference difference;
    difference.value = value, difference.interval = Interval{low, high};
    return std::optional(difference);
  };
  const std::vector<Effect> effects = {
      {{"inputs", "", {{0, 1}}},
       {contrast(0.077, -0.018, 0.164), std::nullopt, contrast(0.231, 0.156, 0.306),
        contrast(0.01, -0.1, 0.1)},
       {"inputs_help"}},
      {{"stages", "", {{0, 1}}},
       {contrast(0.01, -0.1, 0.1), std::nullopt, contrast(0, 0, 0), std::nullopt},
       {}},
      {{"clock", "", {}}, {}, {}}};
  EXPECT_EQ(
      effect_sentences(effects, table),
      (std::vector<std::string>{
          "`inputs` (inputs_help): correct +7.7 [-1.8, +16.4] points; clear of no difference: purity +23.1 "
          "[+15.6, +30.6] points.",
          "`stages` (exploratory): correct +1.0 [-10.0, +10.0] points; on no other column is the interval "
          "clear of "
          "no difference.",
          "`clock` changes nothing on this machine."}));
  auto twin = effects[0];
  twin.comparison.pairs.push_back({2, 3}), twin.twins = 1;
  EXPECT_EQ(
      effect_sentences({twin}, table).front(),
      "`inputs` (inputs_help): correct +7.7 [-1.8, +16.4] points, wholly an interaction (in 1 of 2 pairs "
      "both rows gave the same answers); clear of no difference: purity +23.1 [+15.6, +30.6] points.");
}

TEST(Extremes, NameTheRowsAndNotTheirParts) {
  Row a, b;
  a.label = "with", b.label = "without";
  a.traces.resize(2), b.traces.resize(2);
  Row suite = a, seed = b;
  suite.label = "with (level1)", suite.suite = "level1";
  suite.part = " (level1)";
  seed.label = "without (seed 1)", seed.traces.resize(1), seed.part = " (seed 1)";
  Table table;
  table.columns = {parse_column("correct")};
  table.rows = {{std::make_shared<Row>(a), {{0.5, Interval{0.4, 0.6}, 10}}},
                {std::make_shared<Row>(b), {{0.2, Interval{0.1, 0.3}, 10}}},
                {std::make_shared<Row>(suite), {{0.5, Interval{0.4, 0.6}, 5}}},
                {std::make_shared<Row>(suite), {{0.9, Interval{0.8, 1.0}, 5}}},
                {std::make_shared<Row>(seed), {{0.1, Interval{0.0, 0.3}, 5}}}};
  EXPECT_EQ(extremes(table),
            "correct: highest `with` with 50.0 % [40.0, 60.0], lowest `without` with 20.0 % [10.0, 30.0]. "
            "Among 2 rows some differences are due to chance.");
  Row twin = a;
  twin.label = "with more";
  table.rows.push_back({std::make_shared<Row>(twin), {{0.5, Interval{0.4, 0.6}, 10}}});
  EXPECT_TRUE(has(extremes(table), "highest `with` and 1 other with 50.0 %")) << extremes(table);
  table.same_answers = {{"with", "with more"}};
  EXPECT_TRUE(
      has(extremes(table), "highest `with` and `with more`, which gave the same answers, with 50.0 %"))
      << extremes(table);
}

TEST(Rounding, HalvesGoAwayFromZeroInEveryColumn) {
  const auto correct = parse_column("correct"), cost = parse_column("cost"),
             speedup = parse_column("speedup");
  for (int n = 1; n <= 400; ++n)
    for (int k = 0; k <= n; ++k) {
      const int tenths = (2 * 1000 * k + n) / (2 * n);  // of percent, in integers
      const auto text = fmt::format("{}.{}", tenths / 10, tenths % 10);
      ASSERT_EQ(value_text(correct, double(k) / n), text) << k << " of " << n;
      if (tenths > 0) {
        ASSERT_EQ(value_text(correct, -double(k) / n), "-" + text) << k << " of " << n;
      }
    }
  EXPECT_EQ(value_text(correct, -0.0001), "0.0");
  EXPECT_EQ(value_text(cost, 2.5), "3");
  EXPECT_EQ(value_text(cost, -0.2), "0");
  EXPECT_EQ(value_text(speedup, 1.005), "1.01");
  EXPECT_EQ(value_text(speedup, 0.125), "0.13");
}

TEST(Purity, IsTheShareOfKeptSamplesThatTheStrictExamAccepts) {
  auto& run = finished_study();
  for (const auto& row : run.plan.rows) {
    double accepted = 0, kept = 0;
    for (const auto& round : row.traces[0].rounds) {
      const auto samples = run.store.result(round.select).rows("samples.jsonl");
      EXPECT_EQ(run.plan.find(round.purity)->spec, exam_protocol().write());
      for (const auto& verdict : run.store.result(round.purity).rows("verdicts.jsonl"))
        accepted += verdict.at("correct").get<bool>();
      kept += static_cast<double>(samples.size());
    }
    const auto measured = run.inference.figure(parse_column("purity"), row).value;
    if (kept > 0)
      EXPECT_DOUBLE_EQ(*measured, accepted / kept) << row.label;
    else
      EXPECT_FALSE(measured) << row.label;
  }
}

TEST(Cost, IsTheWorkersOwnSecondsOfSamplingVerifyingAndTraining) {
  auto& run = finished_study();
  // The fake worker reports 0.25 s for sampling, 0.1 s for verifying and 0.5 s for training, independent of
  // the scheduler's clock. The row consists of imitation and two rounds of all three.
  EXPECT_DOUBLE_EQ(value("cost", run.plan.rows[0], run.inference), 0.5 + 2 * (0.25 + 0.1 + 0.5));
}

TEST(Cost, DoesNotDependOnTheOrderOfRows) {
  auto turned = study();
  auto& extensions = turned["experiments"]["study"]["vary"]["args"];
  std::reverse(extensions.begin(), extensions.end());
  make_cells(turned["experiments"]["study"]);
  const FinishedStudy other(turned);
  auto& run = finished_study();
  int compared = 0;
  for (const auto& row : run.plan.rows)
    for (const auto& same : other.plan.rows) {
      if (row.kind != Row::Kind::cell || same.kind != row.kind) continue;
      const std::set<std::string> a(row.extensions.begin(), row.extensions.end()),
          b(same.extensions.begin(), same.extensions.end());
      if (a != b) continue;
      ++compared;
      EXPECT_DOUBLE_EQ(value("cost", row, run.inference), value("cost", same, other.inference));
    }
  EXPECT_EQ(compared, 8);
}

TEST(Parts, SumToTheFigureForEveryRowAndColumn) {
  auto& run = finished_study();
  const Evidence evidence(run.plan, run.store);
  for (const auto& layout : request_for(run.document, "study").tables)
    for (const auto& row : make_table(layout, run.inference).rows)
      for (std::size_t i = 0; i < row.figures.size(); ++i) {
        if (!row.figures[i].value) continue;
        const auto column = parse_column(layout.columns[i]);
        double sum = 0, weight = 0;
        for (const auto& part : parts_of(column, *row.row, evidence)) sum += part.sum, weight += part.weight;
        const double mean = sum / weight;
        EXPECT_NEAR(*row.figures[i].value, column.unit == Column::Unit::factor ? std::exp(mean) : mean,
                    1e-12);
      }
}

TEST(Rows, UnderEachSeedPoolToTheRow) {
  auto& run = finished_study();
  const auto table = make_table({"main", {"cells", "seeds"}, {"correct"}}, run.inference);
  const auto seeds = run.plan.rows.front().traces.size();
  const auto cells = std::count_if(run.plan.rows.begin(), run.plan.rows.end(),
                                   [](const Row& row) { return row.kind == Row::Kind::cell; });
  ASSERT_EQ(table.rows.size(), cells * (1 + seeds) + 1);
  for (std::size_t at = 0; at + 1 < table.rows.size(); at += 1 + seeds) {
    double sum = 0;
    int n = 0;
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      const auto& one = table.rows[at + seed];
      EXPECT_EQ(one.row->label, fmt::format("{} (seed {})", table.rows[at].row->label,
                                            table.rows[at].row->traces[seed - 1].seed));
      sum += *one.figures[0].value * one.figures[0].n, n += one.figures[0].n;
    }
    EXPECT_EQ(table.rows[at].figures[0].n, n);
    EXPECT_NEAR(*table.rows[at].figures[0].value, sum / n, 1e-12);
  }
  const auto alone = rows_of({"main", {"seeds"}, {"correct"}}, run.plan);
  EXPECT_EQ(alone.size(), cells * seeds + 1);
  EXPECT_EQ(&find_row(alone.front()->label, "main", alone), alone.front().get());
}

/// The words that the schema allows for a field of a plot.
std::vector<std::string> offered(const std::string& field) {
  trl::language::Sources sources;
  const auto library = trl::language::read_library(sources);
  const auto& type = find(library.schema.kinds.at("plot").fields, field)->type;
  return type.args.empty() ? type.choices : type.args.front().choices;
}

/// The study with an evaluation for development: the exam's shape with tasks of its own.
json document_with_dev() {
  auto document = small_study();
  auto& experiment = document["experiments"]["study"];
  experiment["seeds"] = {1, 2};
  experiment["train"][1]["rounds"] = 2;
  experiment["dev"] = experiment["evaluate"];
  experiment["dev"]["name"] = "tuning";
  experiment["dev"]["split"] = experiment["train"][1]["tasks"];
  return document;
}

FinishedStudy& study_with_dev() {
  static FinishedStudy finished(document_with_dev());
  return finished;
}

/// Gives a result another file, as if its stage had made it.
template <typename Write>
void rewrite(const Store& store, const std::string& key, const char* name, const Write& write) {
  auto description = store.stage(key);
  write(store.folder(key) / name);
  description.erase("sha256");
  describe_result(store.folder(key), description);
}

/// Changes the rows of a select stage's rewards.jsonl, as if it had made them so.
template <typename Change>
void change_rewards(const StoreWriter& store, const std::string& select, const Change& change) {
  const Store fresh(store.root());
  auto rewards = fresh.result(select).rows("rewards.jsonl");
  for (auto& reward : rewards) change(reward);
  rewrite(fresh, select, "rewards.jsonl", [&](const auto& file) { write_json_lines(file, rewards); });
}

/// Gives each round's training the numbers of two steps.
void tell_measures(const FinishedStudy& run) {
  for (const auto& row : run.plan.rows)
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        std::string lines;
        for (const auto& measure : contract::measures())
          if (measure.of_step)
            for (const int step : {0, 1})
              lines += json{{"name", measure.name}, {"step", step}, {"value", 1.0 + step}}.dump() + "\n";
        rewrite(Store(run.store.root()), round.finetune, "metrics.jsonl",
                [&](const auto& file) { write_text(file, lines); });
      }
}

TEST(Plots, DrawWhateverTheSchemaOffers) {
  FinishedStudy run(document_with_dev());
  tell_measures(run);
  const Store store(run.store.root());
  const Evidence evidence(run.plan, store);
  std::vector<std::string> measures;
  for (const PlotMeasure& measure : plot_measures()) measures.push_back(measure.name);
  EXPECT_EQ(offered("y"), measures);
  std::vector<json> ys(measures.begin(), measures.end());
  ys.push_back({{"call", "fast"}, {"args", {1.0}}});
  ys.push_back({{"call", "pass_at"}, {"args", {2}}});
  for (const std::string& x : offered("x"))
    for (const std::string& on : offered("on"))
      for (const json& y : ys)
        for (const std::string& by : offered("by")) {
          SCOPED_TRACE(x + " " + on + " " + y.dump() + " " + by);
          const json declared = {{"x", x}, {"on", on}, {"y", y}, {"by", by}};
          const auto measure = std::find(measures.begin(), measures.end(), y.is_string() ? y : json("none"));
          if (on == "dev" && measure != measures.end() &&
              !plot_measures()[measure - measures.begin()].on_dev) {
            EXPECT_THROW(parse_plot("p", declared), UserError);
            continue;
          }
          const Plot plot = parse_plot("p", declared);
          const auto points = plot_points(plot, evidence);
          EXPECT_EQ(points.empty(), y == "plan_reward") << "nothing rewards plans here";
          for (const auto& point : points) {
            if (plot.y.of_steps) {
              EXPECT_EQ(point.value, 1.5) << "the mean over steps";
            }
          }
          const Picture picture = plot_picture(plot, points, false);
          const std::string drawn = picture.graphic.svg(picture.caption);
          EXPECT_EQ(drawn.find(", seed 1") != std::string::npos, by == "seed" && !points.empty());
        }
  EXPECT_THROW(parse_plot("p", {{"x", "hours"}}), UserError);
}

// The same row's curves are on the same rounds whatever the axis, and what training takes only grows.
TEST(Plots, AnAxisOfWhatTrainingTakesGrowsWithTheRounds) {
  auto& run = study_with_dev();
  const Evidence evidence(run.plan, run.store);
  for (const char* x : {"tokens", "candidates", "cost"}) {
    std::map<std::pair<std::string, std::optional<std::uint64_t>>, double> last;
    for (const auto& point :
         plot_points(parse_plot("p", {{"x", x}, {"on", "dev"}, {"y", "correct"}}), evidence)) {
      const auto [before, first] = last.try_emplace({point.row, point.seed}, -1);
      EXPECT_EQ(first, point.round == 0);
      EXPECT_GT(point.x, before->second) << x << " " << point.row << " " << point.round;
      before->second = point.x;
      if (std::string(x) == "candidates" && point.seed) {
        EXPECT_EQ(point.x, 20 * point.round);
      }
    }
    EXPECT_FALSE(last.empty());
  }
}

TEST(Plots, TheLastTickIsNotBeforeTheLastPoint) {
  const auto plot = parse_plot("p", {{"x", "candidates"}, {"y", "reward"}});
  for (const auto& [last, tick] :
       {std::pair(192.0, ">200</text>"), {200.0, ">200</text>"}, {20.0, ">20</text>"}}) {
    PlotPoint point;
    point.row = "a", point.round = 1, point.x = last, point.value = 0.5, point.n = 1;
    EXPECT_TRUE(has(plot_picture(plot, {point}, false).graphic.svg(""), tick)) << last;
  }
}

TEST(Plots, OnDevMeasureItsVerdictsBeforeAndAfterEachRound) {
  auto& run = study_with_dev();
  const Evidence evidence(run.plan, run.store);
  int compared = 0;
  for (const auto& point : plot_points(parse_plot("p", {{"on", "dev"}, {"y", "correct"}}), evidence))
    for (const auto& row : run.plan.rows) {
      if (row.label != point.row || !point.seed) continue;
      for (const auto& trace : row.traces) {
        if (trace.seed != *point.seed) continue;
        ASSERT_EQ(trace.dev.size(), 3u) << "before the first of two rounds, and after each";
        double correct = 0;
        const auto& verdicts = evidence.verdicts(trace.dev.at(point.round).verify);
        for (const auto& verdict : verdicts) correct += verdict.correct;
        EXPECT_NEAR(point.value, correct / verdicts.size(), 1e-12);
        ++compared;
      }
    }
  EXPECT_EQ(compared, int(run.plan.rows.size() - 2) * 2 * 3)
      << "neither the control without rounds nor the baseline";
}

// At each p the profile is the column fast(p), and its band falls as the curve does.
TEST(FastProfile, IsTheColumnAtEachThreshold) {
  auto& run = study_with_dev();
  const Evidence evidence(run.plan, run.store);
  const auto points = fast_profile(evidence);
  ASSERT_EQ(points.size(), 11 * run.plan.rows.size());
  std::map<std::string, PlotPoint> last;
  for (const auto& point : points) {
    const auto column = parse_column({{"call", "fast"}, {"args", {std::exp2(point.x)}}});
    for (const auto& row : run.plan.rows) {
      if (row.label != point.row) continue;
      const auto figure = run.inference.figure(column, row);
      EXPECT_NEAR(point.value, *figure.value, 1e-12) << row.label << " " << point.x;
    }
    const auto [before, first] = last.try_emplace(point.row, point);
    EXPECT_LE(point.value, before->second.value) << "fewer are faster than more";
    if (point.interval && before->second.interval) {
      EXPECT_LE(point.interval->low, before->second.interval->low) << "the band falls as the curve does";
      EXPECT_LE(point.interval->high, before->second.interval->high);
      EXPECT_LE(point.interval->low, point.value);
      EXPECT_GE(point.interval->high, point.value);
    }
    before->second = point;
  }
  EXPECT_TRUE(has(run.report().files.at("main.fast.csv"), "row,p,share,n,low,high,about\n"));
  EXPECT_FALSE(fast_profile_picture(points, "e", false).graphic.empty());
}

TEST(Plots, CountAnswersThatWereCutOffAndThatAreAlike) {
  auto& run = finished_study();
  const Evidence evidence(run.plan, run.store);
  for (const char* y : {"truncated", "distinct"})
    for (const auto& point : plot_points(parse_plot("p", {{"y", y}}), evidence))
      for (const auto& row : run.plan.rows) {
        if (row.label != point.row) continue;
        const json summary = run.store.stage(row.traces[0].rounds[point.round - 1].select)["summary"];
        const double counted = summary[std::string(y) == "distinct" ? "distinct" : "cut_off"];
        EXPECT_NEAR(point.value, counted / summary["candidates"].get<double>(), 1e-12) << y;
      }
}

TEST(Plots, MeasureTheVerdictsOfTheRound) {
  auto& run = finished_study();
  const Evidence evidence(run.plan, run.store);
  const auto check = [&](const std::string& y, const std::function<double(const Verdict&)>& value,
                         const std::function<bool(const Verdict&)>& counts, bool geometric) {
    for (const auto& point : plot_points(parse_plot("p", {{"y", y}}), evidence))
      for (const auto& row : run.plan.rows) {
        if (row.label != point.row || point.seed != row.traces[0].seed) continue;
        double sum = 0, n = 0;
        for (const auto& verdict : evidence.verdicts(row.traces[0].rounds[point.round - 1].verify))
          if (counts(verdict)) sum += value(verdict), n += 1;
        EXPECT_NEAR(point.value, geometric ? std::exp(sum / n) : sum / n, 1e-12) << y;
        EXPECT_EQ(point.n, n) << y;
      }
  };
  const auto all = [](const Verdict&) { return true; };
  check(
      "valid", [](const Verdict& v) { return v.valid; }, all, false);
  check(
      "compiled", [](const Verdict& v) { return v.compiled; }, all, false);
  check(
      "correct", [](const Verdict& v) { return v.correct; }, all, false);
  check(
      "speedup", [](const Verdict& v) { return std::log(v.speedup); },
      [](const Verdict& v) { return v.correct && v.speedup > 0; }, true);
}

// What no answer was better or worse in taught nothing, and a reader of the report is told so.
TEST(Findings, SayWhichRoundsTaughtNothing) {
  FinishedStudy run([] {
    auto document = small_study();
    document["experiments"]["study"]["train"][1]["rounds"] = 3;
    return document;
  }());
  const auto& row = run.plan.rows.front();
  const auto& trace = row.traces.front();
  const auto rewards = [&](int round, bool kept) {
    change_rewards(run.store, trace.rounds.at(round - 1).select,
                   [&](json& reward) { reward["kept"] = kept; });
  };
  const auto sentences = [&] { return idle_round_sentences(Evidence(run.plan, Store(run.store.root()))); };
  for (const int round : {1, 2, 3}) rewards(round, true);
  EXPECT_EQ(sentences(), std::vector<std::string>());
  rewards(1, false), rewards(3, false);
  ASSERT_FALSE(sentences().empty());
  EXPECT_EQ(sentences().front(),
            "`" + row_label(row) +
                "` learnt nothing from rewards in 2 of 3 rounds (round 1, 3): no answer was kept.");
}

TEST(Plots, OfPlansHaveTheirRewards) {
  FinishedStudy run(small_study());
  const auto& round = run.plan.rows.front().traces.front().rounds.front();
  double next = 0;
  change_rewards(run.store, round.select, [&](json& reward) { reward["plan_reward"] = next++; });
  const auto points =
      plot_points(parse_plot("p", {{"y", "plan_reward"}}), Evidence(run.plan, Store(run.store.root())));
  ASSERT_FALSE(points.empty());
  EXPECT_EQ(points.front().value, (next - 1) / 2);
  EXPECT_EQ(points.front().n, next);
}

TEST(LearningPoints, AreMeansOfTheRoundWithIntervals) {
  auto& run = finished_study();
  const Evidence evidence(run.plan, run.store);
  for (const auto& point : plot_points(parse_plot("learning", {{"y", "reward"}}), evidence)) {
    for (const auto& row : run.plan.rows) {
      if (row.label != point.row) continue;
      const auto summary = run.store.stage(row.traces[0].rounds[point.round - 1].select)["summary"];
      EXPECT_NEAR(point.value, summary["mean_reward"].get<double>(), 1e-12);
      EXPECT_EQ(point.n, summary["candidates"].get<int>());
    }
    ASSERT_TRUE(point.interval);
    EXPECT_LE(point.interval->low, point.value);
    EXPECT_GE(point.interval->high, point.value);
  }
}
