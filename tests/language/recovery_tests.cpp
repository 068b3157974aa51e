// Findings after one byte is deleted from a correct file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "language/diagnostics/render.hpp"
#include "language/recovery/recovery.hpp"
#include "language/syntax/parse.hpp"
#include "tests/language/stub.hpp"
#include "tests/long_tests.hpp"

namespace trl::language {
namespace {

std::vector<std::string> sound_files() {
  std::vector<std::string> out{TRL_LANGUAGE_TESTS "/ablation.trl"};
  for (const auto& entry : std::filesystem::directory_iterator(TRL_LANGUAGE_TESTS "/good"))
    if (entry.path().extension() == ".trl") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

/// The end of the innermost item that contains a byte; outside of items, the byte itself.
std::size_t end_of_item(const Node& tree, std::size_t at) {
  std::size_t end = at;
  for (const Node* node = &tree; node != nullptr;) {
    const auto child = std::find_if(node->children.begin(), node->children.end(),
                                    [&](const Node& n) { return at >= n.begin && at < n.end; });
    node = child == node->children.end() ? nullptr : &*child;
    if (node && (node->is(NodeKind::field) || node->is(NodeKind::section) || node->is(NodeKind::declaration)))
      end = node->end;
  }
  return end;
}

class Recovery : public testing::TestWithParam<std::string> {};

TEST_P(Recovery, ADeletedByteIsOneMistakeInItsPlace) {
  const std::string text = read_from_disk(GetParam()).value();
  const Source source("", text);
  const Node tree = parse(text).tree;
  std::ostringstream violations;
  std::size_t broken = 0, elsewhere = 0;
  const auto step = step_of_cases<std::size_t>(7);  // a prime, so that no column of letters is left out
  for (std::size_t at = 0; at < text.size(); at += step) {
    std::string without = text;
    without.erase(at, 1);
    if (parse(without).diagnostics.empty()) continue;  // only a name or number changed
    ++broken;
    Checked checked = test::check_text(without);
    ASSERT_TRUE(checked.has_errors());
    // An `allow` that is damaged no longer silences a note, which is no mistake.
    std::erase_if(checked.diagnostics, [](const Diagnostic& d) { return d.severity == Severity::note; });
    const std::size_t line = source.position(at).line;
    const std::size_t last = source.position(end_of_item(tree, at)).line + 1;
    const std::size_t said = checked.sources.position(checked.diagnostics[0].range).line;
    elsewhere += said != line;
    // A missing closing bracket may also be reported at the end of the previous line.
    const std::size_t first = text[at] == ')' || text[at] == ']' ? line - 1 : line;
    // Without the newline after a comment, the next line becomes part of the comment.
    const std::size_t most = text[at] == '\n' ? 3 : 2;
    if (checked.diagnostics.size() > most || said < first || said > last)
      violations << "line " << line << " without `" << text[at] << "`:\n"
                 << render(checked.diagnostics, checked.sources) << "\n";
  }
  EXPECT_EQ(violations.str(), "");
  EXPECT_GT(broken * step, 50u);
  EXPECT_LE(elsewhere * 10, broken) << "most findings are on the changed line";
  RecordProperty("broken", static_cast<int>(broken));
  RecordProperty("elsewhere", static_cast<int>(elsewhere));
}

INSTANTIATE_TEST_SUITE_P(Files, Recovery, testing::ValuesIn(sound_files()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

std::vector<Diagnostic> mended(const std::string& text) {
  static const std::vector<std::string> kinds = {"lora", "train", "experiment"};
  return recover(text, 0, parse(text), kinds).diagnostics;
}

struct Slip {
  const char *written, *meant;
};

class Slips : public testing::TestWithParam<Slip> {};

TEST_P(Slips, HaveAFix) {
  std::string text = GetParam().written;
  const auto found = mended(text);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].fixes.size(), 1u) << found[0].message;
  const Fix& fix = found[0].fixes[0];
  text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
  EXPECT_EQ(text, GetParam().meant) << fix.title;
}

INSTANTIATE_TEST_SUITE_P(
    Recovery, Slips,
    testing::Values(Slip{"lora a { rank 16 }\n", "lora a { rank = 16 }\n"},
                    Slip{"lora a { rank == 16 }\n", "lora a { rank = 16 }\n"},
                    Slip{"lora a { rank: 16 }\n", "lora a { rank = 16 }\n"},
                    Slip{"lora a { rank := 16 }\n", "lora a { rank = 16 }\n"},
                    Slip{"lora a { rank = 16; alpha = 2 }\n", "lora a { rank = 16, alpha = 2 }\n"},
                    Slip{"lora a {\n  rank = 16;\n}\n", "lora a {\n  rank = 16\n}\n"},
                    Slip{"lora a { rank = 16 alpha = 2 }\n", "lora a { rank = 16, alpha = 2 }\n"},
                    Slip{"lora a { rank = f(1, 2 }\n", "lora a { rank = f(1, 2) }\n"},
                    Slip{"lora a {\n  rank = [1, 2\n  alpha = 1\n}\n",
                         "lora a {\n  rank = [1, 2]\n  alpha = 1\n}\n"},
                    Slip{"lora a {\n  rank = 1, 2]\n}\n", "lora a {\n  rank = [1, 2]\n}\n"},
                    Slip{"lora a { rank = 16\nlora b {}\n", "lora a { rank = 16 }\nlora b {}\n"},
                    Slip{"lora a {\n  rank = 16\nlora b {}\n", "lora a {\n  rank = 16\n}\nlora b {}\n"},
                    Slip{"lora a {\n  b {\n    x = 1\n  y = 2\n}\nlora b {}\n",
                         "lora a {\n  b {\n    x = 1\n  }\n  y = 2\n}\nlora b {}\n"},
                    Slip{"lora a  rank = 16 }\n", "lora a { rank = 16 }\n"},
                    Slip{"lora a { x = a && b }\n", "lora a { x = a and b }\n"},
                    Slip{"lora a { x = a || b }\n", "lora a { x = a or b }\n"},
                    Slip{"lora a { x = !b }\n", "lora a { x = not b }\n"},
                    Slip{"lora a { x = f('b') }\n", "lora a { x = f(\"b\") }\n"},
                    Slip{"lora a { x = f(\"b) }\n", "lora a { x = f(\"b\") }\n"},
                    Slip{"loraa { x = 1 }\n", "lora a { x = 1 }\n"},
                    Slip{"imprt a\nlora a {}\n", "import a\nlora a {}\n"},
                    Slip{"importa\nlora a {}\n", "import a\nlora a {}\n"}));

TEST(Recovery, AMissingBraceIsFoundByTheIndentation) {
  const auto found = mended("lora a {\n  b {\n    x = 1\n\n  y = 2\n}\nlora b {}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].range.begin, 25u) << "the line after `x = 1`";
  ASSERT_EQ(found[0].notes.size(), 1u);
  EXPECT_EQ(found[0].notes[0].range.begin, 13u) << "the brace of the inner block";
}

TEST(Recovery, OffsetsAreTakenBack) {
  const std::string written = "lora a { rank 16 }\nlora b { rank = 2; alpha = 3 }\nlora c {}\n";
  const Recovered m = recover(written, 0, parse(written), {});
  ASSERT_EQ(m.edits.size(), 2u);
  EXPECT_EQ(m.text, "lora a { rank = 16 }\nlora b { rank = 2, alpha = 3 }\nlora c {}\n");
  for (const char* part : {"16", "lora b", "alpha", "lora c"})
    EXPECT_EQ(m.original(m.text.find(part)), written.find(part)) << part;
}

}  // namespace
}  // namespace trl::language
