#include "base/support/module_patterns.hpp"

#include <gtest/gtest.h>

namespace trl {
namespace {

using Idle = ModulePatterns::Idle;

std::int64_t rank_of(const std::string& pattern, const std::string& path) {
  return ModulePatterns({{pattern, 2, {}}}).of(path, {1, 1}).rank;
}

TEST(ModulePatterns, FitTheEndOfAPathAsPeftMatchesThem) {
  const std::string path = "model.layers.3.mlp.down_proj";
  for (const char* fits : {"down_proj", "mlp.down_proj", R"(mlp\.down_proj)", R"(layers\.[0-3]\..*)", ".*",
                           R"(model\.layers\.3\.mlp\.down_proj)", "up_proj|down_proj", "^model.*", "d[a-z_]+",
                           R"(.*\.\d\.mlp\.\w+)", "(?!up)[a-z]+_proj", "down_proj$", "d.*?proj",
                           "[(?*+]*down_proj", "(down|up){1}_proj"})
    EXPECT_EQ(rank_of(fits, path), 2) << fits;
  for (const char* not_fits : {"own_proj", "down", "down_proj.", "proj", "^layers.*", "", "Down_proj",
                               R"(layers\.3)", R"(layers\.[0-2]\..*)", "q_proj|up_proj"})
    EXPECT_EQ(rank_of(not_fits, path), 1) << not_fits;
}

TEST(ModulePatterns, OfThoseThatFitTheFirstWithARankAndTheFirstWithAnAlphaCount) {
  const ModulePatterns patterns(
      {{"layers.0.*", {}, 5}, {"q_proj", 8, {}}, {".*_proj", 4, 7}, {"q_proj", 9, 9}});
  const auto first = patterns.of("layers.0.q_proj", {1, 2}), second = patterns.of("layers.1.q_proj", {1, 2}),
             third = patterns.of("layers.1.o_proj", {1, 2}), none = patterns.of("lm_head", {1, 2});
  EXPECT_EQ(std::pair(first.rank, first.alpha), std::pair(std::int64_t{8}, 5.0));
  EXPECT_EQ(std::pair(second.rank, second.alpha), std::pair(std::int64_t{8}, 7.0));
  EXPECT_EQ(std::pair(third.rank, third.alpha), std::pair(std::int64_t{4}, 7.0));
  EXPECT_EQ(std::pair(none.rank, none.alpha), std::pair(std::int64_t{1}, 2.0));
  EXPECT_EQ(patterns.idle({"layers.0.q_proj", "layers.1.q_proj", "layers.1.o_proj"}),
            (std::vector{Idle::no, Idle::no, Idle::no, Idle::said_before}));
  EXPECT_EQ(patterns.idle({"layers.1.o_proj"}),
            (std::vector{Idle::fits_none, Idle::fits_none, Idle::no, Idle::fits_none}));
  EXPECT_EQ(patterns.idle({}), std::vector(4, Idle::fits_none));
}

TEST(ModulePatterns, WhatPythonReadsOtherwiseIsRefused) {
  for (const std::string& bad : std::vector<std::string>{
           "(", "[", "*", "a**", "a*+", "a{2}{3}", R"(\Aa)", R"((a)\1)", "(?P<x>a)", "(?i)a", "(?<=a)b",
           "[]a]", "[^]a]", "[[:digit:]]", "[a[:digit:]]", "a{,2}", "a{2", std::string(2000, 'a')}) {
    try {
      ModulePatterns({{"q_proj", 2, {}}, {bad, 2, {}}});
      ADD_FAILURE() << bad;
    } catch (const RefusedRegex& refused) {
      EXPECT_EQ(refused.pattern, bad);
      EXPECT_FALSE(refused.why.empty());
    }
  }
}

}  // namespace
}  // namespace trl
