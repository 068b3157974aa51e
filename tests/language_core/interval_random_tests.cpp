// Interval analysis against brute force: random formulas, whose values at many points must agree with what
// was answered. TRL_FORMULAS=100000 in the environment tries more than the usual.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "base/formulas/evaluate.hpp"
#include "base/formulas/formula_functions.hpp"
#include "base/formulas/interval.hpp"
#include "tests/language_core/formulas.hpp"

namespace trl::formulas {
namespace {

using Verdict = Proof::Verdict;

/// A verdict and a number, as formulas see them.
struct Point {
  bool correct;
  double speedup, credit, x;
  Bindings bindings() const {
    Bindings out;
    out.records["c"] = {{"correct", correct}, {"speedup", speedup}, {"credit", credit}};
    out.names["x"] = x;
    return out;
  }
};

Ranges ranges() {
  Ranges out;
  out.values = {{"c.correct", Domain::truth_values()},
                {"c.speedup", Domain::number(0, 10)},
                {"c.credit", Domain::number(0, 1)},
                {"x", Domain::number(-2, 3)}};
  out.implications = {{"c.correct", false, "c.speedup", {0, 0}}, {"c.correct", true, "c.credit", {0, 0}}};
  return out;
}

class Formulas {
 public:
  explicit Formulas(unsigned seed) : random_(seed) {}

  Expression number(int depth) {
    if (depth == 0) {
      switch (below(5)) {
        case 0:
          return member("c", "speedup");
        case 1:
          return member("c", "credit");
        case 2:
          return name("x");
        default:
          return Part(std::round(uniform(-20, 20)) / 10);
      }
    }
    const auto sub = [&] { return number(static_cast<int>(below(static_cast<unsigned>(depth)))); };
    switch (below(13)) {
      case 11: {
        // Any function, so that a new one is tried without a word here.
        const auto& all = functions();
        const Function& one = all[below(static_cast<unsigned>(all.size()))];
        Call call{one.name, {}};
        const std::size_t most = std::min<std::size_t>(one.most, one.least + 2);
        for (std::size_t i = 0; i < one.least + below(static_cast<unsigned>(most - one.least) + 1); ++i)
          call.arguments.push_back(sub());
        return Node{call};
      }
      case 12:
        return op("^", sub(), below(4) == 0 ? sub() : Part(static_cast<int>(below(7)) - 3));
      case 0:
      case 1:
        return op("+", sub(), sub());
      case 2:
        return op("-", sub(), sub());
      case 3:
      case 4:
        return op("*", sub(), sub());
      case 5:
        return op("/", sub(), sub());
      case 6:
        return call("min", sub(), sub());
      case 7:
        return call("max", sub(), sub());
      case 8:
        return call("clamp", sub(), 0, 1);
      case 9:
        return call("abs", sub());
      default:
        return choose(boolean(depth - 1), sub(), sub());
    }
  }

  Expression boolean(int depth) {
    if (depth <= 0 || below(3) == 0) return member("c", "correct");
    static const char* comparisons[] = {"<", "<=", ">", ">="};
    switch (below(4)) {
      case 0:
        return op("and", boolean(depth - 1), boolean(depth - 1));
      case 1:
        return op("or", boolean(depth - 1), boolean(depth - 1));
      default:
        return op(comparisons[below(4)], number(depth - 1), number(depth - 1));
    }
  }

  Point point() {
    Point p{below(2) == 0, 0, 0, near(-2, 3)};
    (p.correct ? p.speedup : p.credit) = p.correct ? near(0, 10) : near(0, 1);
    return p;
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  /// The ends, integers and anything between.
  double near(double low, double high) {
    switch (below(6)) {
      case 0:
        return low;
      case 1:
        return high;
      case 2:
        return std::round(uniform(low, high));
      default:
        return uniform(low, high);
    }
  }
  std::mt19937 random_;
};

std::optional<double> value_at(const Expression& formula, const Point& point) {
  try {
    return evaluate_number(formula, point.bindings());
  } catch (const EvaluationError&) {
    return std::nullopt;
  }
}

TEST(ProveRandom, IsNeverWrong) {
  const char* wanted = std::getenv("TRL_FORMULAS");
  const int count = wanted == nullptr ? 3000 : std::atoi(wanted);
  Formulas formulas(20260101);
  int proven = 0, refuted = 0, unknown = 0, wrong = 0;
  const Ranges domain = ranges();
  for (int i = 0; i < count && wrong < 10; ++i) {
    const Expression formula = formulas.number(1 + i % 5);
    const double low = i % 2 == 0 ? 0 : std::round(formulas.uniform(-30, 10)) / 5,
                 high = i % 2 == 0 ? 1 : low + std::round(formulas.uniform(0, 60)) / 5;
    const Proof proof = prove_within(formula, domain, low, high);
    std::string mistake;
    const double slack = 1e-9 * std::max({1.0, std::abs(low), std::abs(high)});
    if (proof.verdict == Verdict::Refuted) {
      ++refuted;
      const auto part = [&](const char* key, double otherwise) {
        const auto at = proof.witness.find(key);
        return at == proof.witness.end() ? otherwise : std::get<double>(at->second);
      };
      const auto correct = proof.witness.find("c.correct");
      const Point at{correct != proof.witness.end() && correct->second == Value(true), part("c.speedup", 0),
                     part("c.credit", 0), part("x", 0)};
      const auto value = value_at(formula, at);
      if (value && *value >= low && *value <= high)
        mistake = "the witness is within: " + record_text(proof.witness);
    } else {
      (proof.verdict == Verdict::Proven ? proven : unknown) += 1;
      for (int n = 0; n < 60 && proof.verdict == Verdict::Proven && mistake.empty(); ++n) {
        const Point at = formulas.point();
        const auto value = value_at(formula, at);
        if (!value || *value < low - slack || *value > high + slack)
          mistake = "proven, and at " + record_text(at.bindings().records["c"]) +
                    ", x = " + std::to_string(at.x) + " it is " +
                    (value ? std::to_string(*value) : "without value");
      }
    }
    if (mistake.empty()) continue;
    ++wrong;
    ADD_FAILURE() << formula_text(formula) << " within [" << low << ", " << high << "]: " << mistake;
  }
  RecordProperty("unknown", unknown);
  std::printf("%d formulas: %d proven, %d refuted, %d unknown (%.1f %%)\n", count, proven, refuted, unknown,
              100.0 * unknown / count);
  EXPECT_LT(unknown, count / 5) << "an answer is wanted more often than not";
}

}  // namespace
}  // namespace trl::formulas
