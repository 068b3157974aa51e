// Designs: the cells of `vary`, each resolved under its own settings.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "language/diagnostics/render.hpp"
#include "language/elaboration/designs.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

json experiment(const std::string& vary, const std::string& more = "") {
  const std::string program = R"(import example
let rate = 1e-4
let binary(c: verdict) = if c.correct then 1 else 0
let graded(c: verdict) = if c.correct then 0.5 + 0.5 * min(c.speedup, 1) else 0
lora w { rank = 8 }
train r : example.reinforce { learning_rate = rate, min_reward = 0.2 }
train other : example.reinforce { candidates = 4 }
extension a : multi_input {}
extension b : memory_checks {}
extension c : staged_evaluation { failing { full = 0.1, tiny = 0.1, compile = 0.1 } }
extension d : multi_input { variations = [reseed] }
experiment e : example.study { adapter = w, train = r, controls = [other], vary = )" +
                              vary + " }\n" + more;
  const Checked checked = test::check_text(program);
  EXPECT_FALSE(checked.has_errors()) << render(checked.diagnostics, checked.sources);
  return checked.resolved ? checked.resolved->at("experiments").at("e") : json();
}

std::vector<std::string> labels(const json& experiment) {
  std::vector<std::string> out;
  for (const json& cell : experiment.at("cells")) out.push_back(cell.at("label"));
  return out;
}

TEST(Designs, LabelsSayWhatIsOnInAllCellsToo) {
  EXPECT_EQ(labels(experiment("subsets(a, b), extensions = [c, d]")),
            (std::vector<std::string>{"c + d", "c + d + a", "c + d + b", "c + d + a + b"}));
  EXPECT_EQ(labels(experiment("grid(r.rounds = [1, 2]), extensions = [c]")),
            (std::vector<std::string>{"rounds = 1", "rounds = 2"}))
      << "these rows differ in settings alone";
}

TEST(Designs, SubsetsGoFromNoneToAll) {
  const json e = experiment("subsets(a, b)");
  EXPECT_EQ(labels(e), (std::vector<std::string>{"none", "a", "b", "a + b"}));
  for (const json& cell : e["cells"]) EXPECT_FALSE(cell.contains("with")) << "only extensions change";
}

TEST(Designs, AGridResolvesEachCellUnderItsSettings) {
  const json e = experiment("grid(w.rank = [8, 16], rate = [1e-4, 1e-5])");
  EXPECT_EQ(labels(e), (std::vector<std::string>{"rank = 8, rate = 1e-4", "rank = 8, rate = 1e-5",
                                                 "rank = 16, rate = 1e-4", "rank = 16, rate = 1e-5"}));
  EXPECT_EQ(e["cells"][3]["with"]["adapter"]["rank"], 16);
  EXPECT_EQ(e["cells"][3]["with"]["train"][0]["learning_rate"], 1e-5);
  EXPECT_EQ(e["cells"][0]["with"]["train"][0]["learning_rate"], 1e-4);
  EXPECT_EQ(e["adapter"]["rank"], 8) << "controls keep what is declared";
  EXPECT_EQ(e["design"]["factors"][1],
            (json{{"name", "rate"}, {"extension", false}, {"levels", {"1e-4", "1e-5"}}}));
}

TEST(Designs, FormulasRangesAndTaskSetsAreLevelsToo) {
  const json e = experiment("grid(r.reward = [binary, graded], r.rounds = [1..2, 4])");
  EXPECT_EQ(labels(e)[5], "reward = graded, rounds = 4");
  EXPECT_EQ(e["cells"].size(), 6u);
  EXPECT_NE(e["cells"][0]["with"]["train"][0]["reward"], e["cells"][3]["with"]["train"][0]["reward"]);
  EXPECT_EQ(e["cells"][1]["with"]["train"][0]["rounds"], 2);
}

TEST(Designs, AZipTakesTheListsInStep) {
  const json e = experiment("zip(r.candidates = [5, 10], r.keep = [1, 2])");
  EXPECT_EQ(labels(e), (std::vector<std::string>{"candidates = 5, keep = 1", "candidates = 10, keep = 2"}));
  EXPECT_EQ(e["design"]["factors"].size(), 1u);
}

TEST(Designs, AProductCrossesItsParts) {
  const json e = experiment("subsets(a) * zip(r.candidates = [5, 10], r.keep = [1, 2])");
  EXPECT_EQ(labels(e),
            (std::vector<std::string>{"none, candidates = 5, keep = 1", "none, candidates = 10, keep = 2",
                                      "a, candidates = 5, keep = 1", "a, candidates = 10, keep = 2"}));
}

TEST(Designs, AnExtensionsFieldsCanBeVaried) {
  const json e = experiment("subsets(c) * grid(c.failing.full = [0, 0.1])");
  ASSERT_EQ(e["cells"].size(), 4u);
  EXPECT_EQ(e["cells"][3]["with"]["vary"]["args"][0]["args"][0]["failing"]["full"], 0.1);
  EXPECT_EQ(e["cells"][2]["with"]["vary"]["args"][0]["args"][0]["failing"]["full"], 0);
}

