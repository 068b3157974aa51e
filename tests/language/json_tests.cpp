// Diagnostics as JSON, for editors and CI (docs/interfaces.md, section 5).
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

TEST(DiagnosticsAsJson, HavePlacesNotesAndFixes) {
  const Checked checked =
      test::check_text("lora λ {}\nlora a {\n  b { x = 1\n  rank = 2\n}\nlora a { rnak = 2 }\n");
  const json found = render_json(checked.diagnostics, checked.sources);
  ASSERT_TRUE(found.is_array());
  for (const json& d : found) {
    for (const char* key : {"rule", "severity", "message", "help", "file"})
      EXPECT_TRUE(d.at(key).is_string());
    for (const char* key : {"line", "column", "end_line", "end_column"}) EXPECT_GE(d.at(key).get<int>(), 1);
    for (const json& note : d.at("notes")) EXPECT_TRUE(note.at("message").is_string());
    for (const json& fix : d.at("fixes"))
      for (const char* key : {"title", "text", "file"}) EXPECT_TRUE(fix.at(key).is_string());
  }
}

TEST(DiagnosticsAsJson, CountColumnsInCodePoints) {
  const Checked checked = test::check_text("hypothesis h { of = \"λλ\", rnak = 2 }\n");
  bool seen = false;
  for (const json& d : render_json(checked.diagnostics, checked.sources))
    if (d["rule"] == "unknown_field") {
      seen = true;
      EXPECT_EQ(d["column"], 27);
      EXPECT_EQ(d["end_column"], 31);
    }
  EXPECT_TRUE(seen);
}

TEST(DiagnosticsAsJson, AFixAndANoteAreWhatTheyWere) {
  const Checked checked = test::check_text("lora a {\n  rank = 2\nlora b {}\n");
  const json found = render_json(checked.diagnostics, checked.sources);
  ASSERT_EQ(found.size(), 1u) << found.dump(1);
  EXPECT_EQ(found[0], json::parse(R"({
    "rule": "syntax", "severity": "error", "message": "expected `}`: the indentation ends a block here", "help": "",
    "file": "test.trl", "line": 3, "column": 1, "end_line": 3, "end_column": 1,
    "notes": [{"message": "the block was opened here", "file": "test.trl", "line": 1, "column": 8, "end_line": 1,
               "end_column": 9}],
    "fixes": [{"title": "insert `}`", "text": "}\n", "file": "test.trl", "line": 3, "column": 1, "end_line": 3,
               "end_column": 1, "certain": true}]})"));
}

}  // namespace
}  // namespace trl::language
