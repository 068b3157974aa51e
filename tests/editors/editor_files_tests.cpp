// The files of editors/ have the words of the schema, and what writes the words reads its formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "language/elaboration/measure.hpp"
#include "language/printing/editor_files.hpp"
#include "language/printing/vocabulary.hpp"
#include "language/syntax/parse.hpp"
#include "tests/has.hpp"

namespace trl::language {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

const fs::path editors = fs::path(TRL_SOURCE) / "editors";

/// What is thrown for a text.
template <typename F>
std::string mistake_of(F f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

TEST(EditorFiles, TheParserIsOfTheGrammar) {
  const std::string parser = read_text(editors / "tree-sitter-trl/src/parser.c");
  EXPECT_TRUE(parser.ends_with("// Of the grammar.js with the SHA-256 " +
                               sha256_of_file(editors / "tree-sitter-trl/grammar.js") + ".\n"))
      << "src/parser.c is of another grammar.js. ./trl renew parser";
}

/// A query without the names of its captures, its comments and the lists of words.
std::string patterns_of(const fs::path& query) {
  std::istringstream lines(read_text(query));
  std::string out;
  bool list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("</words>") != std::string::npos) list = false;
    if (!list && line.find("; ") == std::string::npos && !line.starts_with(';')) out += line + "\n";
    if (line.find("<words ") != std::string::npos) list = true;
  }
  return std::regex_replace(out, std::regex("@[a-z._]+"), "@");
}

// Helix and Zed have other names for what is highlighted.
TEST(EditorFiles, QueriesOfEditorsDifferInTheNamesOfCapturesAlone) {
  const std::string patterns = patterns_of(editors / "tree-sitter-trl/queries/highlights.scm");
  EXPECT_TRUE(has(patterns, "(unit) @\n"));
  EXPECT_EQ(patterns_of(editors / "helix/queries/trl/highlights.scm"), patterns);
  EXPECT_EQ(patterns_of(editors / "zed/languages/trl/highlights.scm"), patterns);
}

TEST(EditorFiles, WordsStandBetweenTheirMarks) {
  EXPECT_EQ(with_words("a\n# <words constants as set x @words;>\nold\n# </words>\nb\n"),
            "a\n# <words constants as set x @words;>\nset x false none rest true;\n# </words>\nb\n");
  EXPECT_EQ(with_words("# <words constants as   @quoted>\n# </words>"),
            "# <words constants as   @quoted>\n  \"false\" \"none\" \"rest\" \"true\"\n# </words>");
  EXPECT_EQ(with_words("<words constants as @list>\n</words>\n"),
            "<words constants as @list>\n'false', 'none', 'rest', 'true',\n</words>\n");
  EXPECT_EQ(with_words("<words constants+keywords as (@alternatives)>\n</words>\n"),
            "<words constants+keywords as (@alternatives)>\n"
            "(true|then|rest|or|not|none|in|import|if|false|else|and|allow)\n</words>\n");
  EXPECT_EQ(with_words("nothing\n"), "nothing\n");
}

TEST(EditorFiles, LongListsAreWrapped) {
  const std::string text = with_words("<words tensor_functions as x @words>\n</words>\n");
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), 116u) << line;
    EXPECT_TRUE(line.starts_with("x ") || line.starts_with("<")) << line;
  }
  EXPECT_GT(count, 10u);
  EXPECT_EQ(with_words(text), text);
}

TEST(EditorFiles, MistakesInMarksHaveALine) {
  EXPECT_EQ(mistake_of([] { with_words("\n<words nonsense as @words>\n</words>"); }),
            "line 2: there are no words called `nonsense`");
  EXPECT_EQ(mistake_of([] { with_words("<words kinds as nothing>\n</words>"); }),
            "line 1: the format has none of @words, @quoted, @list, @comma and @alternatives");
  EXPECT_EQ(mistake_of([] { with_words("<words kinds as @words>\n"); }),
            "line 1: these words have no end, `</words>`");
}

TEST(EditorFiles, AGrammarInYamlBecomesJson) {
  EXPECT_EQ(
      json::parse(textmate_json("# why\na: b\nlist:\n  - x: '''@(constants)'' # \\w'\n    y: 1\n  - plain\n"
                                "map:\n  inner:\n    - z\n")),
      json::parse(R"({"a": "b", "list": [{"x": "'true|rest|none|false' # \\w", "y": "1"}, "plain"],
                            "map": {"inner": ["z"]}})"));
  EXPECT_EQ(mistake_of([] { textmate_json("a: b\nc\n"); }), "line 2: expected `key: value`");
  EXPECT_EQ(mistake_of([] { textmate_json("a: {b}\n"); }),
            "line 1: a text with such characters has to be quoted by '");
  EXPECT_EQ(mistake_of([] { textmate_json("a: 'b\n"); }), "line 1: a quoted text has to end with its line");
  EXPECT_EQ(mistake_of([] { textmate_json("a:\nb: c\n"); }), "line 1: `a` has no value");
  EXPECT_EQ(mistake_of([] { textmate_json("a:\n    b: c\n  d: e\n"); }),
            "line 3: the line isn't indented as those before it");
}

TEST(Vocabulary, HasEveryWordOfTheLists) {
  const std::string all = vocabulary().dump();
  for (const auto& [name, words] : word_lists()) {
    EXPECT_FALSE(words.empty()) << name;
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end())) << name;
    for (const std::string& word : words) EXPECT_TRUE(has(all, word)) << word;
  }
}

TEST(Vocabulary, SaysWhatAFieldIs) {
  const json all = vocabulary();
  const auto named = [](const json& list, const std::string& name) {
    for (const json& one : list)
      if (one.at("name") == name) return one;
    return json();
  };
  const json lora = named(all.at("kinds"), "lora");
  EXPECT_EQ(named(lora.at("fields"), "rank"), json({{"name", "rank"},
                                                    {"type", "count"},
                                                    {"range", "1..1024"},
                                                    {"default", "16"},
                                                    {"doc", "Rank of the update of each matrix."}}));
  const json staged = named(named(all.at("kinds"), "extension").at("variants"), "staged_evaluation");
  EXPECT_EQ(named(named(staged.at("fields"), "failing").at("fields"), "full").at("default"), "0.7");
  EXPECT_EQ(named(all.at("functions"), "windtunnel.corpus").at("result"), "corpus");
  EXPECT_EQ(named(all.at("units"), "KiB").at("doc"), "1024 bytes");
}

TEST(Vocabulary, ReservedWordsAreNoNames) {
  const auto reads = [](const std::string& name) {
    return parse("k n { " + name + " = 1 }\n").diagnostics.empty();
  };
  for (const char* word : reserved_words) EXPECT_FALSE(reads(word)) << word;
  for (const auto& [list, words] : word_lists())
    for (const std::string& word : words) EXPECT_EQ(reads(word), list != "keywords") << word;
}

TEST(Vocabulary, UnitsAreThoseOfTheGrammar) {
  for (const MeasureUnit& unit : measure_units())
    EXPECT_TRUE(parse("k n { a = 1 " + unit.name + " }\n").diagnostics.empty()) << unit.name;
}

}  // namespace
}  // namespace trl::language
