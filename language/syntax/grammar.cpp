// The grammar of GRAMMAR.md as PEGTL rules that build the syntax tree. No other file includes PEGTL.
#include <algorithm>
#include <string>
#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/analyze.hpp>

#include "language/syntax/parse.hpp"
#include "language/syntax/scan.hpp"

namespace trl::language {
namespace {

/// Thrown where a rule doesn't match, after this was reported. PEGTL's own exception would count all lines
/// before the position.
struct GaveUp {};

/// The parser's state except its position.
struct State {
  FileId file = 0;
  std::vector<Diagnostic> diagnostics;
  std::vector<Node> nodes;          // finished nodes whose parents are unfinished
  std::vector<std::size_t> starts;  // where the unfinished nodes begin
  std::vector<std::size_t> braces;  // the `{` of each open block
  std::size_t nesting = 0;
  std::size_t lookahead = std::size_t{1} << 22;  // bytes that recovery may still read without using them
  bool unclosed = false;                         // a block was not closed at the end of the file
  bool close_at_margin = false;  // for a second try: a declaration in column 1 ends all open blocks

  bool enough() const { return diagnostics.size() >= most_syntax_errors; }
  /// Drops nodes beyond the reader's position, which an abandoned alternative created.
  void forget(std::size_t position) {
    while (!nodes.empty() && nodes.back().end > position) nodes.pop_back();
  }
};

/// Whether `NAME NAME` or `import NAME` begins at text[i].
bool begins_declaration(const char* text, std::size_t i, std::size_t size) {
  if (i >= size || !letter(text[i])) return false;
  while (i < size && word_character(text[i])) ++i;
  const std::size_t end = i;
  while (i < size && (text[i] == ' ' || text[i] == '\t')) ++i;
  return i > end && i < size && letter(text[i]);
}

/// The offset of a `)` or `]` that the rest of the line closes without having opened it; i if there is none.
std::size_t unopened_bracket(const char* text, std::size_t i, std::size_t size) {
  constexpr std::size_t farthest = 1000;
  std::size_t open = 0;
  const std::size_t begin = i, end = std::min(size, i + farthest);
  while (i < end && text[i] != '\n' && text[i] != '#' && text[i] != '{' && text[i] != '}') {
    if (text[i] == '(' || text[i] == '[') ++open;
    if ((text[i] == ')' || text[i] == ']') && open-- == 0) return i;
    i = text[i] == '"' ? skip_opaque(text, i, size) : i + 1;
  }
  return begin;
}

/// The length of an item that cannot be parsed. `lookahead` is the number of bytes that may still be read
/// beyond its line without using them.
std::size_t broken_item_length(const char* text, std::size_t size, std::size_t& lookahead) {
  std::string open;  // the closing brackets that the open brackets need
  std::size_t first_line = size;
  const auto line_alone = [&](std::size_t i) {
    if (i > first_line) lookahead -= std::min(lookahead, i - first_line);
    return std::min(first_line, i);
  };
  for (std::size_t i = 0; i < size;) {
    const char c = text[i];
    if (c == '\n') {
      first_line = std::min(first_line, i);
      if (!open.empty() && (i - first_line > lookahead || begins_declaration(text, i + 1, size)))
        return line_alone(i);
    }
    if (open.empty() && c == ',')
      if (const std::size_t bracket = unopened_bracket(text, i, size); bracket > i) {
        i = bracket + 1;
        continue;
      }
    if (open.empty() && (c == '\n' || c == ',' || c == '}')) return i;
    if (c == '"' || c == '#') {
      i = skip_opaque(text, i, size);
      continue;
    }
    if (c == '(') open += ')';
    if (c == '[') open += ']';
    if (c == '{') open += '}';
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      if (open.back() != c) return line_alone(i);  // brackets don't match: only the line is given up
      open.pop_back();
    }
    ++i;
  }
  return open.empty() ? size : line_alone(size);
}

std::size_t broken_declaration_length(const char* text, std::size_t size) {
  for (std::size_t i = 1; i < size; ++i)
    if (text[i - 1] == '\n' && (letter(text[i]) || text[i] == '#')) return i - 1;
  return size;
}

}  // namespace

