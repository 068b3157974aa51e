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
    // Marks behind words, and words behind marks.
    {"fence_behind_words", "Here is the kernel: ```python\n" + kProgram + "```\n", kProgram},
    {"fence_behind_words_that_name_it", "My `kernel`, as asked: ```py\n" + kProgram + "```\n", kProgram},
    {"bare_fence_behind_a_colon", "Final answer: ```\n" + kProgram + "```\n", kProgram},
    {"fence_behind_a_tag", "<answer>```python\n" + kProgram + "```</answer>\n", kProgram},
    {"fence_behind_words_after_a_draft",
     "```python\n" + kDraft + "```\nFinal answer: ```python\n" + kProgram + "```\n", kProgram},
    {"fence_behind_the_last_line", "```python\nclass ModelNew:\n    pass```\nDone.\n",
     "class ModelNew:\n    pass"},
    {"closed_with_a_word", "```python\n" + kProgram + "```end\nDone.\n", kProgram},
    {"closed_with_a_word_after_a_draft", "```python\n" + kDraft + "```\n```python\n" + kProgram + "```end\n",
     kProgram},
    {"closed_with_the_end_of_a_message", "```python\n" + kProgram + "```<|im_end|>", kProgram},
    {"never_closed_before_the_next", "```python\n" + kDraft + "```python\n" + kProgram + "```\n", kProgram},
    {"code_within_a_line", "```x = 1``` is a draft.\n```python\n" + kProgram + "```\n", kProgram},
    {"words_about_fences", "I close it with ```\nas usual.\n```python\n" + kProgram + "```\n", kProgram},
    {"title", "```python title=\"kernel.py\"\n" + kProgram + "```\n", kProgram},
    {"attributes", "```{.python .numbered}\n" + kProgram + "```\n", kProgram},
    {"within_markdown", "```markdown\n# Solution\n```python\n" + kProgram + "```\n```\n", kProgram},
    {"within_longer_markdown", "````markdown\n# Solution\n```python\n" + kProgram + "```\n````\n",
     "# Solution\n```python\n" + kProgram + "```\n"},
    // Marks within programs.
    {"lone_fence_in_a_docstring", "```python\n\"\"\"As in\n```\n\"\"\"\n" + kProgram + "```\nDone.\n",
     "\"\"\"As in\n```\n\"\"\"\n" + kProgram},
    {"lone_tagged_fence_in_a_docstring", "```python\n'''As in\n```python\n'''\n" + kProgram + "```\nDone.\n",
     "'''As in\n```python\n'''\n" + kProgram},
    {"lone_fence_in_a_bare_program", "\"\"\"As in\n```\n\"\"\"\n" + kProgram,
     "\"\"\"As in\n```\n\"\"\"\n" + kProgram},
    {"fence_in_a_comment", "```python\n# ends with ```\n" + kProgram + "```\n",
     "# ends with ```\n" + kProgram},
    {"fence_in_a_comment_of_a_bare_program", "# ends with ```\n" + kProgram, "# ends with ```\n" + kProgram},
    {"fence_in_a_literal", "```python\nmark = '```'\n" + kProgram + "```\n", "mark = '```'\n" + kProgram},
    {"fence_in_a_comment_of_cuda", "```cuda\n/* As in\n```\n*/\n__global__ void f() {}\n```\n",
     "/* As in\n```\n*/\n__global__ void f() {}\n"},
    {"tildes_in_a_docstring", "~~~python\n\"\"\"\n~~~\n\"\"\"\n" + kProgram + "~~~\n",
     "\"\"\"\n~~~\n\"\"\"\n" + kProgram},
    {"cut_off_in_a_docstring", "```python\nclass ModelNew:\n    \"\"\"Adds\n```\n",
     "class ModelNew:\n    \"\"\"Adds\n"},
    // Where blocks stand.
    {"byte_order_mark", "\xEF\xBB\xBF```python\n" + kProgram + "```\n", kProgram},
    {"byte_order_mark_of_a_bare_program", "\xEF\xBB\xBF" + kProgram, kProgram},
    {"byte_order_mark_of_a_block", "```python\n\xEF\xBB\xBF" + kProgram + "```\n", kProgram},
    {"item_of_a_list", "1. ```python\n   class ModelNew:\n       pass\n   ```\n2. Done.\n", kProgram},
    {"item_with_a_bullet", "- ```python\n  class ModelNew:\n      pass\n  ```\n", kProgram},
    {"item_indented_further", "1. ```python\n    class ModelNew:\n        pass\n    ```\n", kProgram},
    {"quotation", "> Mine:\n> ```python\n> class ModelNew:\n>\n>     pass\n> ```\n",
     "class ModelNew:\n\n    pass\n"},
    {"quotation_in_a_quotation", "> > ```python\n> > class ModelNew:\n> >     pass\n> > ```\n", kProgram},
    {"tabs", "\t```python\n\tclass ModelNew:\n\t    pass\n\t```\n", kProgram},
    {"indented_code_alone", "```python\n    class ModelNew:\n        pass\n```\n", kProgram},
    {"docstring_that_is_less_indented",
     "  ```python\n  class ModelNew:\n      \"\"\"Adds\nup.\"\"\"\n  ```\n",
     "class ModelNew:\n    \"\"\"Adds\nup.\"\"\"\n"},
    {"carriage_returns_behind_words", "So: ```python\r\nclass ModelNew:\r\n    pass\r\n```\r\n",
     "class ModelNew:\r\n    pass\r\n"},
    {"between_tags", "<think>\nSo.\n</think>\n<answer>\n" + kProgram + "</answer>", kProgram},
    {"final_channel",
     "<|channel|>analysis<|message|>Rows.<|end|><|start|>assistant<|channel|>final<|message|>```python\n" +
         kProgram + "```<|return|>",
     kProgram},
    {"draft_in_the_analysis_channel",
     "<|channel|>analysis<|message|>\n```python\n" + kDraft +
         "```\n<|end|><|start|>assistant<|channel|>final<|message|>\n" + kProgram + "<|return|>",
     kProgram},
    {"final_channel_with_a_type",
     "<|channel|>analysis<|message|>\n```\n" + kDraft +
         "```\n<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>```python\n" + kProgram +
         "```<|return|>",
     kProgram},
    // Other models' tags of reasoning.
    {"thinking", "<thinking>\n```python\n" + kDraft + "```\n</thinking>\n" + kProgram, kProgram},
    {"unclosed_thinking", "<thinking>\n```python\n" + kDraft + "```\nWait", ""},
    {"mistral", "[THINK]```python\n" + kDraft + "```[/THINK]```python\n" + kProgram + "```", kProgram},
    {"mistral_cut_off", "[THINK]\n```python\n" + kDraft + "```\nOr", ""},
    {"seed", "<seed:think>\n```\n" + kDraft + "```\n</seed:think>\n```python\nclass ModelNew:\n    de",
     "class ModelNew:\n    de"},
    {"kimi", "\u25c1think\u25b7x\n```\n" + kDraft + "```\n\u25c1/think\u25b7\n```\n" + kProgram + "```\n",
     kProgram},
    {"cohere", "<|START_THINKING|>x\n```\n" + kDraft + "```\n<|END_THINKING|>```\n" + kProgram + "```\n",
     kProgram},
    {"reasoning_tag_in_a_comment", "```python\n# </reasoning>\n" + kProgram + "```\n",
     "# </reasoning>\n" + kProgram},
    {"opening_tag_within_the_answer", "A <thinking> tag.\n```python\n" + kProgram + "```\n", kProgram},
    {"thought_in_a_program", "```python\nmark = '</thought>'\n" + kProgram + "```\n",
     "mark = '</thought>'\n" + kProgram},
    {"draft_in_a_channel_that_was_cut_off",
     "<|channel|>analysis<|message|>\n```python\n" + kDraft + "```\nOr", ""},
};

