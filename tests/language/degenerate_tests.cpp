// Tasks that trivial answers pass: where they are reported, with which severity, and what silences the
// report.
#include <gtest/gtest.h>

#include <algorithm>

#include "language/diagnostics/render.hpp"
#include "language/diagnostics/rule.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

const std::string suite = R"(import example
suite mine {
  task shifted[M = 64](x: f32[M]) = relu(x - 20)
  task sound[M = 64](x: f32[M]) = relu(x - 1)
}
)";
const std::string exam = R"(evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x }
)";

std::vector<Diagnostic> degenerate(const Checked& checked) {
  std::vector<Diagnostic> out;
  for (const Diagnostic& d : checked.diagnostics)
    if (d.rule == "degenerate_task") out.push_back(d);
  return out;
}

std::string text_at(const Diagnostic& d, const Checked& checked) {
  return std::string(checked.sources[d.range.file].text().substr(d.range.begin, d.range.end - d.range.begin));
}

std::string shown(const Checked& checked) { return render(checked.diagnostics, checked.sources); }

Checked check_with(const std::string& text, Assess assess) {
  auto options = test::in_memory({{"test.trl", text}});
  options.assess = std::move(assess);
  return check_file("test.trl", options);
}

/// Gives every task the same assessment.
Assess always(Assessment assessment) {
  return [assessment = std::move(assessment)](const auto& tasks, const std::string&) {
    return std::vector<Assessment>(tasks.size(), assessment);
  };
}

Assessment unknown(std::string why) {
  Assessment out;
  out.why = std::move(why);
  return out;
}

TEST(Degenerate, AnExamsTaskIsAnErrorAtItsOwnPlace) {
  const Checked checked = test::check_text(suite + exam);
  const auto found = degenerate(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(text_at(found[0], checked), "shifted");
  const std::string text = shown(checked);
  EXPECT_NE(text.find("`mine/1` (shifted)"), std::string::npos) << text;
  EXPECT_NE(text.find("an answer of zeros passes"), std::string::npos) << text;
  EXPECT_NE(text.find("it passes under original, reseed"), std::string::npos) << text;
  EXPECT_NE(text.find("`x` uses it here"), std::string::npos) << text;
}

TEST(Degenerate, ATaskOfTrainingIsAWarning) {
  const Checked checked = test::check_text(suite + R"(train t : example.reinforce { tasks = mine }
experiment e : example.study { train = t }
)");
  const auto found = degenerate(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(text_at(found[0], checked), "shifted");
}

TEST(Degenerate, TasksOfAnotherFileAreNamedWhereTheyAreBroughtIn) {
  const std::string other = R"(suite theirs {
  task a[M = 64](x: f32[M]) = relu(x - 20)
  task b[M = 64](x: f32[M]) = relu(x - 30)
  task c[M = 64](x: f32[M]) = relu(x - 3)
}
)";
  const std::string program = R"(import example
import other
evaluation x : example.exam { split = other.theirs }
experiment e : example.study { evaluate = x }
)";
  const Checked checked = test::check_text(program, {{"other.trl", other}});
  const auto found = degenerate(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(text_at(found[0], checked), "other.theirs");
  const std::string text = shown(checked);
  EXPECT_NE(text.find("2 tasks of `x`"), std::string::npos) << text;
  EXPECT_NE(text.find("`theirs/2` (b): an answer of zeros passes"), std::string::npos) << text;
}

TEST(Degenerate, MayBeAllowedByWhoeverIsConcerned) {
  const std::string allow = "allow(degenerate_task, \"a test\")";
  const std::string plain = suite + exam;
  const auto with = [&](const std::string& before, const std::string& instead) {
    std::string text = plain;
    text.replace(text.find(before), before.size(), instead);
    return text;
  };
  for (const std::string& program : {with("{ split = mine }", "{ " + allow + ", split = mine }"),
                                     with("{ evaluate = x }", "{ " + allow + ", evaluate = x }"),
                                     with("suite mine {", "suite mine {\n  " + allow),
                                     with("  task shifted", "  " + allow + "\n  task shifted"),
                                     with("suite mine", allow + "\nsuite mine")}) {
    const Checked checked = test::check_text(program);
    EXPECT_TRUE(checked.diagnostics.empty()) << program << shown(checked);
    ASSERT_TRUE(checked.resolved.has_value());
    EXPECT_EQ(checked.resolved->at("experiments").at("e").at("allowed").size(), 1u) << program;
  }
}