namespace grammar {
using namespace tao::pegtl;

/// Bases of rules that are matched by hand. They tell PEGTL's analysis whether the rule always consumes input
/// or may match without input.
struct takes_input {
  using rule_t = takes_input;
  using subs_t = empty_list;
};
struct may_take_nothing {
  using rule_t = may_take_nothing;
  using subs_t = empty_list;
};

// Blanks, comments and newlines. A rule contains `gap` wherever newlines are allowed.
struct blank_character : one<' ', '\t'> {};
struct blanks : star<blank_character> {};
struct comment : seq<one<'#'>, until<at<eolf>>> {};
struct doc : seq<string<'#', '#'>, until<at<eolf>>> {};
struct gap : star<sor<blank_character, eol, comment>> {};
struct item_gap : star<sor<blank_character, eol, doc, comment>> {
};  // as above, and `##` documents the next item

// Names.
template <typename W>
struct word : seq<W, not_at<identifier_other>> {};
struct word_import : word<TAO_PEGTL_STRING("import")> {};
struct word_as : word<TAO_PEGTL_STRING("as")> {};
struct word_in : word<TAO_PEGTL_STRING("in")> {};
struct word_if : word<TAO_PEGTL_STRING("if")> {};
struct word_then : word<TAO_PEGTL_STRING("then")> {};
struct word_else : word<TAO_PEGTL_STRING("else")> {};
struct word_or : word<TAO_PEGTL_STRING("or")> {};
struct word_and : word<TAO_PEGTL_STRING("and")> {};
struct word_not : word<TAO_PEGTL_STRING("not")> {};
struct word_allow : word<TAO_PEGTL_STRING("allow")> {};
struct reserved
    : sor<word_import, word_in, word_if, word_then, word_else, word_or, word_and, word_not, word_allow> {};
struct name : seq<not_at<reserved>, identifier> {};
struct dot : seq<one<'.'>, not_at<one<'.'>>> {};
struct name_after_dot : name {};
struct path_tail : seq<dot, must<name_after_dot>> {};
struct path : seq<name, star<path_tail>> {};
struct equals : seq<one<'='>, not_at<one<'='>>> {};

// Brackets: Open [element {"," element} [","]] Close, with newlines allowed around each.
struct comma : one<','> {};
struct open_paren : one<'('> {};
struct close_paren : one<')'> {};
struct open_square : one<'['> {};
struct close_square : one<']'> {};
template <typename E>
struct elements : seq<E, star<gap, comma, gap, E>, opt<gap, comma>> {};
template <typename Open, typename E, typename Close>
struct bracketed : seq<Open, gap, opt<elements<E>>, gap, must<Close>> {};

// Literals.
struct digits : plus<digit> {};
struct exponent : seq<one<'e', 'E'>, opt<one<'+', '-'>>, digits> {};
struct number : seq<digits, opt<one<'.'>, digits>, opt<exponent>> {};
template <typename... W>
struct unit_words : sor<seq<W, not_at<identifier_other>, not_at<one<'('>>>...> {};
struct unit
    : sor<one<'%'>, unit_words<TAO_PEGTL_STRING("min"), TAO_PEGTL_STRING("ms"), TAO_PEGTL_STRING("us"),
                               TAO_PEGTL_STRING("usd"), TAO_PEGTL_STRING("KiB"), TAO_PEGTL_STRING("MiB"),
                               TAO_PEGTL_STRING("GiB"), TAO_PEGTL_STRING("tokens"), one<'s'>, one<'h'>>> {};
struct end_of_number : not_at<identifier_other> {};
struct quantity : seq<number, opt<blanks, unit>, must<end_of_number>> {};
struct escape_code
    : sor<one<'n', 't', '"', '\\'>, seq<one<'u'>, one<'{'>, rep_min_max<1, 6, xdigit>, one<'}'>>> {};
struct escape : seq<one<'\\'>, must<escape_code>> {};
struct plain_character : utf8::not_one<'"', '\\', '\n', '\r'> {};
struct close_quote : one<'"'> {};
struct text : seq<one<'"'>, star<sor<escape, plain_character>>, must<close_quote>> {};

// Expressions; operators that bind loosest come last.
struct pipeline;
struct expression : seq<pipeline> {};
struct operand_of_arrow;
struct negation;
struct sign;
template <typename Operand, typename Operator>
struct left : seq<Operand, star<blanks, Operator, gap, must<Operand>>> {};

struct list : bracketed<open_square, expression, close_square> {};
struct group : seq<open_paren, gap, must<expression>, gap, must<close_paren>> {};
struct label : path {};
struct labelled : seq<label, blanks, equals> {};
struct argument : sor<seq<labelled, gap, must<expression>>, expression> {};
struct call : bracketed<open_paren, argument, close_paren> {};
struct index : bracketed<open_square, expression, close_square> {};
struct member : path_tail {};
struct reference : seq<sor<name, group, list>, star<sor<call, index, member>>> {};
struct operand : sor<quantity, text, reference> {};
struct op_power : one<'^'> {};
struct power_tail : seq<op_power, gap, must<sign>> {};
struct power : seq<operand, opt<blanks, power_tail>> {};
struct op_minus : seq<one<'-'>, not_at<one<'>'>>> {};
struct minus : seq<op_minus, blanks, must<sign>> {};
struct sign : sor<minus, power> {};
struct op_product : one<'*', '/', '@'> {};
struct product : left<sign, op_product> {};
struct op_sum : sor<one<'+'>, op_minus> {};
struct sum : left<product, op_sum> {};
struct op_range : string<'.', '.'> {};
struct end_of_range : seq<blanks, not_at<op_range>> {};
struct range : seq<sum, opt<blanks, op_range, gap, must<sum>, must<end_of_range>>> {};
struct op_comparison
    : sor<string<'=', '='>, string<'!', '='>, string<'<', '='>, string<'>', '='>, one<'<', '>'>> {};
struct end_of_comparison : seq<blanks, not_at<op_comparison>> {};
struct comparison : seq<range, opt<blanks, op_comparison, gap, must<range>, must<end_of_comparison>>> {};
struct no : seq<word_not, gap, must<negation>> {};
struct negation : sor<no, comparison> {};
struct conjunction : left<negation, word_and> {};
struct disjunction : left<conjunction, word_or> {};
struct then_part : seq<gap, word_then, gap> {};
struct else_part : seq<gap, word_else, gap> {};
struct conditional : seq<word_if, gap, must<expression>, must<then_part>, must<expression>, must<else_part>,
                         must<operand_of_arrow>> {};
struct operand_of_arrow : sor<conditional, disjunction> {};
struct op_arrow : string<'-', '>'> {};
struct pipeline : left<operand_of_arrow, op_arrow> {};

// Types of parameters and of the schema's fields.
struct type : seq<path, star<sor<call, index>>> {};
struct type_annotation : seq<one<':'>, blanks, must<type>> {};
struct limits : seq<word_in, blanks, must<range>> {};

// Items.
struct block;
struct value : seq<equals, gap, must<expression>> {};
struct dimension : seq<name, opt<blanks, value>> {};
struct dimensions : bracketed<open_square, dimension, close_square> {};
struct parameter : seq<name, opt<blanks, type_annotation>> {};
struct parameters : bracketed<open_paren, parameter, close_paren> {};
struct kind : name {};
struct declared : name {};
struct base : seq<one<':'>, blanks, must<path>> {};
struct body : sor<block, value> {};
struct declaration : seq<kind, plus<blank_character>, declared, opt<dimensions>, opt<parameters>,
                         opt<blanks, base>, blanks, must<body>> {};
struct section : seq<path, blanks, block> {};
struct typed : seq<type_annotation, opt<blanks, limits>, opt<blanks, value>> {};
struct field_rest : sor<typed, value> {};
struct field : seq<path, opt<parameters>, blanks, must<field_rest>> {};
struct allow_rest : seq<open_paren, gap, path, gap, comma, gap, text, gap, close_paren> {};
struct allow : seq<word_allow, must<allow_rest>> {};
struct allows : plus<allow, item_gap> {};
struct item_body : sor<declaration, section, field> {};
struct item : sor<seq<allows, opt<item_body>>, item_body> {};

/// Recovery inside a block: skips to the next `,`, newline or `}` outside brackets, or to the end of the line
/// if the brackets from here do not balance before a declaration in column 1.
struct broken_item : takes_input {
  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& state) {
    const std::size_t length = broken_item_length(in.current(), in.size(0), state.lookahead);
    in.bump(length);
    return length > 0;
  }
};
/// Recovery outside declarations: skips to the next line that begins in column 1 with a letter or `#`.
struct broken_declaration : takes_input {
  template <typename Input>
  static bool match(Input& in) {
    const std::size_t length = broken_declaration_length(in.current(), in.size(0));
    in.bump(length);
    return length > 0;
  }
};
/// Matches, without consuming input, before a declaration in column 1, if a block is known to be unclosed.
struct abandoned : may_take_nothing {
  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& state) {
    return state.close_at_margin && (in.byte() == 0 || in.current()[-1] == '\n') &&
           begins_declaration(in.current(), 0, in.size(0));
  }
};
/// The end of a block: `}`. At the end of the file, or where the block is abandoned, it reports the missing
/// `}` instead.
struct end_of_block : may_take_nothing {
  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input>
  static bool match(Input& in, State& state);
};

