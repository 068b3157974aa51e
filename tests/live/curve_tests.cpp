#include "interpreter/curve.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/contract/measures.hpp"

using namespace trl;
using namespace trl::interpreter;
using nlohmann::json;

namespace {

TEST(Curve, HasAPointForEachPositionUntilThereAreTooMany) {
  Curve curve;
  for (int i = 0; i < 100; ++i) curve.add(i, i);
  ASSERT_EQ(curve.points().size(), 100u);
  EXPECT_EQ(curve.points()[7], (Curve::Point{7, 7}));
  for (int i = 100; i < 1'000'000; ++i) curve.add(i, i);
  const auto points = curve.points();
  EXPECT_LE(points.size(), Curve::most);
  EXPECT_GT(points.size(), Curve::most / 4);
  for (const auto& [at, value] : points)
    if (at + 4096 < 999'999) {
      EXPECT_DOUBLE_EQ(at, value) << "each is the mean of its positions";
    }
}

TEST(Curve, LeavesOutPositionsWithoutAValue) {
  Curve curve;
  curve.add(3, 0.5), curve.add(-1, 9), curve.add(5, std::numeric_limits<double>::infinity());
  EXPECT_EQ(curve.points(), (std::vector<Curve::Point>{{3, 0.5}}));
}

TEST(Curve, IsTheSameAfterItWasWrittenAndRead) {
  Curve curve;
  for (int i = 0; i < 300; ++i)
    if (i % 7 != 3) curve.add(i, 0.25 * i);
  EXPECT_EQ(Curve::read(curve.as_json()).as_json(), curve.as_json());
  for (const json& wrong : {json(), json(3), json{{"stride", 3}, {"values", {1}}},
                            json{{"stride", 0}, {"values", {1}}}, json{{"stride", "1"}, {"values", {1}}},
                            json{{"stride", 1}, {"values", json(std::vector<int>(1000))}}})
    EXPECT_TRUE(Curve::read(wrong).empty()) << wrong;
}

TEST(Curve, GoesOnBehindAnother) {
  Curve whole, first, second;
  for (int i = 0; i < 200; ++i) whole.add(i, i), (i < 90 ? first : second).add(i < 90 ? i : i - 90, i);
  first.add(second, 90);
  EXPECT_EQ(first.as_json(), whole.as_json());
}

TEST(Curve, OfSeveralSeedsIsTheirMeanWithABandFromLowestToHighest) {
  Curve one, other, longer;
  for (int i = 0; i < 3; ++i) one.add(i, 1), other.add(i, 3);
  for (int i = 0; i < 200; ++i) longer.add(i, 5);
  const std::vector<Curve> two = {one, other}, three = {one, other, longer};
  const auto band = Curve::band(two);
  EXPECT_EQ(band.at, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(band.mean, (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(band.low, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(band.high, (std::vector<double>{3, 3, 3}));
  const auto wide = Curve::band(three);
  EXPECT_EQ(wide.at.size(), 100u) << "all have the places of the longest";
  EXPECT_EQ(wide.mean.front(), 3);
  EXPECT_EQ(wide.curves.front(), 3);
  EXPECT_EQ(wide.curves.back(), 1);
  EXPECT_TRUE(Curve::band({}).at.empty());
}

TEST(Measures, ThatAreCurvesHaveATitleAndAPlaceEach) {
  std::set<int> places;
  std::size_t curves = 0;
  for (const auto& one : contract::measures()) {
    EXPECT_EQ(one.curve.empty(), one.curve_place == 0) << one.name;
    if (one.curve.empty()) continue;
    ++curves;
    places.insert(one.curve_place);
  }
  EXPECT_EQ(places.size(), curves) << "two have one place";
  EXPECT_EQ(*places.begin(), 1);
  EXPECT_EQ(*places.rbegin(), static_cast<int>(curves));
}

TEST(Measures, AreFoundByNameKindAndStep) {
  const auto heading = [](const char* name, const char* kind, bool of_step) {
    const auto* measure = contract::measure_called(name, kind, of_step);
    return measure ? measure->heading() : "";
  };
  EXPECT_EQ(heading("correct", "verify", false), "correct answers, share");
  EXPECT_EQ(heading("correct", "select", false), "correct, answers");
  EXPECT_EQ(heading("loss", "pretrain", true), "loss");
  EXPECT_EQ(heading("loss", "pretrain", false), "loss");
  EXPECT_EQ(heading("entropy", "finetune", true), "entropy, nats a token");
  EXPECT_EQ(heading("correct_after_12", "select", false), "correct after N, share");
  EXPECT_EQ(heading("loss", "verify", true), "");
  EXPECT_EQ(heading("tune", "fine", false), "");
}

}  // namespace