TEST(Degenerate, AnAllowThatSilencesNothingIsFoundOnceTasksAreAssessed) {
  const std::string program = R"(import example
suite mine { task sound[M = 64](x: f32[M]) = relu(x - 1) }
evaluation x : example.exam {
  allow(degenerate_task, "a test")
  split = mine
}
experiment e : example.study { evaluate = x }
)";
  const Checked checked = test::check_text(program);
  ASSERT_EQ(checked.diagnostics.size(), 1u) << shown(checked);
  EXPECT_EQ(checked.diagnostics[0].rule, "unused_allow");
  EXPECT_TRUE(check_with(program, {}).diagnostics.empty())
      << "without assessments an `allow` is not reported as unused";
  const Checked untold = check_with(program, always(unknown("the runtime isn't built")));
  EXPECT_FALSE(has_errors(untold.diagnostics));
  for (const Diagnostic& d : untold.diagnostics) EXPECT_EQ(d.severity, Severity::note) << shown(untold);
}

TEST(Degenerate, WithoutARuntimeNothingIsClaimed) {
  EXPECT_TRUE(check_with(suite + exam, {}).diagnostics.empty());
  EXPECT_TRUE(check_with(suite + exam, always(unknown(""))).diagnostics.empty()) << "not asked yet";
}

TEST(Degenerate, WhatCouldNotBeAssessedIsANoteThatSaysWhy) {
  const Checked checked = check_with(suite + exam, always(unknown("the runtime isn't built")));
  ASSERT_EQ(checked.diagnostics.size(), 1u) << shown(checked);
  EXPECT_EQ(checked.diagnostics[0].severity, Severity::note);
  EXPECT_FALSE(checked.has_errors());
  EXPECT_TRUE(checked.resolved.has_value());
  EXPECT_NE(shown(checked).find("8 tasks were not tried with trivial answers: the runtime isn't built"),
            std::string::npos)
      << shown(checked);
}

TEST(Degenerate, AReferenceThatIsNanEverywhereIsCalledThat) {
  Assessment nan;
  nan.known = Assessment::Known::degenerate;
  nan.passes = "nan";
  const Checked checked = check_with(suite + exam, always(nan));
  EXPECT_NE(shown(checked).find("`mine/1` (shifted) is NaN everywhere"), std::string::npos) << shown(checked);
}

TEST(Degenerate, TasksThatAreKeptElsewhereAreNotAskedAbout) {
  std::size_t asked = 0;
  const Checked checked = check_with(R"(import example
suite away { source = "KernelBench/level2", tasks = 3 }
evaluation x : example.exam { split = away }
experiment e : example.study { evaluate = x }
)",
                                     [&](const auto& tasks, const std::string&) {
                                       for (const auto* task : tasks) asked += task->at("suite") == "away";
                                       return std::vector<Assessment>(tasks.size());
                                     });
  EXPECT_EQ(asked, 0u);
  EXPECT_TRUE(degenerate(checked).empty());
}

TEST(Degenerate, EachDeclarationIsAssessedUnderItsOwnPrecision) {
  std::vector<std::string> precisions;
  check_with(suite + R"(evaluation x : example.exam { split = mine, precision = tf32 }
train t : example.reinforce { precision = half }
experiment e : example.study { evaluate = x, train = t }
)",
             [&](const auto& tasks, const std::string& precision) {
               precisions.push_back(precision);
               return std::vector<Assessment>(tasks.size());
             });
  EXPECT_EQ(precisions, (std::vector<std::string>{"tf32", "half"}));
}

TEST(Degenerate, AFileWithoutExperimentsIsThereForItsTasks) {
  const Checked checked = test::check_text(suite);
  const auto found = degenerate(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(text_at(found[0], checked), "shifted");
}

TEST(Degenerate, TasksThatNoExperimentUsesAreNotAskedAbout) {
  const Checked checked = test::check_text(suite + "experiment e : example.study { seeds = 1..3 }\n");
  EXPECT_TRUE(degenerate(checked).empty()) << shown(checked);
}

}  // namespace
}  // namespace trl::language
