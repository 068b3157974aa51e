#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "verifier/answer/source.hpp"

namespace trl::runtime {
namespace {

struct Extraction {
  const char* name;
  std::string answer, program;  // the program without the empty lines before it
};

const std::string kProgram = "class ModelNew:\n    pass\n";
const std::string kDraft = "class ModelNew:\n    draft = 1\n";

const std::vector<Extraction> kExtractions = {
    {"tagged", "Here:\n```python\n" + kProgram + "```\nDone.\n", kProgram},
    {"untagged", "```\n" + kProgram + "```\n", kProgram},
    {"tildes", "~~~python\n" + kProgram + "~~~\n", kProgram},
    {"tildes_around_backticks", "~~~\n```\n" + kProgram + "~~~\n", "```\n" + kProgram},
    {"four_marks", "````python\n" + kProgram + "```\n````\n", kProgram + "```\n"},
    {"indented", "1. So:\n   ```python\n   class ModelNew:\n\n       pass\n   ```\n",
     "class ModelNew:\n\n    pass\n"},
    {"indented_fence_alone", "  ```python\n" + kProgram + "  ```\n", kProgram},
    {"carriage_returns", "So:\r\n```python\r\nclass ModelNew:\r\n    pass\r\n```\r\n",
     "class ModelNew:\r\n    pass\r\n"},
    {"last_that_defines", "```python\n" + kDraft + "```\n```python\n" + kProgram + "```\n", kProgram},
    {"usage_after_it", "```python\n" + kProgram + "```\nUse:\n```python\nm = ModelNew()\n```\n", kProgram},
    {"mention_in_a_comment", "```python\n" + kProgram + "```\n```python\n# class ModelNew\nx = 1\n```\n",
     kProgram},
    {"complete_before_cut_off", "```python\n" + kProgram + "```\n```python\nclass ModelNew:\n    de",
     kProgram},
    {"cut_off_alone", "```python\nclass ModelNew:\n    de", "class ModelNew:\n    de"},
    {"reasoning", "<think>\n```python\n" + kDraft + "```\n</think>\n```python\n" + kProgram + "```\n",
     kProgram},
    {"reasoning_with_open_fence",
     "<think>\n```python\n" + kDraft + "</think>\n```python\n" + kProgram + "```\n", kProgram},
    {"reasoning_opened_by_the_prompt", "Hm.\n```\n" + kDraft + "```\n</think>\n```\n" + kProgram + "```\n",
     kProgram},
    {"reasoning_before_bare_code", "<think>x</think>\n" + kProgram, kProgram},
    {"draft_in_reasoning_alone", "<think>\n```python\n" + kDraft + "```\n</think>\nNo idea.\n", "No idea.\n"},
    {"unclosed_reasoning", "<think>\n```python\n" + kDraft + "```\nWait", ""},
    {"analysis_before", "analysis\nOne row a program.\n```python\n" + kProgram + "```\n", kProgram},
};

class Extracted : public testing::TestWithParam<Extraction> {};

TEST_P(Extracted, IsTheProgram) {
  std::string text = extract_source(GetParam().answer).text;
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  EXPECT_EQ(text, GetParam().program);
}

INSTANTIATE_TEST_SUITE_P(Table, Extracted, testing::ValuesIn(kExtractions),
                         [](const auto& one) { return std::string(one.param.name); });

/// Every line of a program is the answer's line of the same number, without its indentation, whatever pieces
/// an answer is made of; and the plan ends within the answer.
TEST(Extraction, KeepsLineNumbersOfAnyAnswer) {
  const std::vector<std::string> pieces = {
      "```",        "~~~",     "````",     "python",          "cuda",   "\n", "\r\n",
      "  ",         "<think>", "</think>", "class ModelNew:", "\"\"\"", "/*", "*/",
      "__global__", "x",       "#"};
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text)
      if (c == '\n')
        lines.emplace_back();
      else
        lines.back() += c;
    return lines;
  };
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string answer;
    for (auto n = random() % 40; n > 0; --n) answer += pieces[random() % pieces.size()];
    const auto program = lines_of(extract_source(answer).text), given = lines_of(answer);
    ASSERT_LE(program.size(), given.size()) << answer;
    for (std::size_t line = 0; line < program.size(); ++line)
      ASSERT_TRUE(given[line].ends_with(program[line])) << answer;
    ASSERT_LE(bytes_of_plan(answer), answer.size()) << answer;
  }
}

}  // namespace
}  // namespace trl::runtime
