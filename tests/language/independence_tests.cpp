// A mistake in one declaration hides nothing that is found elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "language/diagnostics/render.hpp"
#include "tests/language/habits.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language/stub.hpp"
#include "tests/long_tests.hpp"

namespace trl::language {
namespace {

/// Declarations with one finding of each of several rules, by names that no other program has.
const std::string findings = R"(
import example
train zz_keep : example.reinforce { candidates = 4, keep = 5 }
train zz_warm : example.reinforce { warmup = 90% }
train zz_reward : example.reinforce { reward(c) = if c.correct then 0.7 + 0.3 * c.speedup else 0 }
train zz_none : example.reinforce { min_reward = 100% }
train zz_seen : example.reinforce { tasks = example.hard[3] }
evaluation zz_short : example.exam { max_tokens = 128 }
experiment zz_study : example.study {
  train = zz_keep -> zz_warm -> zz_reward -> zz_none -> zz_seen
  evaluate = zz_short, seeds = [1, 2, 2]
}
extension zz_inputs : multi_input {}
extension zz_other : multi_input {}
experiment zz_design : example.study { vary = subsets(zz_inputs), extensions = [zz_other], seeds = 1..3 }
hypothesis zz_not_varied { of = zz_design, contrast = zz_other }
hypothesis zz_same { of = zz_design, contrast = zz_inputs, expect = same }
)";

const std::set<std::string> wanted = {"keep_exceeds_candidates", "warmup_too_long",     "reward_range",
                                      "unreachable_min_reward",  "exam_overlap",        "truncated_exam",
                                      "duplicate_seed",          "contrast_not_varied", "missing_margin"};

/// The rules of findings about the declarations above, which begin at `from`.
std::set<std::string> rules_behind(const Checked& checked, std::size_t from) {
  std::set<std::string> rules;
  for (const Diagnostic& d : checked.diagnostics)
    if (d.range.file == 0 && d.range.begin >= from) rules.insert(d.rule);
  return rules;
}

std::string missing(const Checked& checked, std::size_t from) {
  const std::set<std::string> there = rules_behind(checked, from);
  std::string out;
  for (const std::string& rule : wanted)
    if (!there.contains(rule)) out += " " + rule;
  return out;
}

std::string with_findings(std::string program) {
  const std::string import = "import example\n";
  if (const std::size_t at = program.find(import); at != std::string::npos) program.erase(at, import.size());
  if (!program.ends_with("\n")) program += "\n";
  return program;
}

TEST(Independence, TheFindingsAreThereByThemselves) {
  const Checked checked = test::check_text(findings);
  EXPECT_EQ(missing(checked, 0), "") << render(checked.diagnostics, checked.sources);
}

TEST(Independence, NoMistakeElsewhereHidesThem) {
  std::string hidden;
  std::size_t all = 0, kept = 0;
  const auto check = [&](const std::string& what, const std::string& written) {
    const std::string program = with_findings(written);
    const Checked checked = test::check_text(program + findings);
    const std::string lost = missing(checked, program.size());
    ++all;
    kept += lost.empty();
    if (!lost.empty())
      hidden += "----- " + what + " hides" + lost + "\n" +
                render(checked.diagnostics, checked.sources).substr(0, 600) + "\n";
  };
  const auto step = step_of_cases<std::size_t>(3);
  const auto mistakes = test::mistakes();
  const auto habits = test::habits();
  for (std::size_t i = 0; i < mistakes.size(); i += step) check(mistakes[i].kind, mistakes[i].program);
  for (std::size_t i = 0; i < habits.size(); i += step) check(habits[i].what, habits[i].program);
  std::printf("mistakes and habits beside findings: %zu, of which %zu hide none\n", all, kept);
  EXPECT_GT(all * step, 280u);
  EXPECT_EQ(kept, all) << hidden;
}

TEST(Independence, AFieldThatIsGivenTwiceHidesNothingButItself) {
  const Checked checked = test::check_text(R"(import example
lora a { rank = 8, rank = 16 }
train t : example.reinforce { candidates = 4, candidates = 8, keep = 5, warmup = 90% }
train u : example.reinforce { candidates = 4, keep = 5 }
evaluation x : example.exam { max_tokens = 128 }
experiment e : example.study { adapter = a, train = t -> u, evaluate = x, seeds = [1, 1] }
)");
  std::multiset<std::string> rules;
  for (const Diagnostic& d : checked.diagnostics) rules.insert(d.rule);
  EXPECT_EQ(rules,
            (std::multiset<std::string>{"duplicate_name", "duplicate_name", "warmup_too_long",
                                        "keep_exceeds_candidates", "truncated_exam", "duplicate_seed"}))
      << render(checked.diagnostics, checked.sources);
}

TEST(Independence, WhatDidNotResolveIsNotMissing) {
  // Each of these would be found missing if the value that has an error counted as none.
  const char* const programs[] = {
      "experiment e : example.study { adapter = nowhere }\n",
      "train none : example.reinforce { keep_by = rondom }\n"
      "experiment e : example.study { controls = [none], seeds = 1..3 }\n"
      "table t { of = e, rows = cells + controls }\n",
      "experiment e : example.study { controls = [nowhere], seeds = 1..3 }\ntable t { of = e }\n",
      "experiment e : example.study { dev = nowhere, seeds = 1..3 }\nplot p { of = e, on = dev, y = correct "
      "}\n",
      "experiment e : example.study { vary = subsets(nowhere), seeds = 1..3 }\n"
      "hypothesis h { of = e, contrast = example.pace }\n",
      "train a : example.reinforce { candidates = 2 k, keep = 3 }\n"
      "experiment e : example.study { train = a }\n",
      "train a : example.reinforce { candidtes = 2, keep = 3 }\nexperiment e : example.study { train = a }\n",
      "lora small { rank = 4 }\nexperiment e : example.study { adaptr = small }\n",
      "lora small { rank = 4 }\nexperiment e : example.study { adapter = smal1 }\n",
      "train a : example.reinforce {}\nexperiment e : example.study { train = a ->, seeds = 1..3 }\n",
      "trian a : example.reinforce {}\ntrain b : a { keep = 2 }\nexperiment e : example.study { train = b "
      "}\n",
      "train a : example.reinforce { allow(keeps_incorect, \"studied\") }\n"
      "experiment e : example.study { train = a, vary = subsets(example.stages) }\n",
      "split s = example.easy\n  + example.hard[3..4]\nevaluation x : example.exam { split = s }\n"
      "experiment e : example.study { evaluate = x }\n",
      "lora small { rank = 4 }\n"
      "experiment e { model = example.base, train = example.reinforce, evaluate = example.exam }\n",
      "task t[N = 64](x: f32[N]) = relu(x)\nexperiment e : example.study {}\n",
  };
  for (const char* text : programs) {
    const Checked checked = test::check_text(std::string("import example\n") + text);
    EXPECT_EQ(checked.diagnostics.size(), 1u) << text << render(checked.diagnostics, checked.sources);
    EXPECT_TRUE(checked.has_errors());
  }
}

}  // namespace
}  // namespace trl::language