struct separator : seq<blanks, sor<seq<comma, blanks, opt<comment>>, seq<opt<comment>, eol>>, item_gap> {};
// at<> looks ahead only, so the rules in it must not create nodes.
struct item_end : seq<blanks, sor<at<sor<one<',', '}', '#'>, eol, eof>>, abandoned>> {};
// Other text behind an item on its line is skipped after an error, and the item is kept.
struct end_item : sor<try_catch_type<GaveUp, must<item_end>>, broken_item, success> {};
struct item_slot : seq<not_at<one<'}'>>, not_at<eof>, not_at<abandoned>,
                       sor<seq<try_catch_type<GaveUp, must<item>>, end_item, opt<separator>>,
                           seq<broken_item, opt<separator>>, separator>> {};
struct open_brace : one<'{'> {};
struct block : seq<open_brace, item_gap, star<item_slot>, blanks, end_of_block> {};

struct import_path : path {};
struct import_name : name {};
struct import : seq<word_import, plus<blank_character>, must<import_path>,
                    opt<plus<blank_character>, word_as, plus<blank_character>, must<import_name>>> {};
struct top_item : sor<import, seq<opt<allows>, declaration>> {};
struct line_end : seq<blanks, opt<comment>, sor<eol, eof, abandoned>> {};
struct end_line : sor<try_catch_type<GaveUp, must<line_end>>, broken_declaration, success> {};
struct top_slot
    : seq<not_at<eof>, sor<seq<try_catch_type<GaveUp, must<top_item>>, end_line>, broken_declaration, any>,
          item_gap> {};
