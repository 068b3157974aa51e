// For every input: no crash, no endless loop, all bytes kept, and a bounded number of findings.
#include <gtest/gtest.h>

#include <random>

#include "language/diagnostics/render.hpp"
#include "language/schema/embedded.hpp"
#include "language/syntax/parse.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

std::string text_of_ablation() { return read_from_disk(TRL_LANGUAGE_TESTS "/ablation.trl").value(); }

void survives(const std::string& text) {
  const Checked checked = test::check_text(text);
  ASSERT_LE(checked.diagnostics.size(), 250u);
  for (const Diagnostic& d : checked.diagnostics) {
    ASSERT_LT(d.range.file, checked.sources.size());
    ASSERT_LE(d.range.begin, d.range.end);
    ASSERT_LE(d.range.end, checked.sources[d.range.file].text().size());
    ASSERT_FALSE(d.message.empty());
  }
  ASSERT_EQ(checked.resolved.has_value(), !checked.has_errors());
  ASSERT_NO_THROW((void)render(checked.diagnostics, checked.sources));
  const Parsed parsed = parse(text);
  ASSERT_EQ(text_of(parsed.tree, text), text);
}

TEST(Robustness, TheTreeHoldsEveryByte) {
  for (const auto& [name, text] : embedded()) {
    const Parsed parsed = parse(text);
    EXPECT_TRUE(parsed.diagnostics.empty()) << name;
    EXPECT_EQ(text_of(parsed.tree, text), text) << name;
  }
  const std::string text = text_of_ablation();
  EXPECT_EQ(text_of(parse(text).tree, text), text);
}

TEST(Robustness, SurvivesDeletedStretches) {
  const std::string text = text_of_ablation();
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    std::string broken = text;
    const int cuts = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < cuts; ++i) {
      const std::size_t at = random() % broken.size();
      broken.erase(at, 1 + random() % 40);
    }
    SCOPED_TRACE(broken);
    survives(broken);
    if (HasFatalFailure()) return;
  }
}

TEST(Robustness, SurvivesDeletedBytes) {
  const std::string text = text_of_ablation();
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    std::string broken = text;
    for (int i = 0; i < 3; ++i) broken.erase(random() % broken.size(), 1);
    SCOPED_TRACE(broken);
    survives(broken);
    if (HasFatalFailure()) return;
  }
}

TEST(Robustness, SurvivesForeignBytes) {
  const std::string text = text_of_ablation();
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::string broken = text;
    for (int i = 0; i < 5; ++i) {
      static const std::string marks = "{}()[]\",.=:#%-+*/^<>\n\r\t \\@\xCE\xFF";
      broken[random() % broken.size()] = marks[random() % marks.size()];
    }
    SCOPED_TRACE(broken);
    survives(broken);
    if (HasFatalFailure()) return;
  }
}

TEST(Robustness, SurvivesEveryPrefix) {
  const std::string text = text_of_ablation();
  for (std::size_t length = 0; length < text.size(); length += 37) {
    survives(text.substr(0, length));
    if (HasFatalFailure()) return;
  }
}

TEST(Robustness, ASyntaxErrorLeadsToNoFurtherFindings) {
  // A declaration that cannot be parsed is not reported as missing elsewhere.
  std::string text = text_of_ablation();
  text.replace(text.find("train imitate : sft {"), 21, "train imitate : sft (");
  const Checked checked = test::check_text(text);
  ASSERT_TRUE(checked.has_errors());
  for (const Diagnostic& d : checked.diagnostics) EXPECT_EQ(d.rule, "syntax") << d.message;

  text = text_of_ablation();
  text.replace(text.find("split = held_out"), 16, "split = = held_out");
  const Checked field = test::check_text(text);
  ASSERT_EQ(field.diagnostics.size(), 1u) << render(field.diagnostics, field.sources);
  EXPECT_EQ(field.diagnostics[0].rule, "syntax");
}

TEST(Robustness, AMissingBraceIsOneFinding) {
  std::string text = text_of_ablation();
  const std::size_t at = text.find("}\ntrain unfiltered");
  text.erase(at, 1);
  const Checked checked = test::check_text(text);
  ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
  EXPECT_EQ(checked.diagnostics[0].rule, "syntax");
}

TEST(Robustness, DeepReferencesDoNotOverflow) {
  std::string text = "import example\nsplit s0 = example.easy\n";
  for (int i = 1; i < 300; ++i) text += "split s" + std::to_string(i) + " = s" + std::to_string(i - 1) + "\n";
  survives(text);
  std::string lora = "lora l0 {}\n";
  for (int i = 1; i < 300; ++i)
    lora += "lora l" + std::to_string(i) + " : l" + std::to_string(i - 1) + " {}\n";
  survives(lora);
}

}  // namespace
}  // namespace trl::language
