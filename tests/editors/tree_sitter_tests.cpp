// The grammar for tree-sitter: its corpus, every file of the repository, and whether it and the language's
// parser agree on which texts are right.
#include <gtest/gtest.h>
#include <tree_sitter/api.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/support/files.hpp"
#include "language/syntax/parse.hpp"
#include "tests/language/random_program.hpp"

extern "C" const TSLanguage* tree_sitter_trl();

namespace trl::language {
namespace {
namespace fs = std::filesystem;

const fs::path source = TRL_SOURCE;

struct Tree {
  std::string text;  ///< as tree-sitter writes trees
  bool error = false;
};

Tree tree_of(const std::string& text) {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
  EXPECT_TRUE(ts_parser_set_language(parser.get(), tree_sitter_trl()));
  const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
      ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<std::uint32_t>(text.size())),
      ts_tree_delete);
  const TSNode root = ts_tree_root_node(tree.get());
  const std::unique_ptr<char, decltype(&std::free)> written(ts_node_string(root), std::free);
  return {written.get(), ts_node_has_error(root)};
}

/// Blanks and newlines in a row become one blank.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n')
      out += c;
    else if (!out.empty() && out.back() != ' ' && out.back() != '(')
      out += ' ';
  std::size_t at = 0;
  while ((at = out.find(" )", at)) != std::string::npos) out.erase(at, 1);
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

struct Case {
  std::string name, text, tree;
  bool error = false;
};

/// The cases of a corpus file: a name between lines of `=`, a text, a line `---`, a tree.
std::vector<Case> cases_of(const fs::path& file) {
  std::vector<Case> out;
  std::istringstream lines(read_text(file));
  enum { outside, head, text, tree } in = outside;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("====")) {
      in = in == head ? text : head;
      if (in == head) out.emplace_back();
    } else if (in == head) {
      (line == ":error" ? void(out.back().error = true) : void(out.back().name += line));
    } else if (line == "---") {
      in = tree;
    } else if (in == text) {
      out.back().text += line + "\n";
    } else if (in == tree) {
      out.back().tree += line + "\n";
    }
  }
  return out;
}

TEST(TreeSitter, GivesTheTreesOfTheCorpus) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(source / "editors/tree-sitter-trl/test/corpus"))
    for (const Case& c : cases_of(entry.path())) {
      SCOPED_TRACE(entry.path().filename().string() + ": " + c.name);
      ++count;
      const Tree tree = tree_of(c.text);
      EXPECT_EQ(tree.error, c.error);
      EXPECT_EQ(parse(c.text).diagnostics.empty(), !c.error);
      if (c.error) continue;
      EXPECT_EQ(squeezed(tree.text), squeezed(c.tree));
    }
  EXPECT_GE(count, 50u);
}

TEST(TreeSitter, ReadsEveryRightFileOfTheRepository) {
  std::size_t count = 0;
  for (const char* folder : {"stdlib", "experiments", "tests/language", "tests/interpreter", "editors"})
    for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
      if (entry.path().extension() != ".trl") continue;
      const std::string text = read_text(entry.path());
      ++count;
      EXPECT_EQ(tree_of(text).error, !parse(text).diagnostics.empty()) << entry.path();
    }
  EXPECT_GE(count, 50u);
}

/// Why the two may disagree about a text; empty if they may not. editors/README.md explains each.
std::string explained(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();  // throws for bytes that aren't UTF-8
    return "";
  } catch (const nlohmann::json::type_error&) {
    return "tree-sitter reads bytes that aren't UTF-8";
  }
}

TEST(TreeSitter, AgreesWithTheParserOnRandomPrograms) {
  std::size_t programs = 2000, right = 0;
  if (const char* asked = std::getenv("TRL_EDITOR_PROGRAMS")) programs = std::strtoul(asked, nullptr, 10);
  std::map<std::string, std::size_t> disagreements;
  for (std::size_t seed = 1; seed <= programs; ++seed) {
    std::string text = test::random_program(seed);
    for (const bool damaged : {false, true}) {
      if (damaged) text = test::mutated(text, seed);
      const Parsed parsed = parse(text);
      const bool good = parsed.diagnostics.empty();
      right += good ? 1 : 0;
      if (tree_of(text).error == !good) continue;
      const std::string why = explained(text);
      ++disagreements[why];
      if (why.empty() && disagreements[why] <= 20)
        ADD_FAILURE() << "seed " << seed << (damaged ? ", damaged" : "") << ": the parser finds the text "
                      << (good ? "right, tree-sitter wrong" : "wrong, tree-sitter right") << ": "
                      << (good ? ""
                               : parsed.diagnostics[0].message + " at byte " +
                                     std::to_string(parsed.diagnostics[0].range.begin))
                      << "\n"
                      << text;
    }
  }
  EXPECT_GT(right, programs) << "the damaged ones that are still right count as well";
  EXPECT_LT(right, 2 * programs * 9 / 10) << "too few are wrong for the comparison to mean anything";
  for (const auto& [why, count] : disagreements)
    std::printf("%zu of %zu texts: %s\n", count, 2 * programs, why.empty() ? "unexplained" : why.c_str());
}

}  // namespace
}  // namespace trl::language