class Extracted : public testing::TestWithParam<Extraction> {};

TEST_P(Extracted, IsTheProgram) {
  std::string text = extract_source(GetParam().answer).text;
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  EXPECT_EQ(text, GetParam().program);
}

INSTANTIATE_TEST_SUITE_P(Table, Extracted, testing::ValuesIn(kExtractions),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Extraction, TellsWhetherTheProgramIsWhole) {
  for (const char* whole :
       {"```python\nclass ModelNew:\n    pass\n```\n", "```\nclass ModelNew:\n    pass```",
        "```python\nclass ModelNew:\n    pass\n```\nUse:\n```python\nm = Mod"})
    EXPECT_TRUE(ends_after_program(whole)) << whole;
  for (const char* cut :
       {"```python\nclass ModelNew:\n    de", "class ModelNew:\n    pass\n", "I think", "",
        "<think>\n```python\nclass ModelNew:\n    pass\n```\n",
        "<think>\n```python\nclass ModelNew:\n    pass\n```\n</think>\n```python\nclass ModelNew:"})
    EXPECT_FALSE(ends_after_program(cut)) << cut;
}

/// Every line of a program is a part of the answer's line of the same number, whatever pieces an answer is
/// made of; and the plan ends within the answer.
TEST(Extraction, KeepsLineNumbersOfAnyAnswer) {
  const std::vector<std::string> pieces = {"```",
                                           "~~~",
                                           "````",
                                           "python",
                                           "cuda",
                                           "\n",
                                           "\r\n",
                                           "  ",
                                           "<think>",
                                           "</think>",
                                           "class ModelNew:",
                                           "\"\"\"",
                                           "/*",
                                           "*/",
                                           "__global__",
                                           "x",
                                           "#",
                                           "> ",
                                           "1. ",
                                           "\xEF\xBB\xBF",
                                           ": ",
                                           "'",
                                           "<answer>\n",
                                           "\n</answer>",
                                           "<|end|>",
                                           "<|channel|>final<|message|>"};
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
  for (int i = 0; i < 50000; ++i) {
    std::string answer;
    for (auto n = random() % 40; n > 0; --n) answer += pieces[random() % pieces.size()];
    const auto program = lines_of(extract_source(answer).text), given = lines_of(answer);
    ASSERT_LE(program.size(), given.size()) << answer;
    for (std::size_t line = 0; line < program.size(); ++line)
      ASSERT_NE(given[line].find(program[line]), std::string::npos) << answer;
    ASSERT_LE(bytes_of_plan(answer), answer.size()) << answer;
  }
}

}  // namespace
}  // namespace trl::runtime
