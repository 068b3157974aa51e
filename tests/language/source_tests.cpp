// Positions in texts, and how diagnostics are printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "language/diagnostics/render.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
namespace {

TEST(Source, CountsLinesAndCodePoints) {
  const Source source("f", "aλb\nc\r\n\nd");
  EXPECT_EQ(source.lines(), 4u);
  EXPECT_EQ(source.position(0), (Position{1, 1}));
  EXPECT_EQ(source.position(3), (Position{1, 3})) << "λ has two bytes and one column";
  EXPECT_EQ(source.position(5), (Position{2, 1}));
  EXPECT_EQ(source.position(9), (Position{4, 1}));
  EXPECT_EQ(source.position(1000), (Position{4, 2}));
  EXPECT_EQ(source.line(2), "c") << "the line has no carriage return";
  EXPECT_EQ(source.offset({1, 3}), 3u);
  EXPECT_EQ(source.offset({1, 100}), 4u);
}

TEST(Source, AByteOrderMarkHasNoColumn) {
  const Source source("f",
                      "\xEF\xBB\xBF"
                      "ab");
  EXPECT_EQ(source.position(0), (Position{1, 1}));
  EXPECT_EQ(source.position(3), (Position{1, 1}));
  EXPECT_EQ(source.position(4), (Position{1, 2}));
  EXPECT_EQ(source.line(1), "ab");
}

TEST(Render, ShowsThePlaceTheLineAndHowToMendIt) {
  Sources sources;
  const FileId file = sources.add("a.trl", "lora λ { rnak = 8 }\nx\n");
  Diagnostic d{"unknown_field",
               Severity::error,
               "`lora` has no field `rnak`",
               {file, 10, 14},
               {},
               "did you mean `rank`?",
               {}};
  d.note("declared here", {file, 5, 7});
  EXPECT_EQ(render(d, sources),
            "a.trl:1:10: error[unknown_field]: `lora` has no field `rnak`\n"
            " 1 | lora λ { rnak = 8 }\n"
            "   |          ^^^^\n"
            "a.trl:1:6: note: declared here\n"
            " 1 | lora λ { rnak = 8 }\n"
            "   |      ^\n"
            "  = help: did you mean `rank`?\n");
  EXPECT_NE(render(d, sources, {.colour = true}).find("\x1b[1;31m"), std::string::npos);
}

TEST(Render, CountsAtTheEnd) {
  Sources sources;
  const FileId file = sources.add("a.trl", "x\n");
  const Diagnostic error{"a", Severity::error, "b", {file, 0, 1}, {}, "", {}};
  const Diagnostic warning{"a", Severity::warning, "b", {file, 0, 1}, {}, "", {}};
  EXPECT_NE(render({error, error, warning}, sources).find("\n2 errors, 1 warning\n"), std::string::npos);
  EXPECT_NE(render(std::vector<Diagnostic>{error}, sources).find("\n1 error\n"), std::string::npos);
  EXPECT_EQ(render(std::vector<Diagnostic>{}, sources), "");
}

TEST(Render, HidesControlCharactersOfTheSource) {
  Sources sources;
  const FileId file = sources.add("a.trl", "x\x1b[31m\t= 1\n");
  const Diagnostic d{"a", Severity::error, "b", {file, 0, 1}, {}, "", {}};
  EXPECT_EQ(render(d, sources).find('\x1b'), std::string::npos);
}

// Whatever the width and the place, the carets stand below the marked text, and no line is wider.
TEST(Render, ShowsOfALongLineThePartAroundThePlace) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "größe" + std::to_string(i) + " = " + std::to_string(i) + ", ";
  Sources sources;
  const FileId file = sources.add("a.trl", "x\n" + text + "\ny\n");
  for (const std::size_t width : {40u, 79u, 80u, 120u})
    for (const char* word : {"größe0 ", "größe9 ", "größe31 ", "größe59 = 59, "}) {
      const std::size_t at = 2 + text.find(word), size = std::string_view(word).size();
      Look look;
      look.width = width;
      const std::string shown =
          render({"a", Severity::error, "b", {file, at, at + size}, {}, "", {}}, sources, look);
      std::istringstream lines(shown);
      std::string message, line, carets;
      std::getline(lines, message), std::getline(lines, line), std::getline(lines, carets);
      const auto columns = [](std::string_view part) {
        return static_cast<std::size_t>(
            std::count_if(part.begin(), part.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
      };
      EXPECT_LE(columns(line), width);
      EXPECT_EQ(columns(line.substr(0, line.find(word))), carets.find('^')) << shown;
      EXPECT_EQ(columns(word), carets.size() - carets.find('^')) << shown;
    }
}

TEST(Render, GivesJson) {
  Sources sources;
  const FileId file = sources.add("a.trl", "ab\ncd\n");
  Diagnostic d{"a", Severity::warning, "b", {file, 3, 5}, {}, "h", {}};
  d.fix("write x", {file, 3, 5}, "x");
  const nlohmann::json json = render_json({d}, sources);
  EXPECT_EQ(json[0]["line"], 2);
  EXPECT_EQ(json[0]["end_column"], 3);
  EXPECT_EQ(json[0]["severity"], "warning");
  EXPECT_EQ(json[0]["fixes"][0]["text"], "x");
}

TEST(Suggest, FindsTheClosestName) {
  EXPECT_EQ(closest("rnak", {"rank", "alpha"}), "rank");
  EXPECT_EQ(closest("temprature", {"temperature", "tasks"}), "temperature");
  EXPECT_EQ(closest("xyzzy", {"rank", "alpha"}), std::nullopt);
}

TEST(Render, FoldsWhatIsSaidAndNoLineOfTheFile) {
  Sources sources;
  const FileId file = sources.add("a.trl", "a long line | of a file\n");
  Diagnostic d{"a", Severity::error, "b", {file, 2, 6}, {}, "mend it", {}};
  d.note("declared here", {file, 0, 1});
  d.note("and more");
  Look look;
  look.folded = [](const std::string& line) { return "<" + line + ">"; };
  EXPECT_EQ(render(d, sources, look),
            "<a.trl:1:3: error[a]: b>\n"
            " 1 | a long line | of a file\n"
            "   |   ^^^^\n"
            "<a.trl:1:1: note: declared here>\n"
            " 1 | a long line | of a file\n"
            "   | ^\n"
            "<  = note: and more>\n"
            "<  = help: mend it>\n");
}

}  // namespace
}  // namespace trl::language
