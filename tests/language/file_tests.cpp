// good/*.trl check without a diagnostic. bad/*.trl have a comment below each offending text with the finding:
//     lora l { rnak = 8 }
//     #        ^^^^ error unknown_field
// `./trl renew bad` rewrites the comments; review the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "language/diagnostics/render.hpp"
#include "tests/golden.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(fs::path(TRL_LANGUAGE_TESTS) / folder))
    if (entry.path().extension() == ".trl") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

struct Finding {
  std::size_t line, first, last;  ///< columns, both included
  std::string severity, rule;
  auto operator<=>(const Finding&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Finding& f) {
  return out << f.line << ":" << f.first << ".." << f.last << " " << f.severity << " " << f.rule;
}

bool annotation(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return false;
  const std::size_t caret = line.find_first_not_of(' ', hash + 1);
  return caret != std::string::npos && line[caret] == '^';
}

std::vector<Finding> expected(const std::string& text) {
  std::vector<Finding> out;
  std::istringstream in(text);
  std::string line;
  std::size_t number = 0, subject = 0;
  while (std::getline(in, line)) {
    ++number;
    if (!annotation(line)) {
      subject = number;
      continue;
    }
    const std::size_t first = line.find('^'), after = line.find_first_not_of('^', first);
    std::istringstream words(line.substr(after));
    Finding f{subject, first + 1, after, "", ""};
    words >> f.severity >> f.rule;
    out.push_back(f);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Finding finding(const Diagnostic& d, const Sources& sources) {
  const Source& source = sources[d.range.file];
  const Position begin = source.position(d.range.begin), end = source.position(d.range.end);
  const std::size_t width = source.position(source.offset({begin.line, 100000})).column;
  const std::size_t after = end.line == begin.line ? end.column : width;
  return {begin.line, begin.column, std::max(begin.column, after - 1),
          d.severity == Severity::error ? "error" : "warning", d.rule};
}

void refresh(const fs::path& path, const std::string& text, const Checked& checked) {
  std::vector<Finding> found;
  for (const Diagnostic& d : checked.diagnostics) found.push_back(finding(d, checked.sources));
  std::istringstream in(text);
  std::ofstream out(path, std::ios::binary);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (annotation(line)) continue;
    out << line << "\n";
    for (const Finding& f : found)
      if (f.line == number)
        out << "#" << std::string(f.first - 2, ' ') << std::string(f.last - f.first + 1, '^') << " "
            << f.severity << " " << f.rule << "\n";
  }
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem().string();
}

class GoodFile : public testing::TestWithParam<std::string> {};

TEST_P(GoodFile, IsFine) {
  const Checked checked = check_file(GetParam(), test::in_memory({}));
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
  EXPECT_TRUE(checked.resolved.has_value());
}

INSTANTIATE_TEST_SUITE_P(Files, GoodFile, testing::ValuesIn(files("good")), name_of);

class BadFile : public testing::TestWithParam<std::string> {};

TEST_P(BadFile, IsFoundWhereItSays) {
  const std::string text = read_from_disk(GetParam()).value();
  const Checked checked = check_file(GetParam(), test::in_memory({}));
  if (const auto path = renewed("tests/language/bad" / fs::path(GetParam()).filename())) {
    refresh(*path, text, checked);
    GTEST_SKIP() << "written";
  }
  std::vector<Finding> found;
  for (const Diagnostic& d : checked.diagnostics) found.push_back(finding(d, checked.sources));
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected(text)) << render(checked.diagnostics, checked.sources);
  EXPECT_FALSE(found.empty());
}

TEST(Recipe, EachErrorThatAFileCanStateIsReported) {
  const std::string path = TRL_LANGUAGE_TESTS "/bad/recipe.trl";
  const Checked checked = check_file(path, test::in_memory({}));
  const Source& source = checked.sources[0];
  std::vector<std::string> found;
  for (const Diagnostic& d : checked.diagnostics) {
    ASSERT_EQ(d.range.file, 0u);
    std::string line(source.line(source.position(d.range.begin).line));
    line = line.substr(line.find_first_not_of(' '));
    found.push_back(d.rule + ": " + line.substr(0, line.find_first_of("={[")));
  }
  const std::vector<std::string> expected = {
      "range_outside_suite: split held_out ",         // of 100..119 one task exists
      "empty_list: extension inputs : multi_input ",  // a reward computed with no test inputs
      "steps_against_epochs: epochs ",                // 50 steps × 16 = 800 samples, not 200
      "batch_over_gpus: epochs ",                     // 8 GPUs × 2 × accumulation 2 = 32, not 16
      "unmoving_training: temperature ",              // 2 steps at 1e-5
      "keeps_incorrect: reward(c) ",                  // credit 0.7 for failing `full` > min_reward 0.5
      "unmoving_training: train reinforce_elsewhere : reinforce ",  // 4 steps at 5e-6
      "truncated_exam: evaluation exam ",            // 2,048 tokens in training, 512 in the exam
      "no_filter_control: experiment replication ",  // SFT against RL alone
      "unequal_control: controls ",                  // 200 samples in one place and 1,000 in another
      "unequal_control: controls ",                  // 2 tasks in one place and 10 in another
      "inert_extension: vary     ",                  // a curriculum of one round, in `as_sliced`
      "inert_extension: vary     ",                  // and in `replication`
      "underpowered: hypothesis stages_help ",       // 20 tasks × 1 sample: 7 % against 3 % is not decided
  };
  EXPECT_EQ(found, expected) << render(checked.diagnostics, checked.sources);
}

INSTANTIATE_TEST_SUITE_P(Files, BadFile, testing::ValuesIn(files("bad")), name_of);

}  // namespace
}  // namespace trl::language