struct file : seq<opt<utf8::bom>, item_gap, star<top_slot>, must<eof>> {};
struct setting_end : eof {};
struct setting_value : value {};
struct setting_field : seq<path, opt<parameters>, blanks, must<setting_value>> {};
struct setting : seq<blanks, must<setting_field>, blanks, must<setting_end>> {};
}  // namespace grammar
}  // namespace trl::language

namespace TAO_PEGTL_NAMESPACE {
template <typename Name>
struct analyze_traits<Name, trl::language::grammar::takes_input> : analyze_any_traits<> {};
template <typename Name>
struct analyze_traits<Name, trl::language::grammar::may_take_nothing> : analyze_opt_traits<> {};
}  // namespace TAO_PEGTL_NAMESPACE

namespace trl::language {
namespace {
namespace g = grammar;
namespace p = tao::pegtl;

struct TooDeep {};
struct Unclosed {};

template <typename Rule, typename... Rules>
constexpr bool among = (std::is_same_v<Rule, Rules> || ...);

/// The first words of the message if `Rule` doesn't match in a `must<Rule>`: what was expected.
template <typename Rule>
constexpr const char* expected = nullptr;
// clang-format off
template <> constexpr const char* expected<g::expression> = "expected a value";
template <> constexpr const char* expected<g::sign> = "expected an operand";
template <> constexpr const char* expected<g::product> = "expected an operand";
template <> constexpr const char* expected<g::sum> = "expected the end of the range";
template <> constexpr const char* expected<g::range> = "expected an operand";
template <> constexpr const char* expected<g::negation> = "expected an operand";
template <> constexpr const char* expected<g::conjunction> = "expected an operand";
template <> constexpr const char* expected<g::operand_of_arrow> = "expected an operand";
template <> constexpr const char* expected<g::then_part> = "expected `then`";
template <> constexpr const char* expected<g::else_part> = "expected `else`";
template <> constexpr const char* expected<g::end_of_comparison> = "comparisons do not chain; join them with `and`";
template <> constexpr const char* expected<g::end_of_range> = "a range has two ends";
template <> constexpr const char* expected<g::end_of_number> = "not a unit";
template <> constexpr const char* expected<g::close_paren> = "expected `,` or `)`";
template <> constexpr const char* expected<g::close_square> = "expected `,` or `]`";
template <> constexpr const char* expected<g::close_quote> = "expected `\"` before the end of the line";
template <> constexpr const char* expected<g::escape_code> = "unknown escape";
template <> constexpr const char* expected<g::name_after_dot> = "expected a name after `.`";
template <> constexpr const char* expected<g::type> = "expected a type";
template <> constexpr const char* expected<g::path> = "expected a name";
template <> constexpr const char* expected<g::import_path> = "expected what to import";
template <> constexpr const char* expected<g::import_name> = "expected a name after `as`";
template <> constexpr const char* expected<g::body> = "expected `{` or `=` on the declaration's line";
template <> constexpr const char* expected<g::field_rest> = "expected `=`, `:` or `{`";
template <> constexpr const char* expected<g::allow_rest> = "expected `(rule, \"reason\")`";
template <> constexpr const char* expected<g::item> = "expected a field or a declaration";
template <> constexpr const char* expected<g::item_end> = "expected `,`, a newline or `}`";
template <> constexpr const char* expected<g::top_item> = "expected `import` or a declaration";
template <> constexpr const char* expected<g::line_end> = "expected a newline";
template <> constexpr const char* expected<g::setting_field> = "expected `path = value`";
template <> constexpr const char* expected<g::setting_value> = "expected `=` and a value";
template <> constexpr const char* expected<g::setting_end> = "expected the end of the setting";
template <> constexpr const char* expected<p::eof> = "expected the end of the file";
template <> constexpr const char* expected<TooDeep> = "nested too deeply";
template <> constexpr const char* expected<Unclosed> = "expected `}`";
// clang-format on

/// Rules before which newlines may stand. An error in one of them is reported at the end of the code before
/// the newlines.
template <typename Rule>
constexpr bool after_gap =
    among<Rule, g::close_paren, g::close_square, g::then_part, g::else_part, g::expression,
          g::operand_of_arrow, g::sign, g::product, g::sum, g::range, g::negation, g::conjunction>;

template <typename Rule>
constexpr const char* advice = "";
template <>
constexpr const char* advice<TooDeep> =
    "use at most 200 levels of brackets, blocks and operators, and give parts of the expression names";
template <>
constexpr const char* advice<g::escape_code> = "use one of the escapes \\n \\t \\\" \\\\ and \\u{3bb}";
template <>
constexpr const char* advice<g::end_of_number> =
    "use one of the units % us ms s min h KiB MiB GiB usd tokens";
template <>
constexpr const char* advice<g::body> =
    "write a declaration as `kind name { … }`, `kind name : base { … }` or `kind name = value`";
template <>
constexpr const char* advice<g::allow_rest> =
    "give the reason, too: `allow(underpowered, \"why it may be so here\")`";
template <>
constexpr const char* advice<g::top_item> = "write `import name`, or a declaration such as `kind name { … }`";

enum class Made { nothing, leaf, branch, fold };  // a fold with one child is replaced by that child

template <typename Rule>
struct Makes {
  static constexpr Made how = Made::nothing;
  static constexpr NodeKind kind = NodeKind::file;
};
template <Made How, NodeKind Kind>
struct MakesNode {
  static constexpr Made how = How;
  static constexpr NodeKind kind = Kind;
};
// clang-format off
template <> struct Makes<g::name> : MakesNode<Made::leaf, NodeKind::name> {};
template <> struct Makes<g::name_after_dot> : MakesNode<Made::leaf, NodeKind::name> {};
template <> struct Makes<g::import_name> : MakesNode<Made::leaf, NodeKind::name> {};
template <> struct Makes<g::path> : MakesNode<Made::leaf, NodeKind::path> {};
template <> struct Makes<g::import_path> : MakesNode<Made::leaf, NodeKind::path> {};
template <> struct Makes<g::label> : MakesNode<Made::leaf, NodeKind::label> {};
template <> struct Makes<g::kind> : MakesNode<Made::leaf, NodeKind::kind> {};
template <> struct Makes<g::declared> : MakesNode<Made::leaf, NodeKind::declared> {};
template <> struct Makes<g::number> : MakesNode<Made::leaf, NodeKind::number> {};
template <> struct Makes<g::unit> : MakesNode<Made::leaf, NodeKind::unit> {};
template <> struct Makes<g::text> : MakesNode<Made::leaf, NodeKind::text> {};
template <> struct Makes<g::doc> : MakesNode<Made::leaf, NodeKind::doc> {};
template <> struct Makes<g::op_power> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::op_product> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::op_sum> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::op_range> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::op_comparison> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::word_and> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::word_or> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::op_arrow> : MakesNode<Made::leaf, NodeKind::op> {};
template <> struct Makes<g::broken_item> : MakesNode<Made::leaf, NodeKind::broken> {};
template <> struct Makes<g::broken_declaration> : MakesNode<Made::leaf, NodeKind::broken> {};
template <> struct Makes<g::file> : MakesNode<Made::branch, NodeKind::file> {};
template <> struct Makes<g::setting> : MakesNode<Made::branch, NodeKind::file> {};
template <> struct Makes<g::setting_field> : MakesNode<Made::branch, NodeKind::field> {};
template <> struct Makes<g::setting_value> : MakesNode<Made::branch, NodeKind::value> {};
template <> struct Makes<g::import> : MakesNode<Made::branch, NodeKind::import_> {};
template <> struct Makes<g::allow> : MakesNode<Made::branch, NodeKind::allow> {};
template <> struct Makes<g::declaration> : MakesNode<Made::branch, NodeKind::declaration> {};
template <> struct Makes<g::section> : MakesNode<Made::branch, NodeKind::section> {};
template <> struct Makes<g::field> : MakesNode<Made::branch, NodeKind::field> {};
template <> struct Makes<g::block> : MakesNode<Made::branch, NodeKind::block> {};
template <> struct Makes<g::dimensions> : MakesNode<Made::branch, NodeKind::dimensions> {};
template <> struct Makes<g::dimension> : MakesNode<Made::branch, NodeKind::dimension> {};
template <> struct Makes<g::parameters> : MakesNode<Made::branch, NodeKind::parameters> {};
template <> struct Makes<g::parameter> : MakesNode<Made::branch, NodeKind::parameter> {};
template <> struct Makes<g::base> : MakesNode<Made::branch, NodeKind::base> {};
template <> struct Makes<g::type> : MakesNode<Made::branch, NodeKind::type> {};
template <> struct Makes<g::limits> : MakesNode<Made::branch, NodeKind::limits> {};
template <> struct Makes<g::value> : MakesNode<Made::branch, NodeKind::value> {};
template <> struct Makes<g::call> : MakesNode<Made::branch, NodeKind::call> {};
template <> struct Makes<g::index> : MakesNode<Made::branch, NodeKind::index> {};
template <> struct Makes<g::member> : MakesNode<Made::branch, NodeKind::member> {};
template <> struct Makes<g::list> : MakesNode<Made::branch, NodeKind::list> {};
template <> struct Makes<g::argument> : MakesNode<Made::branch, NodeKind::argument> {};
template <> struct Makes<g::conditional> : MakesNode<Made::branch, NodeKind::conditional> {};
template <> struct Makes<g::minus> : MakesNode<Made::branch, NodeKind::minus> {};
template <> struct Makes<g::no> : MakesNode<Made::branch, NodeKind::no> {};
template <> struct Makes<g::quantity> : MakesNode<Made::fold, NodeKind::quantity> {};
template <> struct Makes<g::reference> : MakesNode<Made::fold, NodeKind::reference> {};
template <> struct Makes<g::power> : MakesNode<Made::fold, NodeKind::power> {};
template <> struct Makes<g::product> : MakesNode<Made::fold, NodeKind::product> {};
template <> struct Makes<g::sum> : MakesNode<Made::fold, NodeKind::sum> {};
template <> struct Makes<g::range> : MakesNode<Made::fold, NodeKind::range> {};
template <> struct Makes<g::comparison> : MakesNode<Made::fold, NodeKind::comparison> {};
template <> struct Makes<g::conjunction> : MakesNode<Made::fold, NodeKind::conjunction> {};
template <> struct Makes<g::disjunction> : MakesNode<Made::fold, NodeKind::disjunction> {};
template <> struct Makes<g::pipeline> : MakesNode<Made::fold, NodeKind::pipeline> {};
// clang-format on

/// Describes, in words, the beginning of the rest of the text, and returns how many of its bytes to
/// underline.
std::pair<std::string, std::size_t> found(std::string_view rest) {
  const std::size_t left = rest.size();
  if (left == 0) return {"the end of the file", 0};
  const char* at = rest.data();
  if (*at == '\n' || *at == '\r') return {"the end of the line", 0};
  std::size_t length = 1;
  if (word_character(*at)) {
    while (length < left && length < 40 && word_character(at[length])) ++length;
  } else if (static_cast<unsigned char>(*at) >= 0x80) {
    while (length < left && length < 4 && (static_cast<unsigned char>(at[length]) & 0xC0) == 0x80) ++length;
  } else if (static_cast<unsigned char>(*at) < 0x20 || *at == 0x7f) {
    constexpr const char* hex = "0123456789abcdef";
    return {std::string("a control character (0x") + hex[(*at >> 4) & 15] + hex[*at & 15] + ")", 1};
  }
  return {"`" + std::string(at, length) + "`", length};
}

template <typename Rule, typename Input>
void report(const Input& in, State& state) {
  if (state.enough()) return;
  const std::string_view text(in.begin(), in.byte() + in.size(0));
  std::size_t at = in.byte();
  if constexpr (after_gap<Rule>)
    if (const std::size_t end = end_of_code_before(text, at); end < line_begin(text, at)) at = end;
  const auto [what, length] = found(text.substr(at));
  std::string message = expected<Rule>;
  if constexpr (!among<Rule, TooDeep>) message += ", found " + what;
  Diagnostic d{"syntax", Severity::error, std::move(message), {state.file, at, at + length}, {}, advice<Rule>,
               {}};
  if constexpr (std::is_same_v<Rule, Unclosed>)
    d.note("the block was opened here", {state.file, state.braces.back(), state.braces.back() + 1});
  state.diagnostics.push_back(std::move(d));
}

/// Turns errors of `must` into diagnostics, and finished rules into nodes.
template <typename Rule>
struct Control : p::normal<Rule> {
  static constexpr bool made = Makes<Rule>::how != Made::nothing;

  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& state) {
    static_assert(expected<Rule> != nullptr, "every must<> needs words");
    report<Rule>(in, state);
    throw GaveUp{};
  }
  template <typename Input>
  static void start(const Input& in, State& state) {
    if constexpr (made) {
      state.forget(in.byte());
      state.starts.push_back(in.byte());
    }
  }
  template <typename Input>
  static void failure(const Input&, State& state) {
    if constexpr (made) state.starts.pop_back();
  }
  template <typename Input>
  static void unwind(const Input&, State& state) {
    if constexpr (made) state.starts.pop_back();
  }
  template <typename Input>
  static void success(const Input& in, State& state) {
    if constexpr (made) {
      const std::size_t begin = state.starts.back(), end = in.byte();
      state.starts.pop_back();
      state.forget(end);
      std::size_t first = state.nodes.size();
      while (first > 0 && state.nodes[first - 1].begin >= begin) --first;
      if constexpr (Makes<Rule>::how == Made::fold)
        if (state.nodes.size() - first == 1) {
          // `(a)` gives the node of `a` alone. The tokens after the parenthesis must not become part of `a`.
          return;
        }
      Node node{Makes<Rule>::kind, begin, end, {}};
      if constexpr (Makes<Rule>::how != Made::leaf)
        node.children.assign(
            std::make_move_iterator(state.nodes.begin() + static_cast<std::ptrdiff_t>(first)),
            std::make_move_iterator(state.nodes.end()));
      state.nodes.resize(first);
      state.nodes.push_back(std::move(node));
    }
  }
};

template <typename Rule>
struct Action : p::nothing<Rule> {};

/// Counts the levels of a recursive rule, so that the parser's stack stays bounded for every input.
struct LimitNesting : p::maybe_nothing {
  template <typename Rule, p::apply_mode A, p::rewind_mode M, template <typename...> class Act,
            template <typename...> class Ctl, typename Input>
  static bool match(Input& in, State& state) {
    struct Guard {
      std::size_t& depth;
      explicit Guard(std::size_t& d) : depth(d) { ++depth; }
      ~Guard() { --depth; }
    } guard(state.nesting);
    if (state.nesting > deepest_nesting) Control<TooDeep>::raise(in, state);
    return p::match<Rule, A, M, Act, Ctl>(in, state);
  }
};
template <>
struct Action<g::expression> : LimitNesting {};
template <>
struct Action<g::minus> : LimitNesting {};
template <>
struct Action<g::power_tail> : LimitNesting {};
template <>
struct Action<g::no> : LimitNesting {};
template <>
struct Action<g::conditional> : LimitNesting {};

/// A block also stores the place of its brace, for the note of a missing `}`.
template <>
struct Action<g::block> : p::maybe_nothing {
  template <typename Rule, p::apply_mode A, p::rewind_mode M, template <typename...> class Act,
            template <typename...> class Ctl, typename Input>
  static bool match(Input& in, State& state) {
    struct Guard {
      std::vector<std::size_t>& braces;
      Guard(std::vector<std::size_t>& b, std::size_t at) : braces(b) { braces.push_back(at); }
      ~Guard() { braces.pop_back(); }
    } guard(state.braces, in.byte());
    return LimitNesting::match<Rule, A, M, Act, Ctl>(in, state);
  }
};

Node covering(NodeKind kind, std::string_view text) { return {kind, 0, text.size(), {}}; }

template <typename Rule>
State run(std::string_view text, FileId file, bool close_at_margin) {
  State state;
  state.file = file;
  state.close_at_margin = close_at_margin;
  p::memory_input<p::tracking_mode::lazy> in(text.data(), text.size(), "");
  try {
    (void)p::parse<Rule, Action, Control>(in, state);
  } catch (const GaveUp&) {
    // The error was reported where it was thrown.
  }
  return state;
}

Parsed finish(State state, std::string_view text) {
  Parsed parsed;
  parsed.diagnostics = std::move(state.diagnostics);
  parsed.unclosed = state.unclosed;
  if (state.nodes.size() == 1 && state.nodes.front().is(NodeKind::file)) {
    parsed.tree = std::move(state.nodes.front());
    parsed.tree.begin = 0;
    parsed.tree.end = text.size();
  } else {
    parsed.tree = covering(NodeKind::file, text);
    if (!text.empty()) parsed.tree.children.push_back(covering(NodeKind::broken, text));
  }
  fill_gaps(parsed.tree, text);
  return parsed;
}

}  // namespace

namespace grammar {

template <apply_mode A, rewind_mode M, template <typename...> class Action,
          template <typename...> class Control, typename Input>
bool end_of_block::match(Input& in, State& state) {
  if (!in.empty() && *in.current() == '}') {
    in.bump(1);
    return true;
  }
  state.unclosed = true;
  report<Unclosed>(in, state);
  return true;
}

}  // namespace grammar

Parsed parse(std::string_view text, FileId file) {
  State state = run<g::file>(text, file, false);
  if (state.unclosed) {
    // A `}` is missing somewhere. A declaration in column 1 probably began outside all blocks, so the text is
    // parsed again under that assumption.
    State second = run<g::file>(text, file, true);
    if (second.diagnostics.size() <= state.diagnostics.size()) state = std::move(second);
  }
  return finish(std::move(state), text);
}

Parsed parse_setting(std::string_view text, FileId file) {
  return finish(run<g::setting>(text, file, false), text);
}

std::size_t grammar_problems() { return p::analyze<g::file>(-1) + p::analyze<g::setting>(-1); }

}  // namespace trl::language