TEST(Designs, AFractionHasHalfTheCellsAndSaysWhatItCannotTellApart) {
  const json e = experiment("fractional(a, b, c, d, resolution = 4)");
  EXPECT_EQ(e["cells"].size(), 8u);
  EXPECT_EQ(e["design"]["fraction"]["resolution"], 4);
  EXPECT_EQ(e["design"]["fraction"]["aliases"][0], "a = b x c x d");
}

/// The definition, by brute force: a design has resolution R if the columns of any R - 1 factors contain
/// every combination equally often (strength R - 1).
bool has_strength(const Fraction& fraction, std::size_t factors, int strength) {
  for (unsigned mask = 0; mask < 1u << factors; ++mask) {
    if (std::popcount(mask) != strength) continue;
    std::map<unsigned, int> seen;
    for (const auto& row : fraction.rows) {
      unsigned levels = 0;
      for (std::size_t i = 0; i < factors; ++i)
        if (mask >> i & 1) levels = levels << 1 | static_cast<unsigned>(row[i]);
      ++seen[levels];
    }
    if (seen.size() != 1u << strength) return false;
    for (const auto& [levels, count] : seen)
      if (count != seen.begin()->second) return false;
  }
  return true;
}

TEST(Fraction, HasTheResolutionAskedByDefinition) {
  for (std::size_t factors = 3; factors <= 10; ++factors)
    for (int resolution = 3; resolution <= 6; ++resolution) {
      const auto fraction = fractional_factorial(factors, resolution);
      if (static_cast<int>(factors) < resolution) {
        EXPECT_FALSE(fraction);
        continue;
      }
      ASSERT_TRUE(fraction) << factors << " at " << resolution;
      EXPECT_TRUE(has_strength(*fraction, factors, resolution - 1)) << factors << " at " << resolution;
      EXPECT_LT(fraction->rows.size(), 1u << factors);
      EXPECT_EQ(std::set(fraction->rows.begin(), fraction->rows.end()).size(), fraction->rows.size());
      EXPECT_EQ(fraction->rows[0], std::vector<std::size_t>(factors, 0))
          << "the recipe without extensions is a cell";
    }
}

TEST(Fraction, IsAsSmallAsTheTablesOfBoxHunterAndHunter) {
  // Statistics for Experimenters, 2nd edition, table 6.22: factors, resolution, runs.
  for (const auto& [factors, resolution, runs] :
       std::vector<std::tuple<std::size_t, int, std::size_t>>{{3, 3, 4},
                                                              {4, 4, 8},
                                                              {5, 3, 8},
                                                              {5, 5, 16},
                                                              {6, 4, 16},
                                                              {6, 6, 32},
                                                              {7, 3, 8},
                                                              {7, 4, 16},
                                                              {8, 4, 16},
                                                              {9, 4, 32}})
    EXPECT_EQ(fractional_factorial(factors, resolution)->rows.size(), runs)
        << factors << " at " << resolution;
}

std::vector<std::string> rules_of(const std::string& vary) {
  const Checked checked = test::check_text(
      "import example\nlora w {}\nlora unused {}\nexperiment e : example.study { adapter = w, vary = " +
      vary + " }\n");
  std::vector<std::string> out;
  for (const Diagnostic& d : checked.diagnostics)
    if (d.severity == Severity::error) out.push_back(d.rule);
  return out;
}

TEST(Designs, MistakesAreFound) {
  using Rules = std::vector<std::string>;
  EXPECT_EQ(rules_of("zip(w.rank = [8, 16], w.alpha = [1, 2, 3])"), Rules{"design"});
  // A value may occur again beside another one, and a cell may not.
  EXPECT_EQ(rules_of("zip(w.rank = [8, 16, 16], w.alpha = [8, 8, 16])"), Rules{});
  EXPECT_EQ(rules_of("zip(w.rank = [8, 16, 16], w.alpha = [8, 16, 16])"), Rules{"duplicate_name"});
  EXPECT_EQ(rules_of("grid(w.rank = [])"), Rules{"design"});
  EXPECT_EQ(rules_of("grid(w.rank = [8, 8])"), Rules{"duplicate_name"});
  EXPECT_EQ(rules_of("grid(w.rank = [8]) * grid(w.rank = [16])"), Rules{"duplicate_name"});
  EXPECT_EQ(rules_of("grid(w.rnak = [8, 16])"), Rules{"unknown_field"});
  EXPECT_EQ(rules_of("grid(v.rank = [8, 16])"), Rules{"unknown_name"});
  EXPECT_EQ(rules_of("grid(unused.rank = [8, 16])"), Rules{"unused_override"});
  EXPECT_EQ(rules_of("grid(w.rank = 8)"), Rules{"wrong_type"});
  EXPECT_EQ(rules_of("grid(w.rank = [8, 1.5])"), Rules{"wrong_type"});
  EXPECT_EQ(rules_of("grid(example.exam.samples = [1, 2])"), Rules{"varied_exam"});
  EXPECT_EQ(rules_of("fractional(example.pace, example.pace)"), Rules{"duplicate_name"});
  EXPECT_EQ(rules_of("fractional(example.pace)"), Rules{"design"});
  EXPECT_EQ(rules_of("grid(example.reinforce.keep = [3, 11])"), Rules{"keep_exceeds_candidates"});
}

}  // namespace
}  // namespace trl::language
