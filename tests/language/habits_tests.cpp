// What those write who come from other languages and tools gets an answer that names what to write instead.
#include "tests/language/habits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

TEST(Habits, GetAnAnswerThatCanBeActedOn) {
  std::string missed;
  const auto all = test::habits();
  std::size_t answered = 0;
  for (const test::Habit& habit : all) {
    const Checked checked = test::check_text(habit.program);
    const std::string said = render(checked.diagnostics, checked.sources);
    bool right = habit.words.empty() ? checked.diagnostics.empty() : checked.has_errors();
    for (const std::string& word : habit.words) right = right && said.find(word) != std::string::npos;
    answered += right;
    if (!right) missed += "----- " + habit.what + "\n" + said + "\n";
  }
  std::printf("habits of other tools: %zu, answered %zu\n", all.size(), answered);
  EXPECT_GE(all.size(), 90u);
  EXPECT_EQ(answered, all.size()) << missed;
}

TEST(Habits, AreOneFindingEach) {
  std::string several;
  std::size_t more = 0;
  const auto all = test::habits();
  for (const test::Habit& habit : all) {
    const Checked checked = test::check_text(habit.program);
    // Warnings are about what the program says besides.
    const auto errors = std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (errors <= 1) continue;
    ++more;
    several += "----- " + habit.what + "\n" + render(checked.diagnostics, checked.sources) + "\n";
  }
  // Those that have the habit twice, `;` and `"q_proj"`, a name that is declared by another tool's word, and
  // another tool's field with another tool's sign or value, `lr: 1e-3` and `dtype = "bfloat16"`.
  EXPECT_LE(more, 8u) << several;
}

}  // namespace
}  // namespace trl::language
