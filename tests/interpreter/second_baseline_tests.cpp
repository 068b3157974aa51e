// Columns over torch.compile's reference.
#include <gtest/gtest.h>

#include <cmath>

#include "interpreter/report/column.hpp"
#include "interpreter/report/column_parts.hpp"
#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {
namespace {

Verdict verdict(bool correct, std::optional<double> over_compiled) {
  Verdict out;
  out.task = "t", out.group = "level1", out.correct = correct, out.over_compiled = over_compiled;
  return out;
}

/// The figure of a share or a geometric mean; nothing where no verdict counts.
std::optional<double> figure(const char* name, double argument, const std::vector<Verdict>& verdicts) {
  const auto column = parse_column(argument > 0 ? nlohmann::json{{"call", name}, {"args", {argument}}}
                                                : nlohmann::json(name));
  std::vector<Part> parts;
  add_verdicts(column, "", 1, verdicts, parts);
  double sum = 0, weight = 0;
  for (const auto& part : parts) sum += part.sum, weight += part.weight;
  if (weight == 0) return std::nullopt;
  return column.unit == Column::Unit::factor ? std::exp(sum / weight) : sum / weight;
}

TEST(SecondBaseline, WrongAnswersCountInSharesAlone) {
  const std::vector<Verdict> verdicts = {verdict(true, 2.0), verdict(true, 0.5), verdict(false, 0.0),
                                         verdict(true, 4.0)};
  EXPECT_EQ(figure("fast_over_compiled", 1, verdicts), 0.5);
  EXPECT_EQ(figure("fast_over_compiled", 3, verdicts), 0.25);
  EXPECT_NEAR(figure("speedup_over_compiled", 0, verdicts).value(), std::cbrt(4.0), 1e-12);
}

TEST(SecondBaseline, AnExamThatDoesNotTimeItHasNoFigure) {
  const std::vector<Verdict> verdicts = {verdict(true, std::nullopt), verdict(false, std::nullopt)};
  EXPECT_FALSE(figure("fast_over_compiled", 1, verdicts));
  EXPECT_FALSE(figure("speedup_over_compiled", 0, verdicts));
}

}  // namespace
}  // namespace trl::interpreter
