#include "base/support/asking.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trl {
namespace {

TEST(Asking, WithoutATemplateTheModuleIsAsked) { EXPECT_EQ(asked("", "class Model"), "class Model"); }

TEST(Asking, TheModuleIsTakenAsItIs) {
  EXPECT_EQ(asked("{task}|{task}", "a {task} {gpu}"), "a {task} {gpu}|a {task} {gpu}");
}

TEST(Asking, TheLibrarysTemplatesNameTheTaskAndNothingUnknown) {
  for (const char* name : {"zero_shot", "one_shot"}) {
    const auto text = library_prompt(name);
    ASSERT_TRUE(text) << name;
    EXPECT_TRUE(mentions(*text, "task")) << name;
    for (const Mention& one : mentions(*text))
      EXPECT_TRUE(std::any_of(asked_placeholders.begin(), asked_placeholders.end(),
                              [&](const Placeholder& known) { return known.name == one.name; }))
          << one.name;
  }
  EXPECT_FALSE(library_prompt("module"));
  EXPECT_TRUE(mentions(*library_prompt("one_shot"), "example"));
  for (const bool cuda : {false, true}) {
    EXPECT_NE(example_in_prompt(cuda).find("class ModelNew"), std::string::npos);
    EXPECT_TRUE(mentions(example_in_prompt(cuda)).empty()) << "an example's own braces stay";
  }
}

}  // namespace
}  // namespace trl
