// Tasks that are too large to be executed completely without a GPU: where they are reported, and when they
// aren't.
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

/// Two tasks of 512 MiB and one of some KiB.
const std::string suite = R"(import example
suite mine {
  task first[M = 8192, N = 8192](x: f32[M, N]) = relu(x - 1) * 2
  task second[M = 8192, N = 8192](x: f32[M, N]) = sigmoid(x - 1) * 2
  task little[M = 64](x: f32[M]) = softplus(x - 1) * 2
}
)";

std::vector<Diagnostic> large(const Checked& checked) {
  std::vector<Diagnostic> out;
  for (const Diagnostic& d : checked.diagnostics)
    if (d.rule == "large_tasks") out.push_back(d);
  return out;
}

std::string shown(const Checked& checked) { return render(checked.diagnostics, checked.sources); }

Checked check(const std::string& rest) { return test::check_text(suite + rest); }

TEST(LargeTasks, AreOneFindingForASuiteWhereItIsUsed) {
  const Checked checked = check(R"(evaluation x : example.exam { split = mine[1..2] + mine[3] }
experiment e : example.study { evaluate = x }
)");
  const auto found = large(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_NE(found[0].message.find("2 of the 3 tasks of `mine`"), std::string::npos) << found[0].message;
  const std::string text = shown(checked);
  EXPECT_NE(text.find("test.trl:7:39: warning[large_tasks]"), std::string::npos) << text;
  EXPECT_NE(text.find("a GPU of at least 2.0 GiB"), std::string::npos) << text;
}

TEST(LargeTasks, OfTrainingAndExamAreOneFinding) {
  const Checked checked = check(R"(train t : example.reinforce { tasks = mine[1] + mine[3] }
evaluation x : example.exam { split = mine[2] }
experiment e : example.study { train = t, evaluate = x }
)");
  const auto found = large(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_NE(found[0].message.find("2 of the 3 tasks"), std::string::npos) << found[0].message;
  EXPECT_NE(shown(checked).find("`t` uses it, too"), std::string::npos) << shown(checked);
}

TEST(LargeTasks, AreComparedWithTheMemoryOfTheMachine) {
  const auto on = [&](const std::string& memory) {
    return check("machine node { memory = " + memory + R"( }
evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x, machine = node }
)");
  };
  EXPECT_TRUE(large(on("2 GiB")).empty()) << shown(on("2 GiB"));
  const Checked checked = on("1 GiB");
  const auto found = large(checked);
  ASSERT_EQ(found.size(), 1u) << shown(checked);
  EXPECT_NE(found[0].message.find("too large for a GPU of `node`, which has 1.0 GiB"), std::string::npos)
      << found[0].message;
}

TEST(LargeTasks, OfCudaAreNeverSampled) {
  const Checked checked = check(R"(evaluation x : example.exam { split = mine }
experiment e { model = example.base, language = cuda, evaluate = x }
)");
  EXPECT_EQ(large(checked).size(), 1u) << shown(checked);
  EXPECT_NE(shown(checked).find("kernels in CUDA are judged by a GPU"), std::string::npos) << shown(checked);
}

TEST(LargeTasks, AreSilencedWhereTheyAreAllowed) {
  EXPECT_TRUE(large(check(R"(evaluation x : example.exam { split = mine, allow(large_tasks, "sampled") }
experiment e : example.study { evaluate = x }
)"))
                  .empty());
}

TEST(LargeTasks, ThatNothingUsesAreNotFound) {
  EXPECT_TRUE(large(check("experiment e : example.study {}\n")).empty());
}

}  // namespace
}  // namespace trl::language
