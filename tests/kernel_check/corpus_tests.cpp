// good/ has honest candidates of ten families in varied style, for which nothing may be found. bad/ has
// candidates with one or two mistakes each; the expected finding stands below its line as `// ^ refuse
// check_id`, or as `// ^0 …` where it has no position.
#include <gtest/gtest.h>

#include <cstdio>
#include <regex>
#include <set>
#include <sstream>

#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

using Expected = std::set<std::tuple<std::string, std::string, int>>;  // severity, check, line

Expected expected(const std::string& text) {
  static const std::regex mark(R"(\s*//\s*\^(0?) (refuse|warn) (\w+)\s*)");
  Expected all;
  std::istringstream lines(text);
  int number = 0, subject = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, mark))
      all.insert({match[2], match[3], match[1].length() ? 0 : subject});
    else
      subject = number;
  }
  return all;
}

Expected found(const nlohmann::json& answer) {
  Expected all;
  for (const auto& one : answer.at("findings"))
    all.emplace(one.at("severity").get<std::string>(), one.at("check").get<std::string>(),
                one.at("line").get<int>());
  return all;
}

TEST(Corpus, NothingIsSaidOfHonestCandidates) {
  Checker checker;
  const auto all = files("good");
  EXPECT_GE(all.size(), 20u);
  for (const File& file : all) {
    const auto answer = checker.check(file.text);
    EXPECT_TRUE(answer.at("ok")) << file.name;
    EXPECT_EQ(shown(answer), "") << file.name;
    EXPECT_FALSE(answer.at("facts").at("kernels").empty()) << file.name;
    EXPECT_FALSE(answer.at("facts").at("launches").empty()) << file.name;
  }
}

TEST(Corpus, EachMistakeIsFoundByItsCheckAtItsLine) {
  Checker checker;
  int mistakes = 0;
  for (const File& file : files("bad")) {
    const Expected wanted = expected(file.text);
    EXPECT_FALSE(wanted.empty()) << file.name;
    mistakes += static_cast<int>(wanted.size());
    const auto answer = checker.check(file.text);
    EXPECT_EQ(found(answer), wanted) << file.name << "\n" << shown(answer);
    for (const auto& one : answer.at("findings")) {
      EXPECT_NE(one.at("message"), "") << file.name;
      EXPECT_NE(one.at("reason"), "") << file.name;
    }
  }
  EXPECT_GE(mistakes, 40);
}

TEST(Corpus, EveryCheckHasAMistake) {
  std::set<std::string> covered = {"crashed", "too_large", "too_slow"};  // robustness_tests.cpp tests these
  for (const File& file : files("bad"))
    for (const auto& one : expected(file.text)) covered.insert(std::get<1>(one));
  FILE* list = popen(TRL_KERNEL_CHECK " --checks", "r");
  ASSERT_NE(list, nullptr);
  char line[512];
  int count = 0;
  for (; std::fgets(line, sizeof line, list); ++count) {
    const std::string id(line, std::string(line).find(' '));
    EXPECT_TRUE(covered.count(id)) << id;
  }
  pclose(list);
  EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace trl::test
