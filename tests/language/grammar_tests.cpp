// GRAMMAR.md as a table: the tree of each input, or its error.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "language/syntax/parse.hpp"

namespace trl::language {
namespace {

struct Case {
  const char* name;
  std::string input;
  std::vector<std::string> tree;      ///< parts that the outline must contain
  std::vector<std::string> findings;  ///< "line:column message"; if empty, there must be no finding
};

std::string field(const std::string& value) { return "k n {\n  x = " + value + "\n}\n"; }

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Adds `(file (declaration kind<k> declared<n> (block …)))`, without blanks, comments and punctuation.
void write_outline(const Node& node, std::string_view source, std::string& out) {
  if (node.kind >= NodeKind::name) {
    const bool named = node.is(NodeKind::doc) || node.is(NodeKind::broken) || node.is(NodeKind::label) ||
                       node.is(NodeKind::kind) || node.is(NodeKind::declared);
    if (named) out += std::string(to_string(node.kind)) + "<";
    out += node.text(source);
    if (named) out += ">";
    return;
  }
  out += "(";
  out += to_string(node.kind);
  for (const Node& child : node.children) {
    if (child.kind >= NodeKind::blank) continue;
    out += " ";
    write_outline(child, source, out);
  }
  out += ")";
}

std::string outline(const Node& tree, std::string_view source) {
  std::string out;
  write_outline(tree, source, out);
  return out;
}

class Grammar : public testing::TestWithParam<Case> {};

TEST_P(Grammar, ReadsAsItSays) {
  const Case& c = GetParam();
  const Parsed parsed = parse(c.input);
  Sources sources;
  sources.add("t", c.input);
  const std::string tree = outline(parsed.tree, c.input);
  std::string said;
  for (const Diagnostic& d : parsed.diagnostics) {
    const Position at = sources.position(d.range);
    said += std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message + "\n";
  }
  for (const std::string& part : c.tree)
    EXPECT_NE(tree.find(part), std::string::npos) << part << "\nin " << tree.substr(0, 2000);
  for (const std::string& part : c.findings)
    EXPECT_NE(said.find(part), std::string::npos) << part << "\nin " << said.substr(0, 2000);
  EXPECT_EQ(said.empty(), c.findings.empty()) << said.substr(0, 2000);
  EXPECT_EQ(text_of(parsed.tree, c.input), c.input) << "the tree contains every byte";
}

const std::vector<Case> cases = {
    // Files.
    {"nothing", "", {"(file)"}, {}},
    {"blank_lines_and_comments", "\n  # a\n\n# b", {"(file)"}, {}},
    {"empty_block", "k n {}", {"declared<n> (block))"}, {}},
    {"block_of_comments", "k n {\n # a\n\n # b\n}", {"(block)"}, {}},
    {"byte_order_mark", "\xEF\xBB\xBFk n {}", {"kind<k>"}, {}},
    {"carriage_returns",
     "k n {\r\n  x = 1 + # c\r\n 2\r\n  y = [1,\r\n 2]\r\n}\r\nk m {}\r\n",
     {"(field x (value (sum 1 + 2))) (field y (value (list 1 2)))", "declared<m>"},
     {}},
    {"imports", "import a\nimport b.c as d\n", {"(import a) (import b.c d)"}, {}},
    {"documentation",
     "## file\n\n## n\nk n { ## x\n x = 1 ## nothing\n ## y\n y = 2\n}",
     {"doc<## file> doc<## n> (declaration", "(block doc<## x> (field x (value 1)) doc<## y> (field y"},
     {}},
    {"two_declarations_on_a_line", "k n {} k m {}", {"declared<n>"}, {"1:8 expected a newline, found `k`"}},
    {"stray_brace",
     "k n {\n}\n}\nk m {}",
     {"declared<m>"},
     {"3:1 expected `import` or a declaration, found `}`"}},
    {"reserved_words_are_no_kinds",
     "if n {}\nk m {}",
     {"declared<m>"},
     {"1:1 expected `import` or a declaration"}},
    // Declarations.
    {"base", "k n : a.b {\n}\n", {"declared<n> (base a.b) (block)"}, {}},
    {"value_declaration",
     "split a = b[1..80] + c",
     {"(value (sum (reference b (index (range 1 .. 80))) + c))"},
     {}},
    {"task",
     "task f[M = 64, K](x: f32[M, K], w: f32[K, 8]) = x @ w",
     {"(dimensions (dimension M (value 64)) (dimension K))", "(parameter x (type f32 (index M K)))",
      "(value (product x @ w))"},
     {}},
    {"nested_declarations",
     "suite s {\n  ## d\n  task a(x: f32[4]) = x\n  task b(x: f32[4]) = x\n}",
     {"doc<## d> (declaration kind<task> declared<a>"},
     {}},
    {"brace_on_the_next_line",
     "k n\n{\n a = 1\n}\nk m {}",
     {"declared<m>"},
     {"1:4 expected `{` or `=` on the declaration's line"}},
    {"missing_name",
     "k {\n a = 1\n}\nk m {}",
     {"declared<m>"},
     {"1:3 expected `import` or a declaration, found `{`"}},
    {"missing_base", "k n : {\n}\nk m {}", {"declared<m>"}, {"1:7 expected a name"}},
    // Blocks and fields.
    {"commas_and_newlines",
     "k n { a = 1, b = 2\n c = 3,\n d = 4 }",
     {"(field a (value 1)) (field b (value 2)) (field c (value 3)) (field d (value 4))"},
     {}},
    {"sections",
     "k n {\n share {\n  deep { a = 1 }\n  b = rest\n }\n}",
     {"(section share (block (section deep (block (field a (value 1)))) (field b (value rest))))"},
     {}},
    {"paths",
     "k n { override { a.b = 1, c.d.e = 2 } }",
     {"(field a.b (value 1)) (field c.d.e (value 2))"},
     {}},
    {"schema_fields",
     "kind k {\n a: count in 1..8 = 2\n b: list[one_of(x, y)]\n f(c: v): fraction = 0\n}",
     {"(field a (type count) (limits (range 1 .. 8)) (value 2))", "(type list (index (reference one_of (call",
      "(field f (parameters (parameter c (type v))) (type fraction) (value 0))"},
     {}},
    {"formula_field",
     "k n { f(c) = c.x }",
     {"(field f (parameters (parameter c)) (value (reference c (member x))))"},
     {}},
    {"allow",
     "allow(a, \"b\")\nk n {\n allow(c, \"d\")\n x = 1\n allow(e, \"f\")\n}",
     {"(allow a \"b\") (declaration", "(allow c \"d\") (field x (value 1)) (allow e \"f\")"},
     {}},
    {"allow_without_reason",
     "k n { allow(a), b = 1 }",
     {"(field b (value 1))"},
     {"expected `(rule, \"reason\")`"}},
    {"fields_without_separator",
     "k n { a = 1 b = 2 }",
     {"(field a (value 1)) broken< b = 2 >"},
     {"1:13 expected `,`, a newline or `}`, found `b`"}},
    {"double_comma",
     "k n { a = 1,, b = 2 }",
     {"(field a (value 1))", "(field b (value 2))"},
     {"1:13 expected a field or a declaration, found `,`"}},
    {"missing_equals",
     "k n {\n rank 16\n b = 2\n}",
     {"(field b (value 2))"},
     {"2:7 expected `=`, `:` or `{`, found `16`"}},
    {"missing_value", "k n {\n a = \n b = )\n d = 4\n}", {"(field d (value 4))"}, {"3:4 expected", "3:"}},
    {"reserved_word_as_field", "k n { in = 1 }", {}, {"1:7 expected a field or a declaration, found `in`"}},
    {"words_that_only_begin_like_reserved_ones",
     "k n { iff = d, import_ = c, note = e }",
     {"(field iff", "(field import_", "(field note"},
     {}},
    {"unclosed_bracket",
     "k n {\n a = [1, 2\n b = 3\n}\nk m { c = 1 }",
     {"(field b (value 3))", "declared<m>"},
     {"2:11 expected `,` or `]`, found the end of the line"}},
    {"unclosed_block",
     "k n {\n a = 1\n\nk m {\n b = 1\n}\n",
     {"declared<n> (block (field a (value 1)))", "declared<m> (block (field b (value 1)))"},
     {"4:1 expected `}`, found `k`"}},
    {"unclosed_block_at_the_end",
     "k n {\n a = 1\n",
     {"(block (field a (value 1)))"},
     {"3:1 expected `}`, found the end of the file"}},
    // Numbers, units, texts.
    {"numbers", field("[2e-4, 1E5, 1.5e+3, 007]"), {"(list 2e-4 1E5 1.5e+3 007)"}, {}},
    {"units",
     field("[10 min, 10min, 5%, 5 %, 4 KiB, 2 tokens]"),
     {"(list (quantity 10 min) (quantity 10 min) (quantity 5 %) (quantity 5 %) (quantity 4 KiB) (quantity 2 "
      "tokens))"},
     {}},
    {"unit_or_function",
     field("[10 * min(1, 2), max(3 min, 4)]"),
     {"(product 10 * (reference min (call"},
     {}},
    {"unit_before_parenthesis", field("10 min(1)"), {}, {"2:10 expected `,`, a newline or `}`, found `min`"}},
    {"field_named_like_a_unit",
     "k n { a = 10, min = 3\n b = 1\n s = 4 }",
     {"(field min (value 3))", "(field b (value 1)) (field s (value 4))"},
     {}},
    {"unknown_unit", field("10 parsecs"), {}, {"2:10 expected `,`, a newline or `}`, found `parsecs`"}},
    {"unknown_unit_attached", field("10parsecs"), {}, {"2:9 not a unit, found `parsecs`"}},
    {"bad_numbers",
     "k n {\n a = 1.\n b = .5\n c = 1e\n}",
     {},
     {"2:7", "3:6 expected a value", "4:7 not a unit"}},
    {"percent_is_no_operator", field("a % b"), {}, {"2:9 expected"}},
    {"percent_then_minus", field("10 % -b"), {"(sum (quantity 10 %) - b)"}, {}},
    {"texts",
     field(R"(f("a # \"b\" \\ \n \u{3bb} λ { ("))"),
     {R"((argument "a # \"b\" \\ \n \u{3bb} λ { ("))"},
     {}},
    {"text_over_lines", field("\"a\nb\""), {}, {"2:9 expected `\"` before the end of the line"}},
    {"unknown_escape", field(R"("\q")"), {}, {"2:9 unknown escape, found `q`"}},
    // Expressions.
    {"precedence", field("a + b * c ^ d"), {"(sum a + (product b * (power c ^ d)))"}, {}},
    {"left_to_right", field("a - b - c / d / e"), {"(sum a - b - (product c / d / e))"}, {}},
    {"powers_and_signs",
     field("[-2^2, 2^-1, 2^3^2, a--b]"),
     {"(minus (power 2 ^ 2)) (power 2 ^ (minus 1)) (power 2 ^ (power 3 ^ 2)) (sum a - (minus b))"},
     {}},
    {"logic",
     field("not a == b and c or d"),
     {"(disjunction (conjunction (not (comparison a == b)) and c) or d)"},
     {}},
    {"pipelines", field("[a -> b -> c, a->b]"), {"(pipeline a -> b -> c) (pipeline a -> b)"}, {}},
    {"ranges",
     field("[1..5, 1.5 .. 2.5, x..5, a.b..c, 1..n+1]"),
     {"(range 1 .. 5) (range 1.5 .. 2.5) (range x .. 5) (range (reference a (member b)) .. c) (range 1 .. "
      "(sum n + 1))"},
     {}},
    {"comparisons_do_not_chain", field("0 < x < 1"), {}, {"2:13 comparisons do not chain"}},
    {"ranges_do_not_chain", field("1..2..3"), {}, {"2:11 a range has two ends"}},
    {"open_range", field("b[1..]"), {}, {"2:12 expected the end of the range, found `]`"}},
    {"conditional",
     "k n {\n f(c) =\n  if c.ok\n  then 1 # yes\n  else\n   if a then b\n   else 0\n x = 1\n}",
     {"(conditional (reference c (member ok)) 1 (conditional a b 0))", "(field x (value 1))"},
     {}},
    {"conditional_without_else",
     field("if a then 1"),
     {},
     {"2:18 expected `else`, found the end of the line"}},
    {"conditional_is_no_operand",
     field("1 + if a then b else c"),
     {},
     {"2:11 expected an operand, found `if`"}},
    {"calls",
     field("f(1, a.b = [2], c == d,)"),
     {"(call (argument 1) (argument label<a.b> (list 2)) (argument (comparison c == d)))"},
     {}},
    {"blank_before_call", field("f (x)"), {}, {"2:9 expected"}},
    {"member_missing", field("writer."), {}, {"2:14 expected a name after `.`, found the end of the line"}},
    {"groups", field("(a + b) * c"), {"(product (sum a + b) * c)"}, {}},
    // Newlines.
    {"newlines_in_brackets", field("[\n 1,\n 2 # two\n , 3\n]"), {"(list 1 2 3)"}, {}},
    {"newline_instead_of_comma", field("[1\n2]"), {}, {"2:9 expected `,` or `]`, found the end of the line"}},
    {"lone_comma", field("[,]"), {}, {"2:8 expected `,` or `]`, found `,`"}},
    {"newline_after_an_operator", field("a +\n  # why\n  b *\n c"), {"(sum a + (product b * c))"}, {}},
    {"newline_after_equals_and_arrow", field("\n a ->\n b"), {"(pipeline a -> b)"}, {}},
    {"line_that_begins_with_an_operator",
     "k n {\n x = a\n -b\n}",
     {"(field x (value a))"},
     {"3:2 expected a field or a declaration, found `-`"}},
    {"operator_at_the_line_in_brackets",
     field("(a\n + b)"),
     {},
     {"2:9 expected `,` or `)`, found the end of the line"}},
    // Limits.
    {"a_hundred_parentheses", field(repeated("(", 100) + "1" + repeated(")", 100)), {"(value 1)"}, {}},
    {"too_many_parentheses",
     field(repeated("(", 100000) + "1" + repeated(")", 100000)),
     {},
     {"nested too deeply"}},
    {"too_many_nots", field(repeated("not ", 100000) + "a"), {}, {"nested too deeply"}},
    {"too_many_signs", field("1 " + repeated("-", 100000) + "1"), {}, {"nested too deeply"}},
    {"too_many_powers", field(repeated("1^", 100000) + "1"), {}, {"nested too deeply"}},
    {"too_many_ifs", field(repeated("if a then b else ", 100000) + "1"), {}, {"nested too deeply"}},
    {"too_many_calls", field(repeated("f(", 100000)), {}, {"nested too deeply"}},
    {"too_many_blocks", repeated("a {", 100000), {}, {"1:3 expected `import` or a declaration"}},
    {"too_many_nested_blocks", "k n {" + repeated("a {\n", 100000), {}, {"nested too deeply"}},
    {"a_long_sum", field(repeated("1+", 20000) + "1"), {"(sum 1 + 1 + 1"}, {}},
    {"many_unclosed_brackets", repeated("k n { a = (\n", 20000), {}, {"expected"}},
    {"control_characters",
     std::string("k n {\n a = \x01\n b = 2\n}"),
     {"(field b (value 2))"},
     {"2:6 expected a value, found a control character (0x01)"}},
    {"zero_bytes", std::string("k n {\n a = \0\n}", 12), {}, {"2:6"}},
};

INSTANTIATE_TEST_SUITE_P(Inputs, Grammar, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Grammar, MakesProgressInEveryLoop) { EXPECT_EQ(grammar_problems(), 0u); }

TEST(Grammar, NotesWhereAnUnclosedBlockWasOpened) {
  const Parsed parsed = parse("k n {\n a = 1\n");
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  ASSERT_EQ(parsed.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].notes[0].range.begin, 4u);
}

TEST(Grammar, ReadsASetting) {
  const std::string text = "reinforce.rounds=3";
  const Parsed parsed = parse_setting(text);
  EXPECT_TRUE(parsed.diagnostics.empty());
  EXPECT_EQ(outline(parsed.tree, text), "(file (field reinforce.rounds (value 3)))");
  EXPECT_FALSE(parse_setting("reinforce.rounds").diagnostics.empty());
  EXPECT_FALSE(parse_setting("a = 1, b = 2").diagnostics.empty());
}

}  // namespace
}  // namespace trl::language
